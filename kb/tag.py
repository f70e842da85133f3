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
from kb.tag_ability import CHAPTERS, ability_kinds
from kb.tag_timing import Timing
from kb.tag_types import Types

GROUPS = ("ability", "mana cost", "creature kind", "keyword", "mana value", "timing", "type")
"""The groups of tags, in the order in which they are shown."""

_SYMBOL = re.compile(r"\{([^}]+)\}")
_OTHER_SIDE = frozenset({"transform", "flip"})  # layouts whose later faces are not cast
_TURN = re.compile(r"\bactive player is the player whose turn it is\b")


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
        self._keywords, self._types, self._times = keywords, Types(rulebook), Timing(rulebook, keywords)
        self._found: dict[tuple[str, ...], RuleNumber | None] = {}
        self._titles = {
            title.casefold(): number for number, title in rulebook.titles.items() if number.level == "chapter"
        }
        self._found[("turn",)] = next((rule.number for rule in rulebook.rules if _TURN.search(rule.text)), None)

    def tags(self, card: Card, uses: Iterable[Iterable[KeywordUse]]) -> tuple[Tag, ...]:
        """The tags of a card whose faces have these uses of keywords, in the order of the groups, none twice."""
        found: dict[tuple[str, str], Tag] = {}
        for position, (face, on_face) in enumerate(zip(card.faces, uses, strict=True), 1):
            kept = tuple(on_face)
            castable = position == 1 or card.layout not in _OTHER_SIDE
            for tags in (
                self._abilities(face, kept),
                self._face(face),
                self._timing(face, kept, castable),
                self._named(kept),
            ):
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
        for kind in ability_kinds(face, uses, self._keywords):
            yield self._ability(kind, "oracle_text")
        if "Land" in face.supertypes_and_types and self._types.basic[0] & {word.casefold() for word in face.subtypes}:
            yield from (self._ability(kind, "type_line") for kind in ("activated", "mana"))  # intrinsic ones
            yield Tag("timing", "activated at instant speed", self._rule(*CHAPTERS["activated"]), "oracle_text")

    def _ability(self, kind: str, field: str) -> Tag:
        return Tag("ability", f"{kind} ability", self._rule(*CHAPTERS[kind]), field)

    def _face(self, face: Face) -> Iterator[Tag]:
        cost_rule = self._rule("mana cost and color")
        for cost in face.mana_cost.split(" // ") if face.mana_cost else ():  # the cost itself, then its symbols
            yield Tag("mana cost", cost, cost_rule, "mana_cost")
        for symbol in dict.fromkeys(_SYMBOL.findall(face.mana_cost)):
            yield Tag("mana cost", f"{{{symbol}}}", cost_rule, "mana_cost")
        if not face.mana_cost:
            yield Tag("mana cost", "no mana cost", cost_rule, "mana_cost")
        for word in face.supertypes_and_types:
            yield Tag("type", word, self._types.of_word(word), "type_line")
        for name, listed in self._types.on(face):
            group = "creature kind" if listed is not None and listed.kind == "creature" else "type"
            yield Tag(group, name, listed.rule if listed is not None else self._rule("type line"), "type_line")

    def _timing(self, face: Face, uses: tuple[KeywordUse, ...], castable: bool) -> Iterator[Tag]:
        for label, title, field in self._times.found(face, uses, castable=castable):
            yield Tag("timing", label, self._rule(title), field)

    def _named(self, uses: tuple[KeywordUse, ...]) -> Iterator[Tag]:
        for use in uses:
            if use.origin in ("printed", "conditional", "granted"):
                how = {"printed": "", "conditional": " (conditional)", "granted": " (granted)"}[use.origin]
                keyword = self._keywords.named(use.keyword)
                if keyword is not None and keyword.kind == "ability":
                    yield Tag("keyword", keyword.key + how, use.rule, "oracle_text")
