"""Knows how the game describes objects and players, as "nonblack creature an opponent controls": any of several kinds,
each a list of what it must be and must not be."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from query.predicate.described_ending import ENDINGS, NOBODY, Speaker
from query.predicate.described_word import Test, Words, plain, words_of
from query.predicate.syntax import Fact

Option = tuple[Test, ...]
"""What something must be and not be, all of it, to be of one kind."""

_PERMANENT: Test = ("with", "kind", "permanent")
_PLAYER: Test = ("with", "kind", "player")
_CARD: Option = (("with", "kind", "card"),)
"""A card in a zone that a board has no objects of (rule 109.2a): nothing on the board fits."""

ANY_TARGET: tuple[Option, ...] = (
    *((("with", "type", word), _PERMANENT) for word in ("creature", "planeswalker", "battle")),
    (_PLAYER,),
)
"""What "any target" may be (rule 115.4)."""

_AND = r",? (?:and/or|or|and) |, "
_OF_CREATURES = ("power", "toughness", "keyword")


@dataclass(frozen=True, slots=True)
class Description:
    """A description by its words; what is of any of its kinds fits."""

    words: str
    options: tuple[Option, ...]

    @property
    def facts(self) -> list[Fact]:
        """The facts that state it."""
        found: list[Fact] = []
        for number, option in enumerate(self.options, 1):
            found.append(("description", (self.words, number)))
            for sense, aspect, value in option:
                if isinstance(value, int):
                    found.append(("description_bounds", (self.words, number, aspect, value)))
                else:
                    found.append(("description_wants", (self.words, number, sense, aspect, value)))
        return found

    @property
    def aspects(self) -> frozenset[str]:
        """Everything that it asks about."""
        return frozenset(test[1] for option in self.options for test in option)


def describe(text: str, by: Speaker = NOBODY) -> Description | None:
    """What a description means; None if a word of it is not understood, or it may be read in two ways.

    The word "target" and a number before it are read over (rule 115.1); without "spell" or the like an object is a
    permanent (rule 109.2).

    >>> describe("target nonblack creatures").options
    ((('without', 'color', 'black'), ('with', 'type', 'creature'), ('with', 'kind', 'permanent')),)
    >>> describe("red or green creature").options == describe("red creature or green creature").options
    True
    >>> describe("creatures with a good heart") is None
    True
    """
    words = plain(text)
    said = re.sub(r"\btargets? ?\b", "", words).strip()
    said = re.sub(r"^(?:up to \w+|any number of|\w+ or more|one|two|three|four|five|each of)(?: |$)", "", said)
    said = re.sub(r"^(?:a|an|any|all|each)(?: |$)", "", said)
    said, others = re.subn(r"^(?:another|other)(?: |$)", "", said)
    if (card := re.match(r"(.*?) ?\bcards?\b", said)) and (not card[1] or _nouns(card[1], by)):
        return Description(words, (_CARD,))
    options = _ended(said, by) if said else list(ANY_TARGET) if "target" in words else None
    if not options or (others and not by.source):
        return None
    if others:
        options = [option if _PLAYER in option else (*option, ("without", "object", by.source)) for option in options]
    return Description(_named(words, by), tuple(dict.fromkeys(options)))


def _named(words: str, by: Speaker) -> str:
    """The words, with the player and the object they are said of where they depend on them."""
    said = f" {words} "
    mine = by.player if any(f" {word} " in said for word in ("you", "your", "opponent", "opponents")) else ""
    other = by.source if any(f" {word} " in said for word in ("another", "other")) else ""
    about = ", ".join(name for name in (mine and f"you: {mine}", other and f"not {other}") if name)
    return f"{words} ({about})" if about else words


def _ended(said: str, by: Speaker) -> list[Option] | None:
    """A description with what comes after its nouns: who controls it, its power, its keywords."""
    for pattern, read in ENDINGS:
        if found := pattern.fullmatch(said):
            before, tests = _ended(found["before"], by), read(found, by)
            return _narrowed(before, tests) if before and tests else None
    return _nouns(said, by)


def _narrowed(before: Sequence[Option], tests: Sequence[Option]) -> list[Option] | None:
    """The tests on each kind that they can be on: what only creatures have belongs to creatures, control and mana
    value to every object. None where it is not clear to which they belong."""
    of_creatures = any(test[1].split(" ")[0] in _OF_CREATURES for option in tests for test in option)
    creatures = [("with", "type", "creature") in option for option in before]
    if of_creatures and len(before) > 1 and not creatures[-1]:
        return None
    found: list[Option] = []
    for option, creature in zip(before, creatures, strict=True):
        fits = _PLAYER not in option and (creature or not of_creatures or len(before) == 1)
        found.extend([(*option, *more) for more in tests] if fits else [option])
    return found


def _nouns(said: str, by: Speaker) -> list[Option] | None:
    """Nouns with what stands before them: "attacking or blocking creature", "artifact, creature, or land"."""
    joined = " or " in said or " and " in said or "and/or" in said
    parts = re.split(_AND, said) if joined else [said.replace(",", "")]
    found = [words_of(part) for part in parts if part]
    read = [one for one in found if one is not None]
    if not read or len(read) < len(found):
        return None
    spread = _spread(read)
    placed = [_placed(one, by) for one in spread or ()]
    return [one for one in placed if one] if spread and all(placed) else None


def _spread(parts: list[Words]) -> list[Words] | None:
    """Each kind with the noun it borrows from the last: "red or green creature", "instant or sorcery spell". None
    where a word before one noun may be meant of the next as well, as in "tapped artifact or creature"."""
    *before, last = parts
    if last.bare:
        return None
    if before and all(part.bare for part in before):
        shared = before[0].adjectives[:-1]
        own = [before[0].adjectives[-1:], *(part.adjectives for part in (*before[1:], last))]
        clear = all(len(one) == 1 for one in own)
        return [Words((*shared, *one), last.nouns, last.head) for one in own] if clear else None
    if any(part.bare for part in before):
        return None
    if last.head in ("spell", "ability") and last.nouns and not any(part.head for part in before):
        return [Words(part.adjectives, part.nouns, last.head) for part in parts]
    clear = not parts[0].adjectives or all(part.adjectives or part.head for part in parts[1:])
    return parts if clear else None


def _placed(one: Words, by: Speaker) -> Option | None:
    if one.head == "opponent":
        return (*one.adjectives, ("with", "opponent", by.player), _PLAYER) if by.player else None
    if one.head == "player" and (one.adjectives or one.nouns):
        return None
    return (*one.adjectives, *one.nouns, ("with", "kind", one.head or "permanent"))


def all_of(descriptions: Collection[Description]) -> list[Fact]:
    """The facts of several descriptions."""
    return [fact for one in descriptions for fact in one.facts]
