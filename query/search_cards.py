"""Knows how a card is found for a search: by its name as people type it, what the index holds of it."""

from __future__ import annotations

from collections.abc import Iterator

from pyoxigraph import Literal, NamedNode

from kb.card_graph import search_key
from kb.index import Index, IndexedCard
from kb.vocabulary import SR
from query.lookup import Lookup


class SearchedCards:
    """The cards of an index, found by the names in the store."""

    def __init__(self, index: Index, lookup: Lookup) -> None:
        self._index, self._lookup = index, lookup
        self._graph = lookup.names.collection("cards")

    def called(self, name: str) -> tuple[IndexedCard, ...]:
        """The cards of that name, whole or of one face, in any case, accents and punctuation; none if it is no name."""
        key = search_key(name)
        found = self._lookup.store.quads(None, SR.nameKey, Literal(key), self._graph) if key else ()
        nodes = [quad.subject for quad in found if isinstance(quad.subject, NamedNode)]
        return self._indexed(nodes)

    def named(self, name: str) -> IndexedCard:
        """The one card of that name; raises `UnknownCard` with what was perhaps meant, `AmbiguousCard`, `NoCards`."""
        from query.cards import CardLookup

        return self._indexed([CardLookup(self._lookup).find(name)])[0]

    def _indexed(self, nodes: list[NamedNode]) -> tuple[IndexedCard, ...]:
        names = [name for node in nodes for name in self._names(node)]
        return tuple({card.name: card for card in self._index.cards(names).values()}.values())

    def _names(self, card: NamedNode) -> Iterator[str]:
        for quad in self._lookup.store.quads(card, SR.name, None, self._graph):
            if isinstance(quad.object, Literal):
                yield quad.object.value
