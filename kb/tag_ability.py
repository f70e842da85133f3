"""Knows of which kinds the abilities on a face are: activated, triggered, static, spell, mana and loyalty abilities."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from kb.card import Face, KeywordUse
from kb.keyword import Keywords
from kb.rules_text import Line, anchor_words, lines, masked, quotations, reminders

CHAPTERS: dict[str, tuple[str, ...]] = {
    "activated": ("activating activated abilities",),
    "triggered": ("handling triggered abilities",),
    "static": ("handling static abilities",),
    "spell": ("resolving spells and abilities",),
    "mana": ("mana abilities",),
    "loyalty": ("loyalty abilities",),
}
"""The titles of the chapters on the kinds of ability."""

COST = re.compile(r"[^.:\"]+: ")
LOYALTY = re.compile(r"\[?(?:[+−-](?:\d+|X)|0)\]?: ")
CLASS_LEVEL = re.compile(r"^(?:\{[^}]+\})+: Level \d+$", re.MULTILINE)
_CHAPTER_SYMBOL = re.compile(r"[IVX]+(?:, [IVX]+)*(?: [A-Z]\w+)? — ")
_TRIGGER = re.compile(r"(?:When|Whenever|At)\b")
_TAPPED_FOR_MANA = re.compile(
    r"\b(?:taps?|tapped)\b[^,]*\bfor mana\b|\bmana abilit|\badds?\b[^,]*\bmana\b|\bmana is added"
)
_MANA = re.compile(
    r"(?:^|[.,] |\bthen |\bplayer |\bcontroller |\bthey |\byou |\bmay |\bor |\band )adds? "
    r"(?:\{|one|two|three|four|five|ten|X|an amount|that much|an additional|[a-z]+ mana)",
    re.IGNORECASE,
)
_LATER = re.compile(r"\b(?:whenever|when|would|at the beginning)\b", re.IGNORECASE)
_MODE = re.compile(r"[•·]")
_OUTCOME_OR_MODE = re.compile(r"[•·]|\d+(?:[—–-]\d+|\+)? \| ")
_ROLL = re.compile(r"\brolls?\b", re.IGNORECASE)


def open_text(text: str) -> str:
    """The text without reminder text and without abilities that it gives to others; offsets stay what they were."""
    plain = masked(text, reminders(text), " ")
    return masked(plain, quotations(plain), "_")


def keyword_kinds(face: Face, uses: Iterable[KeywordUse], keywords: Keywords) -> Iterator[tuple[KeywordUse, str]]:
    """The uses of keyword abilities that a face has, with the kinds of ability that the edition says they are."""
    spell = is_spell(face)
    for use in uses:
        keyword = keywords.named(use.keyword) if _is_line_of_keyword(use, keywords) else None
        if keyword is not None:
            yield from ((use, kind) for kind in keyword.abilities if kind != "spell" or spell)


def ability_kinds(face: Face, uses: tuple[KeywordUse, ...], keywords: Keywords) -> Iterator[str]:
    """The kinds of ability on a face: those of its keywords as the edition defines them, and those of its other
    lines.
    """
    yield from (kind for _, kind in keyword_kinds(face, uses, keywords))
    if CLASS_LEVEL.search(face.text):
        yield from ("activated", "static")  # a class level bar is both
    if not _ROLL.search(face.text) and any(line.threshold for line in lines(face.text)):
        yield "static"  # a level or station symbol is one
    for line in ability_lines(face, uses, keywords):
        chapter = "Saga" in face.subtypes and _CHAPTER_SYMBOL.match(_printed(line, face))
        if chapter or line.label == "To solve":
            yield "triggered"  # by the rules of Sagas and Cases
        else:
            yield from _kinds_of_line(line, face)


def ability_lines(face: Face, uses: Iterable[KeywordUse], keywords: Keywords) -> Iterator[Line]:
    """The lines of a face that are abilities of their own, without those that are keyword abilities.

    Modes and the outcomes of a roll belong to the line before.
    """
    anchors = anchor_words(face.text)
    part = _OUTCOME_OR_MODE if _ROLL.search(face.text) else _MODE
    covered = {use.start for use in uses if _is_line_of_keyword(use, keywords)}
    for line in lines(open_text(face.text)):
        own = line.label in anchors or not part.match(_printed(line, face))
        if line.text.strip() and own and not {line.start, line.label_start if line.label else line.start} & covered:
            yield line


def _is_line_of_keyword(use: KeywordUse, keywords: Keywords) -> bool:
    keyword = keywords.named(use.keyword) if use.origin in ("printed", "conditional") else None
    return keyword is not None and keyword.kind == "ability" and not keyword.introduces_ability


def is_loyalty(line: Line, face: Face) -> bool:
    """Whether a line is a loyalty ability."""
    return bool(LOYALTY.match(_printed(line, face)))


def is_spell(face: Face) -> bool:
    """Whether a face is an instant or a sorcery, whose text is followed as it resolves."""
    return bool({"Instant", "Sorcery"} & set(face.supertypes_and_types))


def _printed(line: Line, face: Face) -> str:
    """A line as it is printed, with what stands before its text."""
    return face.text[face.text.rfind("\n", 0, line.start) + 1 :]


def _kinds_of_line(line: Line, face: Face) -> Iterator[str]:
    if is_loyalty(line, face):
        yield "loyalty"
    elif _TRIGGER.match(line.text):
        yield "triggered"
        cause, _, effect = line.text.partition(", ")
        if _TAPPED_FOR_MANA.search(cause) and _adds_mana(effect):
            yield "mana"
    elif cost := COST.match(line.text):
        yield "activated"
        if _adds_mana(line.text[cost.end() :]):
            yield "mana"
    elif is_spell(face):
        yield "spell"
    else:
        yield "static"


def _adds_mana(effect: str) -> bool:
    """Whether an ability could add mana as it resolves and has no target; what happens later is not its own doing."""
    now = [said for said in re.split(r"(?<=\.) ", effect) if not _LATER.search(said)]
    return any(map(_MANA.search, now)) and not any(re.search(r"\btarget\b", said) for said in now)
