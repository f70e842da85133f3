"""Knows when a card can be cast and its abilities activated, and which turns and steps its text is about."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.card import Face, KeywordUse
from kb.keyword import Keywords
from kb.rulebook import Rulebook
from kb.tag_ability import CLASS_LEVEL, COST, ability_lines, is_loyalty, keyword_kinds, open_text

_AS_SORCERY = re.compile(r"\b(?:only as a sorcery|only any time you could cast a sorcery)\b")
_UNCAST = frozenset({"Land", "Plane", "Phenomenon", "Scheme", "Vanguard", "Conspiracy", "Dungeon"})
_UNCAST_SUBTYPES = frozenset({"Attraction", "Contraption"})
_PARTS = (
    (r"untap steps?\b", "untap step", "untap step"),
    (r"upkeeps?\b", "upkeep step", "upkeep step"),
    (r"draw steps?\b", "draw step", "draw step"),
    (r"main phases?\b", "main phase", "main phase"),
    (r"beginning of (?:each )?combat\b", "beginning of combat step", "beginning of combat step"),
    (r"declare attackers steps?\b", "declare attackers step", "declare attackers step"),
    (r"declare blockers steps?\b", "declare blockers step", "declare blockers step"),
    (r"combat damage steps?\b", "combat damage step", "combat damage step"),
    (r"end of combat\b", "end of combat step", "end of combat step"),
    (r"end steps?\b", "end step", "end step"),
    (r"cleanup steps?\b", "cleanup step", "cleanup step"),
)
_BEFORE = r"(?<!before )(?<!after )(?<!before the )(?<!after the )(?<!before your )(?<!after your )"
_STEPS = tuple((re.compile(_BEFORE + r"\b" + cue), label, title) for cue, label, title in _PARTS)
_MOMENTS = (
    (re.compile(r"\bduring (?:your |each )?combat\b(?! damage)"), "combat phase", "combat phase"),
    (re.compile(r"\b(?<!or )before combat\b(?! damage)"), "before combat", "combat phase"),
    (re.compile(r"\bafter combat\b(?! damage)"), "after combat", "combat phase"),
    (re.compile(r"\bbefore attackers are declared\b"), "before attackers are declared", "declare attackers step"),
    (re.compile(r"\bbefore blockers are declared\b"), "before blockers are declared", "declare blockers step"),
    (re.compile(r"\bafter blockers are declared\b"), "after blockers are declared", "declare blockers step"),
    (re.compile(r"\bbefore the combat damage step\b"), "before the combat damage step", "combat damage step"),
)
_OF_A_STEP = re.compile(r"step|upkeep|phase|combat|declared")
_NOT_YOURS = re.compile(
    r"\b(?:during|on) (?:each |an |any |target |that |another )?(?:opponent|other player|player)s?['’]s? "
    r"(?:next )?turns?\b"
    r"|\b(?:it's|it is) not your turn\b|\bturns? other than yours\b|\bopponents' turns\b"
)
_YOURS = re.compile(r"\b(?:during|on) (?:each of )?your turns?\b|\b(?:it's|it is) your turn\b")


class Timing:
    """Finds what is known of the times of a face, by the rules of one edition."""

    def __init__(self, rulebook: Rulebook, keywords: Keywords) -> None:
        self._keywords = keywords
        self._sorcery_speed = {
            keyword.rule
            for keyword in keywords.values()
            if any(_AS_SORCERY.search(rulebook[below].text) for below in rulebook.children.get(keyword.rule, ()))
        }

    def found(self, face: Face, uses: tuple[KeywordUse, ...], *, castable: bool) -> Iterator[tuple[str, str, str]]:
        """What is said of the times of a face, with the title of the chapter that it follows from and the field.

        `castable` says whether the face can be cast as it is.
        """
        yield from self._cast(face, uses) if castable else ()
        yield from self._activated(face, uses)
        text = open_text(face.text)
        for cue, label, title in (*_STEPS, *_MOMENTS) if _OF_A_STEP.search(text) else ():
            if cue.search(text):
                yield label, title, "oracle_text"
        for cue, label in ((_YOURS, "your turn"), (_NOT_YOURS, "other players' turns")):
            if cue.search(text):
                yield label, "turn", "oracle_text"

    def _cast(self, face: Face, uses: tuple[KeywordUse, ...]) -> Iterator[tuple[str, str, str]]:
        types = set(face.supertypes_and_types)
        flash = any(use.keyword.casefold() == "flash" and use.origin == "printed" for use in uses)
        if not types or types & _UNCAST or _UNCAST_SUBTYPES & set(face.subtypes):
            return
        if "Instant" in types or flash:
            yield "cast at instant speed", "timing and priority", "oracle_text" if flash else "type_line"
        else:
            yield "cast at sorcery speed", "timing and priority", "type_line"

    def _activated(self, face: Face, uses: tuple[KeywordUse, ...]) -> Iterator[tuple[str, str, str]]:
        speeds = [self._speed_of(use) for use, kind in keyword_kinds(face, uses, self._keywords) if kind == "activated"]
        if CLASS_LEVEL.search(face.text):
            speeds.append("sorcery")
        for line in ability_lines(face, uses, self._keywords):
            if is_loyalty(line, face):
                speeds.append("sorcery")
            elif COST.match(line.text):
                speeds.append("sorcery" if _AS_SORCERY.search(line.text) else "instant")
        for speed in dict.fromkeys(speeds):
            yield f"activated at {speed} speed", "activating activated abilities", "oracle_text"

    def _speed_of(self, use: KeywordUse) -> str:
        """The speed of a keyword that is an activated ability: a sorcery's if its rule, or its family's, says so."""
        keyword = self._keywords.named(use.keyword)
        lineage = self._keywords.lineage(keyword) if keyword else ()
        return "sorcery" if any(above.rule in self._sorcery_speed for above in lineage) else "instant"
