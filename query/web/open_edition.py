"""Knows an edition as a server has it open: its knowledge base, the order of its pages, what can be suggested."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from functools import cached_property
from itertools import pairwise

from pyoxigraph import Literal

from kb.index import NoIndex
from kb.number import RuleNumber
from kb.vocabulary import RDF, SR
from query.errors import UnknownEntry, did_you_mean
from query.knowledge_base import KnowledgeBase
from query.open_index import open_index
from query.web.former import elsewhere
from query.web.read_ahead import ReadAhead
from query.web.suggest import Suggestions

_PART = re.compile(r"(.+)/(example|reference|paragraph)/(\d+)")


class OpenEdition:
    """One edition; everything is made once, when it is first asked for.

    `base` is read ahead into memory when there was time for it; `on_disk` has what the store has beside the graph.
    """

    def __init__(self, base: KnowledgeBase) -> None:
        self.base = self.on_disk = base

    @property
    def date(self) -> str:
        """The edition's name: its date as YYYY-MM-DD."""
        return self.base.edition

    @cached_property
    def suggestions(self) -> Suggestions:
        """What can be suggested while a reader types; with many cards it takes a while to read."""
        return Suggestions.of(self.base.lookup, card_names(self.on_disk))

    @property
    def is_known(self) -> bool:
        """Whether its entries are known already, so that `find` need not read them first."""
        return "keys" in self.__dict__

    @cached_property
    def keys(self) -> frozenset[str]:
        """Every entry of the edition."""
        return frozenset(self.base.lookup.keys)

    @cached_property
    def references(self) -> tuple[tuple[str, str], ...]:
        """Every reference of the rules as source and target."""
        return self.base.references()

    @cached_property
    def _turning(self) -> tuple[dict[str, str], dict[str, str]]:
        """For each entry the one before and the one after it, of its own kind, as one turns the pages."""
        by_level: dict[str, list[str]] = {}
        for key in self.base.lookup.keys:
            by_level.setdefault(level(key), []).append(key)
        pairs = [pair for keys in by_level.values() for pair in pairwise(keys)]
        return {after: before for before, after in pairs}, dict(pairs)

    def before(self, key: str) -> str | None:
        """The entry before `key`, of its kind."""
        return self._turning[0].get(key)

    def after(self, key: str) -> str | None:
        """The entry after `key`, of its kind."""
        return self._turning[1].get(key)

    def find(self, asked: str) -> tuple[str, str]:
        """The key that the end of an address means, and the place on its page (empty for the whole).

        Raises `UnknownEntry` and `AmbiguousName`.
        """
        if asked in self.keys:
            return asked, ""
        if part := _PART.fullmatch(asked):
            key, kind, position = part.groups()
            return self.find(key)[0], f"{kind}-{position}"
        if asked.startswith("term/"):
            raise elsewhere(self.base, asked, self._no_such_term(asked))
        try:
            return self.base.lookup.find(asked)[0], ""
        except UnknownEntry as unknown:
            raise elsewhere(self.base, asked, unknown) from None

    def _no_such_term(self, asked: str) -> UnknownEntry:
        from difflib import get_close_matches

        close = get_close_matches(asked, [key for key in self.keys if key.startswith("term/")], 3, 0.7)
        named = [self.base.lookup.named(key).title or key for key in close]
        return UnknownEntry(f"the glossary of {self.date} has no entry at {asked!r}.{did_you_mean(named)}", close)

    def read_ahead(self) -> None:
        """Reads the edition into memory, and makes everything that its pages need."""
        base = KnowledgeBase(ReadAhead(self.base.store, self.base.names.graph(self.date)), self.date)
        base.lookup.titled  # noqa: B018
        self.base = base
        self.keys  # noqa: B018
        self._turning  # noqa: B018
        self.suggestions = Suggestions.of(base.lookup, card_names(self.on_disk))


def card_names(base: KnowledgeBase) -> Iterable[str]:
    """The full name of every card in the store; from the index where there is one, which is read in a moment."""
    with suppress(NoIndex), closing(open_index(base.store, derive=False)) as index:
        return index.card_names()
    return _card_names_in(base)


def _card_names_in(base: KnowledgeBase) -> Iterator[str]:
    graph = base.names.collection("cards")
    cards = {quad.subject for quad in base.store.quads(None, RDF.type, SR.Card, graph)}
    for quad in base.store.quads(None, SR.name, None, graph):
        if quad.subject in cards and isinstance(quad.object, Literal):
            yield quad.object.value


def level(key: str) -> str:
    """What kind of entry a key names.

    >>> level("702"), level("702.19b"), level("term/flying")
    ('chapter', 'subrule', 'glossary')
    """
    return RuleNumber.parse(key.partition("~")[0]).level if key[0].isdigit() else "glossary"
