"""Knows what is read in a text before any rule is ranked: its words, sentences, numbers, keywords, terms and cards."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property

from kb.number import RuleNumber
from kb.reference import references
from kb.words import VARIANT, Word, sentences, stem, words
from query.citing.book import Book
from query.citing.cards import Cards, NamedCard, NoCards, named_cards
from query.citing.names import FoundName, found_names, longest_name

_NUMBER = re.compile(r"(?<![\w.$€£])[1-9]\d\d\.\d{1,3}[a-z]{0,2}(?![\w])")
_END = r"[1-9]\d\d\.\d{1,3}[a-z]{0,2}|\d{1,3}[a-z]?|[a-z]{1,2}"
_RANGE = re.compile(rf"{_NUMBER.pattern}\s?[-–—]\s?(?:{_END})(?!\w|\.\d)")
_ASKING = frozenset(
    map(
        stem,
        [
            "explain",
            "work",
            "works",
            "mean",
            "means",
            "define",
            "definition",
            "rule",
            "rules",
            "ability",
            "card",
            "about",
        ],
    )
)
"""What a question for a definition says besides the name."""


Renumbered = Callable[[str], str | None]
"""What a rule is called in the edition that is asked, by what it is called in the text."""


@dataclass(frozen=True, slots=True)
class FoundNumber:
    """A rule number that the text prints, and the place of that rule."""

    place: int
    start: int
    end: int


class Reading:
    """What a text, and an answer to it if there is one, say that can lead to a rule.

    `text` holds both, the answer after one space; every span counts in it. `given` are names of cards that are known
    to be meant. `renumbered` tells what the book calls a rule that the text prints by the number of another edition.
    """

    def __init__(
        self,
        text: str,
        book: Book,
        given: Collection[str] = (),
        cards: Cards | None = None,
        answer: str = "",
        renumbered: Renumbered | None = None,
    ) -> None:
        self.text = f"{text} {answer}" if answer else text
        self.book, self._asked = book, len(text)
        self._given, self._cards, self._renumbered = given, cards or NoCards(), renumbered or _as_printed

    @cached_property
    def cards(self) -> list[NamedCard]:
        """The cards that the text names."""
        return named_cards(self.text, self._given, self._cards, _PlainWords(self.book))

    @cached_property
    def words(self) -> list[Word]:
        """The words of the text without the names of cards and numbers of rules, which are no words of a rule."""
        spans = [(card.start, card.end) for card in self.cards]
        spans += [match.span() for pattern in (_NUMBER, _RANGE) for match in pattern.finditer(self.text)]
        return [word for word in words(self.text) if not any(start <= word.start < end for start, end in spans)]

    @cached_property
    def sentences(self) -> list[list[Word]]:
        """The words by sentence."""
        spans = sentences(self.text)
        return [[word for word in self.words if start <= word.start < end] for start, end in spans]

    @cached_property
    def numbers(self) -> list[FoundNumber]:
        """The rules whose numbers the text prints, ranges expanded, as far as the edition has them."""
        ranges = {match.start(): match for match in _RANGE.finditer(self.text)}
        found = []
        for match in _NUMBER.finditer(self.text):
            place = self._place(match[0])
            if place is None:
                continue
            range = ranges.get(match.start())
            end = range.end() if range else match.end()
            found += [FoundNumber(each, match.start(), end) for each in self._up_to(place, range)]
        return found

    def _place(self, printed: str) -> int | None:
        number = RuleNumber.recognise(printed)
        key = self._renumbered(str(number)) if number else None
        return self.book.places.get(key) if key else None

    def _up_to(self, first: int, range: re.Match[str] | None) -> list[int]:
        """The places from the first to the end of a range under one rule; the first alone where it is none."""
        if range is None:
            return [first]
        written = next(references(f"rules {range[0]}"), None)
        last = self._place(str(written.last)) if written is not None and written.last is not None else None
        parent = self.book.parents[first]
        if last is None or last < first or self.book.parents[last] != parent:
            return [first]
        return [place for place, above in enumerate(self.book.parents[first : last + 1], first) if above == parent]

    @cached_property
    def keywords(self) -> list[FoundName]:
        """The keyword actions and abilities that the text names."""
        keywords = self.book.keywords
        return list(found_names(self.words, keywords, longest_name(keywords)))

    @cached_property
    def terms(self) -> list[FoundName]:
        """The glossary terms that the text uses and that lead to a rule."""
        return list(found_names(self.words, self.book.terms, longest_name(self.book.terms)))

    @cached_property
    def asks_for_one_name(self) -> bool:
        """Whether the text before the answer asks what a keyword or term is, and for nothing else."""
        spans = [(found.start, found.end) for found in (*self.keywords, *self.terms)]
        asked = [word for word in self.words if word.start < self._asked and word.stem not in _ASKING]
        named = [word for word in asked if any(start <= word.start < end for start, end in spans)]
        return 0 < len(asked) == len(named)

    def is_asked(self, found: FoundName) -> bool:
        """Whether a name stands in the text itself, not in the answer."""
        return found.start < self._asked

    @property
    def of_a_variant(self) -> bool:
        """Whether the text speaks of a game with teams, more than two players or casual rules."""
        return VARIANT.search(self.text) is not None


def _as_printed(key: str) -> str:
    return key


class _PlainWords(Collection[str]):
    """The words of the rules, as a collection of lower-case words that are no card's name by themselves."""

    def __init__(self, book: Book) -> None:
        self._stems = book.fields["words"].rarity

    def __contains__(self, word: object) -> bool:
        return any(found.stem in self._stems for found in words(str(word)))

    def __iter__(self) -> object:  # type: ignore[override]
        return iter(self._stems)

    def __len__(self) -> int:
        return len(self._stems)
