"""Knows what a text is that has no contents list: a translation, an extract, an abridgement, Markdown, or none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ingest.body import RULE_START
from ingest.lines import Line

_MARKDOWN = re.compile(r"#{1,6}\s+\S|```|.*(?:\*\*[^*\s][^*]*\*\*|\]\([^)\s]+\))")
_ENGLISH = frozenset(("the", "of", "a", "to", "and", "is", "that", "if", "or", "in"))
_LEAST_ENGLISH = 0.15  # of the words of the rules, in any edition, 0.22 or more are these
_ENOUGH = 50  # words from which on the language can be told
_CHAPTERS = 100  # every edition has more


def fault_of(lines: Sequence[Line], name: str) -> tuple[int, str]:
    """The line at which it shows that the text is no whole edition, and what it is instead, as a clause.

    >>> fault_of([Line(3, "# Magic: The Gathering", 0, True)], "rules.md")
    (3, 'this is a Markdown file; it has no line "Contents"')
    """
    for line in lines:
        if _MARKDOWN.match(line.text):
            return line.number, 'this is a Markdown file; it has no line "Contents"'
    if found := _foreign(lines):
        return found, "this is a translation: the publisher's text is in English"
    starts = [(line, started["label"]) for line in lines if (started := RULE_START.match(line.text))]
    chapters = list(dict.fromkeys(label[:3] for _, label in starts))
    if starts and len(chapters) < _CHAPTERS:
        kind = "a Markdown file, and an extract" if name.lower().endswith((".md", ".markdown")) else "an extract"
        if len(chapters) == 1:
            return starts[0][0].number, f"this is {kind}: it has the rules of chapter {chapters[0]} alone"
        held = f"it has no contents list, and rules of {len(chapters)} chapters ({chapters[0]} to {chapters[-1]}) alone"
        return starts[0][0].number, f"this is {kind.replace('extract', 'abridgement')}: {held}"
    return 1, 'there is no line "Contents": this is not a whole edition of the rules'


def _foreign(lines: Sequence[Line]) -> int:
    """The number of the first line in another script or language, where the text is not in English; else 0."""
    words = _words(line.text for line in lines)
    if len(words) < _ENOUGH or sum(word in _ENGLISH for word in words) >= _LEAST_ENGLISH * len(words):
        return 0
    other = (line.number for line in lines if re.search(r"[^\W\d_A-Za-z]", line.text))
    return next(other, lines[0].number)


def _words(texts: Iterable[str]) -> list[str]:
    """The words, a letter of a script without spaces counting as one."""
    return [word for text in texts for word in re.findall(r"[a-z]+|[^\W\d_a-z]", text.lower())]
