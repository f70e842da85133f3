"""Knows what a reader who has begun to type may mean: numbers, titles and terms that go on like that."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Self

from kb.number import RuleNumber
from kb.rulebook import plain
from query.lookup import Lookup
from query.web.addresses import card_page, document


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Something that can be looked up: what it is called, its number or kind, and the address of its page."""

    label: str
    note: str
    address: str


class Suggestions:
    """Everything of an edition that has a name, sorted by it."""

    def __init__(self, named: Iterable[tuple[str, Suggestion]]) -> None:
        self._named = sorted(named, key=lambda pair: pair[0])
        self._names = [name for name, _ in self._named]

    @classmethod
    def of(cls, lookup: Lookup, cards: Iterable[str] = ()) -> Self:
        """The suggestions of an edition, with the names of `cards`."""
        return cls([*_named(lookup), *((plain(name), Suggestion(name, "card", card_page(name))) for name in cards)])

    def beginning(self, typed: str, count: int = 8) -> tuple[Suggestion, ...]:
        """At most `count` things that begin as `typed` does, those with a word that does after them.

        A number comes with what is below it, in the order of the book.
        """
        wanted = _plain(typed)
        if not wanted:
            return ()
        found = dict.fromkeys(islice(self._with_prefix(wanted), 60))
        if not wanted[0].isdigit():
            inside = (self._named[at][1] for at, name in enumerate(self._names) if f" {wanted}" in name)
            found.update(dict.fromkeys(islice(inside, count)))
        return tuple(islice(found, count))

    def _with_prefix(self, wanted: str) -> Iterator[Suggestion]:
        for at in range(bisect_left(self._names, wanted), len(self._names)):
            if not self._names[at].startswith(wanted):
                return
            yield self._named[at][1]


def _plain(typed: str) -> str:
    """What was typed as names are kept; a number as the book prints it."""
    number = RuleNumber.recognise(typed)
    return str(number) if number is not None else typed if typed[:1].isdigit() else plain(typed)


def _named(lookup: Lookup) -> Iterator[tuple[str, Suggestion]]:
    numbers = set()
    for title, keys in lookup.titled.items():
        for key in keys:
            named = lookup.named(key)
            note = key if key[0].isdigit() else "glossary"
            suggestion = Suggestion(named.title or key, note, document(key))
            if key[0].isdigit():
                numbers.add(key)
                yield key, suggestion
            yield title, suggestion
    for key in lookup.keys:
        if not key[0].isdigit() or key in numbers:
            continue
        yield key, Suggestion(key, "rule", document(key))
