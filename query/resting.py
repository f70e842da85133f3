"""Knows how the rulings that rest on a rule are read from the graph `citations`, with confidence and evidence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode

from kb.store import GraphStore
from kb.vocabulary import OA, SR, Names


@dataclass(frozen=True, slots=True)
class RulingCitation:
    """A ruling, by its key, that was found to rest on a rule; `evidence` are spans of its text."""

    ruling: str
    rule: str
    confidence: float
    evidence: tuple[tuple[int, int], ...]


class Resting:
    """Asserted citations of rulings, by the rule that they cite."""

    def __init__(self, store: GraphStore, names: Names) -> None:
        self._store, self._graph = store, names.collection("citations")

    def on(self, rule: NamedNode, key: str) -> Iterator[RulingCitation]:
        """The rulings that rest on a rule, whose key is `key`."""
        for quad in self._store.quads(None, OA.hasBody, rule, self._graph):
            if isinstance(quad.subject, NamedNode) and self._value(quad.subject, SR.asserted) == "true":
                ruling = next(self._store.quads(quad.subject, OA.hasTarget, None, self._graph)).object
                if isinstance(ruling, NamedNode):
                    confidence = float(self._value(quad.subject, SR.confidence) or 0)
                    spans = tuple(sorted(self._spans(quad.subject)))
                    yield RulingCitation(ruling.value.rpartition("/")[2], key, confidence, spans)

    def _spans(self, citation: NamedNode) -> Iterator[tuple[int, int]]:
        for quad in self._store.quads(citation, OA.hasSelector, None, self._graph):
            if isinstance(quad.object, NamedNode):
                start, end = self._value(quad.object, OA.start), self._value(quad.object, OA.end)
                yield int(start or 0), int(end or 0)

    def _value(self, node: NamedNode, predicate: NamedNode) -> str | None:
        found = next(self._store.quads(node, predicate, None, self._graph), None)
        return found.object.value if found is not None and isinstance(found.object, Literal) else None
