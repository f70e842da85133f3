"""Knows how one thing of a named graph is read from a store: what it says by predicate, and what points at it."""

from __future__ import annotations

from collections.abc import Iterator

from pyoxigraph import Literal, NamedNode

from kb.store import GraphStore
from kb.vocabulary import Names

Said = dict[NamedNode, list[str]]


class Nodes:
    """The named graphs of cards and rulings in one store."""

    def __init__(self, store: GraphStore, names: Names) -> None:
        self.store, self.names = store, names
        self._graphs: dict[str, NamedNode] = {}

    def graph(self, name: str) -> NamedNode:
        """A named graph of `kb.vocabulary.COLLECTIONS`."""
        if name not in self._graphs:
            self._graphs[name] = self.names.collection(name)
        return self._graphs[name]

    def said(self, node: NamedNode, graph: str) -> Said:
        """What a named graph says of a node, by predicate; IRIs as their text."""
        found: Said = {}
        for quad in self.store.quads(node, None, None, self.graph(graph)):
            if isinstance(quad.object, NamedNode | Literal):
                found.setdefault(quad.predicate, []).append(quad.object.value)
        return found

    def pointing(self, predicate: NamedNode, target: NamedNode | Literal, graph: str) -> Iterator[NamedNode]:
        """The nodes that say `target` by a predicate."""
        for quad in self.store.quads(None, predicate, target, self.graph(graph)):
            if isinstance(quad.subject, NamedNode):
                yield quad.subject


def first(said: Said, predicate: NamedNode) -> str | None:
    """The first value of a predicate, or None."""
    found = said.get(predicate)
    return found[0] if found else None
