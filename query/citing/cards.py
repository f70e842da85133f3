"""Knows how cards are found by name in a text, and what of a card can lead to a rule."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

_LONGEST_NAME = 9
_START = re.compile(r"(?<![\w'’-])[A-Z0-9+_\"“]")
_END = re.compile(r"(?=[\s.,:;!?)\"”]|['’]s\b|['’](?!\w)|$)")


@dataclass(frozen=True, slots=True)
class CardFacts:
    """What a card says of itself: type line, keywords as its source lists them, text of all faces."""

    name: str
    type_line: str = ""
    keywords: tuple[str, ...] = ()
    text: str = ""


class Cards(Protocol):
    """Whoever knows cards by name."""

    def find(self, names: Collection[str]) -> dict[str, CardFacts]:
        """The cards among `names`, by the name they were asked for."""
        ...


class NoCards:
    """Knows no card: what stands in where none were built."""

    def find(self, names: Collection[str]) -> dict[str, CardFacts]:
        """Nothing."""
        return {}


class CardsInMemory:
    """Cards held in memory, found by full name, by the name of a face, and by a legend's name before its comma."""

    def __init__(self, cards: Iterable[CardFacts]) -> None:
        self._cards: dict[str, CardFacts] = {}
        for card in cards:
            for name in (card.name, *card.name.split(" // ")):
                self._cards[name] = card
        for name in list(self._cards):
            if ", " in name:
                self._cards.setdefault(name.partition(", ")[0], self._cards[name])

    def find(self, names: Collection[str]) -> dict[str, CardFacts]:
        """The cards among `names`."""
        return {name: self._cards[name] for name in names if name in self._cards}


@dataclass(frozen=True, slots=True)
class NamedCard:
    """A card's name in a text, at `start` to `end`; `facts` is None for a name given from outside that is not known."""

    name: str
    start: int
    end: int
    facts: CardFacts | None = None


def named_cards(text: str, given: Collection[str], cards: Cards, plain_words: Collection[str]) -> list[NamedCard]:
    """Where a text names cards: those `given` with it, and others by names of several words or of a word that is no
    other (`plain_words`, in lower case, are words that a text may use in capitals at a sentence's start).
    """
    spans = {(start, start + len(name)): name for name in _short_forms(given) for start in _occurrences(text, name)}
    known = cards.find({*given, *spans.values()})
    asked = dict(_candidates(text, plain_words))
    known |= cards.find(set(asked.values()))
    spans |= {span: name for span, name in asked.items() if name in known and span not in spans}
    found: list[NamedCard] = []
    for (start, end), name in sorted(spans.items(), key=lambda item: (item[0][0], -item[0][1])):
        if not found or start >= found[-1].end:
            found.append(NamedCard(name, start, end, known.get(name) or _given(name, given, known)))
    return found


def _given(short: str, given: Collection[str], known: dict[str, CardFacts]) -> CardFacts | None:
    return next((known[name] for name in given if name.startswith(short) and name in known), None)


def _short_forms(given: Collection[str]) -> list[str]:
    """Full names, names of faces, and names before a comma, the longest first."""
    parts = [part for name in given for part in (name, *name.split(" // "))]
    forms = [form for part in parts for form in (part, part.partition(", ")[0]) if len(form) > 2]
    return sorted(dict.fromkeys(forms), key=len, reverse=True)


def _occurrences(text: str, name: str) -> Iterator[int]:
    return (match.start() for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text))


def _candidates(text: str, plain_words: Collection[str]) -> Iterator[tuple[tuple[int, int], str]]:
    """Spans that begin with a capital and could be a card's name."""
    for opening in _START.finditer(text):
        start = opening.start()
        ends = [match.start() for match in _END.finditer(text, start + 1, min(len(text), start + 80))][:_LONGEST_NAME]
        for end in ends:
            name = text[start:end]
            if " " in name or (start and text[start - 2 : start - 1] not in ".?!:" and name.lower() not in plain_words):
                yield (start, end), name
