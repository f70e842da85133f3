"""Knows what each word of a description asks: a colour, a type, a state, or what sort of thing it is."""

from __future__ import annotations

import re
from dataclasses import dataclass

from query.predicate.quality import COLORS, SUPERTYPES, TYPES, singular
from query.predicate.subtypes import SUBTYPES

Test = tuple[str, str, str | int]
"""`with` or `without`, an aspect, and its value."""

COLOR_WORDS = (*COLORS, "colorless", "monocolored", "multicolored")
COMBAT = ("attacking", "blocking", "blocked", "unblocked")
HEADS = ("permanent", "player", "opponent", "spell", "ability")
_STACK = ("activated", "triggered")


@dataclass(frozen=True, slots=True)
class Words:
    """A few words before one noun: `adjectives`, `nouns` (types and subtypes), and `head`, which says what sort of
    thing it is ("permanent", "player", "spell")."""

    adjectives: tuple[Test, ...] = ()
    nouns: tuple[Test, ...] = ()
    head: str = ""

    @property
    def bare(self) -> bool:
        """Whether the noun is lacking."""
        return not (self.nouns or self.head)


def plain(text: str) -> str:
    """The words in lower case, with one space between and plain apostrophes.

    >>> plain("Mono-Colored  creatures you don’t control.")
    "monocolored creatures you don't control"
    """
    said = " ".join(text.replace("’", "'").lower().split()).rstrip(".")
    said = re.sub(r"(?<!and)(?<=[a-z])/(?=[a-z])", " or ", said)
    return said.replace("mono-colored", "monocolored").replace("multi-colored", "multicolored")


def words_of(text: str) -> Words | None:
    """What a few words ask for; None if one of them is not known.

    >>> words_of("nonblack artifact creatures").nouns
    (('with', 'type', 'artifact'), ('with', 'type', 'creature'))
    >>> words_of("nice creature") is None
    True
    """
    adjectives: list[Test] = []
    nouns: list[Test] = []
    head = ""
    for word in text.replace("time lord", "time-lord").split():
        if one := _adjective(word):
            adjectives.append(one)
        elif noun := _noun(word):
            nouns.append(("with", *noun))
        elif singular(word, HEADS) in HEADS and not head:
            head = singular(word, HEADS)
        elif word in ("token", "tokens"):
            adjectives.append(("with", "state", "token"))
            head = head or "permanent"
        else:
            return None
    return Words(tuple(adjectives), tuple(nouns), head)


def _adjective(word: str) -> Test | None:
    sense, rest = ("without", word[3:].lstrip("-")) if word.startswith("non") else ("with", word)
    if word == "untapped":
        return "without", "state", "tapped"
    if word in _STACK:
        return "with", "kind", f"{word} ability"
    if rest in COLOR_WORDS:
        return sense, "color", rest
    if rest in SUPERTYPES:
        return sense, "supertype", rest
    if rest == "tapped" or (sense, rest) == ("without", "token"):
        return sense, "state", rest
    if rest in COMBAT:
        return sense, "combat", rest
    found = _noun(rest) if sense == "without" else None
    return (sense, *found) if found else None


def _noun(word: str) -> tuple[str, str] | None:
    if singular(word, TYPES) in TYPES:
        return "type", singular(word, TYPES)
    word = word.replace("-", " ") if word.startswith("time-lord") else word
    if singular(word, SUBTYPES) in SUBTYPES:
        return "subtype", singular(word, SUBTYPES)
    return None
