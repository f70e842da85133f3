"""Knows how the text of a card is laid out: lines, labels before a dash, thresholds, reminder text, quoted
abilities, sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_QUOTED = re.compile(r"[\"“]([^\"“”\n]*)[\"”]")
_PARENTHESES = re.compile(r"\([^()\n]*\)?")
_THRESHOLD = re.compile(r"(LEVEL \d+(?:-\d+|\+))$|(\d+\+) \| |(?:\{[^}]+\})+: (Level \d+)$")
_LEVEL_STATS = re.compile(r"[\d*+X]+/[\d*+X]+$")
_PREFIX = re.compile(
    r"(?:[•·] ?|[+−-]?[\dX]+: |\[[+−-]?[\dX]+\]: |(?:[IVX]+(?:, [IVX]+)*) — "
    r"|\d+(?:—|–|-)?\d*\+? \| |(?:\{TK\})+ — |\+ (?:\{[^}]+\})+ — )"
)
_LABEL = re.compile(r"(?=[^\W\d_a-z]|∞|\.\.\.|\d)([^—:{}\n\"“”()|]{1,70}?) — (?=\S)")
_CHOICE = re.compile(r"\bchoose\b|\bvotes?\b|^Tier|^When|^At the|^If |^As ", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.\n]+(?:\.(?=\S)[^.\n]*)*\.?")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a face's text.

    `start` is the offset of `text` in the face; `text` is what comes after bullet, loyalty cost, chapter number,
    threshold and label; `label` the words before the dash, at `label_start`; `threshold` the level or number of
    counters that the line asks for ("LEVEL 2-6", "8+"), or empty.
    """

    start: int
    text: str
    label: str = ""
    label_start: int = 0
    threshold: str = ""


def lines(text: str) -> Iterator[Line]:
    """The lines of a face's text.

    >>> [(line.label, line.text) for line in lines("Flying\\nImprint — {1}: Draw a card.")]
    [('', 'Flying'), ('Imprint', '{1}: Draw a card.')]
    """
    at, threshold = 0, ""
    for printed in text.split("\n"):
        asked = _THRESHOLD.match(printed)
        if asked is not None:
            threshold = next(filter(None, asked.groups()))
        skipped = asked.end() if asked else 0
        if printed[skipped:].strip() and not _LEVEL_STATS.match(printed):
            yield _line(printed, at, skipped, threshold)
        at += len(printed) + 1


def _line(printed: str, at: int, skipped: int, threshold: str) -> Line:
    prefix = _PREFIX.match(printed, skipped)
    begin = prefix.end() if prefix else skipped
    label = _LABEL.match(printed, begin)
    if label is None or _CHOICE.search(label[1]):
        return Line(at + begin, printed[begin:], threshold=threshold)
    return Line(at + label.end(), printed[label.end() :], label[1], at + begin, threshold)


def anchor_words(text: str) -> frozenset[str]:
    """The words that a text asks to be chosen from ("choose Khans or Dragons").

    They are labels that are neither ability words nor flavor words.

    >>> sorted(anchor_words("As this enters, choose Khans or Dragons.\\n• Khans — Draw a card."))
    ['Dragons', 'Khans']
    """
    offered = re.findall(r"\bchoose ([A-Z][\w' -]*(?:, [A-Z][\w' -]*)*,? or [A-Z][\w' -]*)", text)
    return frozenset(word.strip() for said in offered for word in re.split(r",? or |, ", said))


def reminders(text: str) -> list[tuple[int, int]]:
    """The spans of reminder text, parentheses included; one that is never closed ends with its line."""
    return [found.span() for found in _PARENTHESES.finditer(text)]


def quotations(text: str) -> list[tuple[int, int]]:
    """The spans of what stands between quotation marks, without them."""
    return [found.span(1) for found in _QUOTED.finditer(text)]


def masked(text: str, spans: list[tuple[int, int]], by: str) -> str:
    """The text with every character of `spans` replaced by the one character `by`; offsets stay what they were.

    >>> masked("Flying (It flies.)", [(7, 18)], " ")
    'Flying            '
    """
    for start, end in spans:
        text = text[:start] + by * (end - start) + text[end:]
    return text


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """Each sentence with its offset, without the blanks before it."""
    for found in _SENTENCE.finditer(text):
        said = found[0]
        if said.strip():
            lead = len(said) - len(said.lstrip())
            yield found.start() + lead, said[lead:]
