"""Knows how values become quads of one named graph and how a graph's quads are read back node by node."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pyoxigraph import Literal, NamedNode, Quad

from kb.vocabulary import RDF

Value = NamedNode | Literal | str | int | None


class Writer:
    """Makes the quads of one named graph; text becomes a string, a whole number an integer, and None nothing.

    >>> writer = Writer(NamedNode("https://g.example/"))
    >>> [quad.object.value for quad in writer.of(RDF.type, (RDF.type, "a"), (RDF.type, None), (RDF.type, 7))]
    ['a', '7']
    """

    def __init__(self, graph: NamedNode) -> None:
        self.graph = graph

    def of(self, subject: NamedNode, *pairs: tuple[NamedNode, Value]) -> Iterator[Quad]:
        """The quads of one subject, one a pair."""
        for predicate, value in pairs:
            if value is not None:
                yield self.quad(subject, predicate, value)

    def quad(self, subject: NamedNode, predicate: NamedNode, value: NamedNode | Literal | str | int) -> Quad:
        """One quad."""
        return Quad(
            subject, predicate, value if isinstance(value, (NamedNode, Literal)) else Literal(value), self.graph
        )


class Nodes:
    """The nodes of quads by subject: what each says by predicate, IRIs as their text, and which belong to a class."""

    def __init__(self, quads: Iterable[Quad]) -> None:
        self._said: dict[str, dict[NamedNode, list[str]]] = {}
        self._of_class: dict[str, list[str]] = {}
        for quad in quads:
            subject: Any = quad.subject
            value: Any = quad.object
            self._said.setdefault(subject.value, {}).setdefault(quad.predicate, []).append(value.value)
            if quad.predicate == RDF.type:
                self._of_class.setdefault(value.value, []).append(subject.value)

    def subjects(self) -> list[str]:
        """Every subject."""
        return list(self._said)

    def of_class(self, kind: NamedNode) -> list[str]:
        """The subjects of a class."""
        return self._of_class.get(kind.value, [])

    def all(self, subject: str, predicate: NamedNode) -> list[str]:
        """What a subject says by a predicate."""
        return self._said.get(subject, {}).get(predicate, [])

    def one(self, subject: str, predicate: NamedNode) -> str | None:
        """The one thing that a subject says by a predicate, or None."""
        found = self.all(subject, predicate)
        return found[0] if found else None
