"""Knows which types, supertypes and subtypes an edition lists, and by which rule each is one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from kb.card import Face
from kb.number import RuleNumber
from kb.rulebook import Rulebook

_SUBTYPES = re.compile(r"called (?:an? )?(?P<kind>[a-z]+(?: [a-z]+)?) types?\b")
_LISTS = re.compile(r"(?:\btypes? (?:are|is)(?: \w+ words? long)?:?|\blong:) ([^.]+)\.")
_SUPERTYPES = re.compile(r"\bThe supertypes are ([^.]+)\.")
_BASIC = re.compile(r"\bThe basic land types are ([^.]+?)\.")
_SEE = re.compile(r" \([^)]*\)")


@dataclass(frozen=True, slots=True)
class Subtype:
    """A subtype as an edition lists it: of creatures, lands, ..., by which rule."""

    kind: str
    rule: RuleNumber


class Types:
    """The types of one edition, read from its lists and its chapters' titles."""

    def __init__(self, rulebook: Rulebook) -> None:
        self._rulebook = rulebook
        self._chapters = {
            title.casefold(): number for number, title in rulebook.titles.items() if number.level == "chapter"
        }

    @cached_property
    def subtypes(self) -> dict[str, tuple[Subtype, ...]]:
        """Every subtype in lower case; one name may be of several kinds."""
        found: dict[str, tuple[Subtype, ...]] = {}
        for rule in self._rulebook.rules:
            called = _SUBTYPES.search(rule.text)
            for listed in _LISTS.findall(_SEE.sub("", rule.text)) if called else ():
                for name in _names(listed):
                    known = found.get(_plain(name), ())
                    found[_plain(name)] = (*known, Subtype(called["kind"] if called else "", rule.number))
        return found

    @cached_property
    def basic(self) -> tuple[frozenset[str], RuleNumber | None]:
        """The basic land types in lower case, and the rule that gives a land of one of them its mana ability."""
        for rule in self._rulebook.rules:
            listed = _BASIC.search(rule.text)
            if listed is not None and "intrinsic" in rule.text:
                return frozenset(map(_plain, _names(listed[1]))), rule.number
        return frozenset(), None

    @cached_property
    def _supertypes(self) -> tuple[frozenset[str], RuleNumber | None]:
        for rule in self._rulebook.rules:
            listed = _SUPERTYPES.search(rule.text)
            if listed is not None:
                return frozenset(map(_plain, _names(listed[1]))), rule.number.parent or rule.number
        return frozenset(), None

    def of_word(self, word: str) -> RuleNumber | None:
        """The rule of a type or supertype: the chapter whose title is its plural, the rule that lists supertypes."""
        said = word.casefold()
        for plural in (f"{said}s", f"{said}es", f"{said[:-1]}ies", f"{said[:-2]}a", said):
            if plural in self._chapters:
                return self._chapters[plural]
        listed, rule = self._supertypes
        return rule if said in listed else None

    def on(self, face: Face) -> Iterator[tuple[str, Subtype | None]]:
        """The subtypes on a face, each as the edition lists it for the face's types, or None where it does not."""
        words = list(face.subtypes)
        types = {word.casefold() for word in face.supertypes_and_types}
        while words:
            length = next((n for n in (3, 2) if _plain(" ".join(words[:n])) in self.subtypes and len(words) >= n), 1)
            name = " ".join(words[:length])
            del words[:length]
            kinds = self.subtypes.get(_plain(name), ())
            fitting = [subtype for subtype in kinds if _fits(subtype.kind, types)]
            yield name, next(iter(fitting), None)


def _fits(kind: str, types: set[str]) -> bool:
    """Whether a kind of subtype goes with the types of a face: creature types with kindreds too, spell types with
    instants and sorceries.
    """
    others = {"creature": {"kindred", "tribal"}, "spell": {"instant", "sorcery"}, "planar": {"plane"}}
    return kind in types or bool(others.get(kind, set()) & types)


def _names(listed: str) -> list[str]:
    return [name.strip() for name in re.split(r",\s+(?:and\s+)?|\s+and\s+", listed) if name.strip()]


def _plain(name: str) -> str:
    return name.replace("’", "'").casefold()
