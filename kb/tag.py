"""Knows which facts about a card people sort cards by, each with the rule or the field that it follows from; none
is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kb.card import Card, Face, KeywordUse
from kb.keyword import Keywords
from kb.number import RuleNumber
from kb.rulebook import Rulebook
from kb.rules_text import Line, lines, masked, quotations, reminders

GROUPS = ("ability", "mana cost", "creature kind", "keyword", "mana value", "timing", "type")
"""The groups of tags, in the order in which they are shown."""

_COST = re.compile(r"[^.:\"]+: ")
_LOYALTY = re.compile(r"(?:[+−-](?:\d+|X)|0): ", re.MULTILINE)
_TRIGGER = re.compile(r"(?:When|Whenever|At)\b")
_MANA = re.compile(r"\b[Aa]dds? (?:\{|one|two|three|four|five|ten|X|an amount|that much|an additional|[a-z]+ mana)")
_SYMBOL = re.compile(r"\{([^}]+)\}")
_AS_SORCERY = re.compile(r"\b(?:only as a sorcery|only any time you could cast a sorcery)\b")
_STEPS = (
    ("untap step", "untap step"),
    ("upkeep", "upkeep step"),
    ("draw step", "draw step"),
    ("main phase", "main phase"),
    ("beginning of combat", "beginning of combat step"),
    ("declare attackers", "declare attackers step"),
    ("declare blockers", "declare blockers step"),
    ("combat damage step", "combat damage step"),
    ("end of combat", "end of combat step"),
    ("end step", "end step"),
    ("cleanup step", "cleanup step"),
)


@dataclass(frozen=True, slots=True)
class Tag:
    """A fact about a card: its group, what is said, and what it follows from: a rule, a field of the source, or
    both.
    """

    group: str
    label: str
    rule: RuleNumber | None = None
    field: str | None = None


class Tagger:
    """Finds the tags of cards by the rules of one edition; the numbers of the rules are looked up by their titles."""

    def __init__(self, rulebook: Rulebook, keywords: Keywords) -> None:
        self._keywords = keywords
        self._found: dict[tuple[str, ...], RuleNumber | None] = {}
        self._titles = {
            title.casefold(): number for number, title in rulebook.titles.items() if number.level == "chapter"
        }

    def tags(self, card: Card, uses: Iterable[Iterable[KeywordUse]]) -> tuple[Tag, ...]:
        """The tags of a card whose faces have these uses of keywords, in the order of the groups, none twice."""
        found: dict[tuple[str, str], Tag] = {}
        for face, on_face in zip(card.faces, uses, strict=True):
            kept = tuple(on_face)
            for tags in (self._abilities(face, kept), self._face(face), self._timing(face, kept), self._named(kept)):
                for tag in tags:
                    found.setdefault((tag.group, tag.label), tag)
        if card.mana_value is not None:
            rule = self._rule("mana cost and color")
            found["mana value", card.mana_value] = Tag("mana value", card.mana_value, rule, "cmc")
        return tuple(sorted(found.values(), key=lambda tag: GROUPS.index(tag.group)))

    def _rule(self, *titles: str) -> RuleNumber | None:
        """The chapter whose title holds one of the given ones; asked for often, so what was found is kept."""
        if titles not in self._found:
            held = (number for title in titles for said, number in self._titles.items() if title in said)
            self._found[titles] = next(held, None)
        return self._found[titles]

    def _abilities(self, face: Face, uses: tuple[KeywordUse, ...]) -> Iterator[Tag]:
        for kind in _ability_kinds(face, uses, self._keywords):
            yield Tag("ability", f"{kind} ability", self._rule(*_CHAPTERS[kind]), "oracle_text")

    def _face(self, face: Face) -> Iterator[Tag]:
        cost_rule = self._rule("mana cost and color")
        for symbol in dict.fromkeys(_SYMBOL.findall(face.mana_cost)):
            yield Tag("mana cost", f"{{{symbol}}}", cost_rule, "mana_cost")
        if not face.mana_cost:
            yield Tag("mana cost", "no mana cost", cost_rule, "mana_cost")
        creature = "Creature" in face.supertypes_and_types or "Kindred" in face.supertypes_and_types
        for word in face.supertypes_and_types:
            yield Tag("type", word, self._rule(f"{word.casefold()}s", f"{word.casefold()}es"), "type_line")
        for word in face.subtypes:
            yield Tag("creature kind" if creature else "type", word, self._rule("type line"), "type_line")

    def _timing(self, face: Face, uses: tuple[KeywordUse, ...]) -> Iterator[Tag]:
        types = face.supertypes_and_types
        priority = self._rule("timing and priority")  # one tag, one rule: it says when any spell may be cast
        flash = any(use.keyword.casefold() == "flash" and use.origin == "printed" for use in uses)
        if "Instant" in types or flash:
            yield Tag("timing", "cast at instant speed", priority, "oracle_text" if flash else "type_line")
        elif types and "Land" not in types:
            yield Tag("timing", "cast at sorcery speed", priority, "type_line")
        for line in lines(_open(face.text)):
            if _LOYALTY.match(face.text, max(line.start - 4, 0)) or (
                _COST.match(line.text) and _AS_SORCERY.search(line.text)
            ):
                yield Tag(
                    "timing", "activated at sorcery speed", self._rule("activating activated abilities"), "oracle_text"
                )
            elif _COST.match(line.text):
                yield Tag(
                    "timing", "activated at instant speed", self._rule("activating activated abilities"), "oracle_text"
                )
            for cue, step in _STEPS:
                if cue in line.text:
                    yield Tag("timing", step, self._rule(step), "oracle_text")

    def _named(self, uses: tuple[KeywordUse, ...]) -> Iterator[Tag]:
        for use in uses:
            if use.origin in ("printed", "conditional", "granted"):
                how = {"printed": "", "conditional": " (conditional)", "granted": " (granted)"}[use.origin]
                keyword = self._keywords.named(use.keyword)
                if keyword is not None and keyword.kind == "ability":
                    yield Tag("keyword", keyword.key + how, use.rule, "oracle_text")


_CHAPTERS: dict[str, tuple[str, ...]] = {
    "activated": ("activating activated abilities",),
    "triggered": ("handling triggered abilities",),
    "static": ("handling static abilities",),
    "spell": ("resolving spells and abilities",),
    "mana": ("mana abilities",),
    "loyalty": ("loyalty abilities",),
}


def _ability_kinds(face: Face, uses: tuple[KeywordUse, ...], keywords: Keywords) -> Iterator[str]:
    """The kinds of ability on a face: those of its keywords as the edition defines them, and those of its other
    lines.
    """
    printed = [use for use in uses if use.origin in ("printed", "conditional")]
    for use in printed:
        keyword = keywords.named(use.keyword)
        yield from (kind for kind in keyword.abilities if keyword is not None) if keyword is not None else ()
    covered = {use.start for use in printed if (named := keywords.named(use.keyword)) and named.kind == "ability"}
    for line in lines(_open(face.text)):
        if line.start not in covered and line.text.strip():
            yield from _kinds_of_line(line, face)


def _kinds_of_line(line: Line, face: Face) -> Iterator[str]:
    before = face.text[max(line.start - 5, 0) : line.start]
    if re.search(r"(?:^|\n|\[)(?:[+−-](?:\d+|X)|0)\]?: $", before):
        yield "loyalty"
    elif _TRIGGER.match(line.text):
        yield "triggered"
    elif cost := _COST.match(line.text):
        effect = line.text[cost.end() :]
        yield "activated"
        if _MANA.match(effect) and not re.search(r"\btarget\b", effect):
            yield "mana"
    elif {"Instant", "Sorcery"} & set(face.supertypes_and_types):
        yield "spell"
    else:
        yield "static"


def _open(text: str) -> str:
    """The text without reminder text and without abilities that it gives to others."""
    plain = masked(text, reminders(text), " ")
    return masked(plain, quotations(plain), "_")
