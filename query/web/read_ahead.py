"""Knows an edition's triples by heart, for a server that shows its pages again and again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike
from typing import BinaryIO

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Triple

from kb.store.errors import ReadOnlyStore
from kb.store.graph_store import GraphStore
from kb.store.results import Answer, Term


class ReadAhead(GraphStore):
    """A store, with one of its graphs read whole into memory: patterns over that graph are answered from there.

    A look-up on disk takes 50 times as long as one here, a look-up at a remote engine 1,000 times. Everything else
    goes to the store, which must stay open and must not change.
    """

    def __init__(self, store: GraphStore, graph: NamedNode) -> None:
        self._store, self._graph = store, graph
        self.location, self.default_graphs = store.location, store.default_graphs
        self._of: dict[NamedNode | BlankNode | Triple, list[Quad]] = {}
        self._saying: dict[NamedNode, list[Quad]] = {}
        self._about: dict[tuple[NamedNode, NamedNode], list[Quad]] = {}
        for quad in store.quads(graph=graph):
            self._of.setdefault(quad.subject, []).append(quad)
            self._saying.setdefault(quad.predicate, []).append(quad)
            if isinstance(quad.object, NamedNode):
                self._about.setdefault((quad.predicate, quad.object), []).append(quad)

    @property
    def full_location(self) -> str:
        """As `GraphStore.full_location`."""
        return self._store.full_location

    def quads(
        self,
        subject: NamedNode | BlankNode | None = None,
        predicate: NamedNode | None = None,
        object: Term | None = None,
        graph: NamedNode | None = None,
    ) -> Iterator[Quad]:
        """As `GraphStore.quads`."""
        if graph != self._graph or (subject is None and (predicate is None or isinstance(object, Literal))):
            return self._store.quads(subject, predicate, object, graph)
        if subject is not None:
            found = self._of.get(subject, [])
        elif predicate is not None and isinstance(object, NamedNode):
            return iter(self._about.get((predicate, object), []))
        else:
            found = self._saying.get(predicate, []) if predicate is not None else []
        return (quad for quad in found if predicate in (None, quad.predicate) and object in (None, quad.object))

    def _answer(
        self,
        sparql: str,
        default_graphs: tuple[NamedNode, ...] | None,
        named_graphs: tuple[NamedNode, ...] | None,
        *,
        union: bool,
        limit: int | None = None,
    ) -> Answer:
        return self._store._answer(sparql, default_graphs, named_graphs, union=union, limit=limit)

    def load(self, nquads: str | PathLike[str] | bytes | BinaryIO) -> None:
        """Raises `ReadOnlyStore`."""
        raise ReadOnlyStore(self.location)

    def replace_graph(self, graph: NamedNode, triples: Iterable[Triple]) -> None:
        """Raises `ReadOnlyStore`."""
        raise ReadOnlyStore(self.location)

    def remove_graph(self, graph: NamedNode) -> None:
        """Raises `ReadOnlyStore`."""
        raise ReadOnlyStore(self.location)

    def graphs(self) -> tuple[NamedNode, ...]:
        """As `GraphStore.graphs`."""
        return self._store.graphs()

    def __len__(self) -> int:
        return len(self._store)

    def close(self) -> None:
        """Leaves the store open: it belongs to whoever opened it."""
