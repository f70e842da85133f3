"""Knows an edition's triples by heart, for a server that shows its pages again and again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike
from typing import BinaryIO

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Triple

from kb.store.errors import ReadOnlyStore
from kb.store.graph_store import GraphStore
from kb.store.results import Answer, Term

_Node = NamedNode | BlankNode | Triple


class ReadAhead(GraphStore):
    """A store, with one of its graphs read whole into memory: patterns over that graph are answered from there.

    A look-up on disk takes 50 times as long as one here, a look-up at a remote engine 1,000 times. Everything else
    goes to the store, which must stay open and must not change.
    """

    def __init__(self, store: GraphStore, graph: NamedNode) -> None:
        self._store, self._graph = store, graph
        self.location, self.default_graphs = store.location, store.default_graphs
        self._of: dict[_Node, list[tuple[NamedNode, Term]]] = {}
        self._saying: dict[NamedNode, list[tuple[_Node, Term]]] = {}
        self._about: dict[tuple[NamedNode, NamedNode], list[_Node]] = {}
        nodes: dict[_Node, _Node] = {}  # a term stands in many triples: one of each is kept
        predicates: dict[NamedNode, NamedNode] = {}
        values: dict[Term, Term] = {}
        for quad in store.quads(graph=graph):
            subject = nodes.setdefault(quad.subject, quad.subject)
            predicate = predicates.setdefault(quad.predicate, quad.predicate)
            object = values.setdefault(quad.object, quad.object)
            self._of.setdefault(subject, []).append((predicate, object))
            self._saying.setdefault(predicate, []).append((subject, object))
            if isinstance(object, NamedNode):
                self._about.setdefault((predicate, object), []).append(subject)

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
        return (Quad(*triple, self._graph) for triple in self._triples(subject, predicate, object))

    def _triples(
        self, subject: _Node | None, predicate: NamedNode | None, object: Term | None
    ) -> Iterator[tuple[_Node, NamedNode, Term]]:
        if subject is not None:
            for said, value in self._of.get(subject, ()):
                if predicate in (None, said) and object in (None, value):
                    yield subject, said, value
        elif predicate is not None and isinstance(object, NamedNode):
            for about in self._about.get((predicate, object), ()):
                yield about, predicate, object
        elif predicate is not None:
            for about, value in self._saying.get(predicate, ()):
                if object in (None, value):
                    yield about, predicate, value

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
