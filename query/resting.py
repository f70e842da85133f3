"""Knows how the rulings that rest on a rule are read from the graph `citations`, with confidence and evidence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode

from kb.store import GraphStore
from kb.vocabulary import DCTERMS, OA, SR, Names


@dataclass(frozen=True, slots=True)
class RulingCitation:
    """A ruling, by its key, that was found to rest on a rule; `evidence` are spans of its text."""

    ruling: str
    rule: str
    confidence: float
    evidence: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Ground:
    """A rule, by its key, that a ruling was found to rest on; `asserted` where it is likely enough to be said.

    `evidence` are words of the ruling, each with what led from it to the rule.
    """

    rule: str
    confidence: float
    asserted: bool
    evidence: tuple[tuple[str, str], ...]


class Resting:
    """Citations of rulings: the asserted ones by the rule that they cite, all by the ruling."""

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

    def grounds(self, ruling: NamedNode) -> tuple[Ground, ...]:
        """What a ruling was found to rest on, the likeliest first."""
        quads = self._store.quads(None, OA.hasTarget, ruling, self._graph)
        found = [self._ground(quad.subject) for quad in quads if isinstance(quad.subject, NamedNode)]
        return tuple(sorted(found, key=lambda ground: (-ground.confidence, ground.rule)))

    def _ground(self, citation: NamedNode) -> Ground:
        rule = next(self._store.quads(citation, OA.hasBody, None, self._graph)).object
        assert isinstance(rule, NamedNode)
        return Ground(
            rule=rule.value.rpartition("/")[2],
            confidence=float(self._value(citation, SR.confidence) or 0),
            asserted=self._value(citation, SR.asserted) == "true",
            evidence=tuple(self._evidence(citation)),
        )

    def _evidence(self, citation: NamedNode) -> Iterator[tuple[str, str]]:
        for quad in self._store.quads(citation, OA.hasSelector, None, self._graph):
            if isinstance(quad.object, NamedNode):
                exact, why = self._value(quad.object, OA.exact), self._value(quad.object, DCTERMS.description)
                yield exact or "", why or ""

    def _spans(self, citation: NamedNode) -> Iterator[tuple[int, int]]:
        for quad in self._store.quads(citation, OA.hasSelector, None, self._graph):
            if isinstance(quad.object, NamedNode):
                start, end = self._value(quad.object, OA.start), self._value(quad.object, OA.end)
                yield int(start or 0), int(end or 0)

    def _value(self, node: NamedNode, predicate: NamedNode) -> str | None:
        found = next(self._store.quads(node, predicate, None, self._graph), None)
        return found.object.value if found is not None and isinstance(found.object, Literal) else None
