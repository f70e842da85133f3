"""Knows how the uses of keywords in cards' texts are written as triples: a node with its span for each, and direct
edges.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from pyoxigraph import NamedNode, Quad

from kb.card import Card, KeywordUse, Origin
from kb.card_graph import face_node
from kb.keyword import Keywords
from kb.keyword_graph import concept_quads
from kb.number import RuleNumber
from kb.quads import Nodes, Writer
from kb.vocabulary import OA, RDF, SKOS, SR, Names

_EDGES: dict[Origin, NamedNode] = {
    "printed": SR.prints,
    "conditional": SR.hasConditionally,
    "granted": SR.grants,
    "named": SR.speaksOf,
    "ability word": SR.prints,
}
Uses = tuple[tuple[KeywordUse, ...], ...]
"""The uses on each face of a card, in order."""


class UseGraph:
    """Writes the uses found in cards' texts with the keywords of one edition."""

    def __init__(self, keywords: Keywords, names: Names) -> None:
        self.keywords, self.names = keywords, names
        self._write = Writer(names.collection("keyword-uses"))
        self._nodes: dict[str, NamedNode | None] = {}

    def quads(self, found: Iterable[tuple[Card, Uses]]) -> Iterator[Quad]:
        """Every use, then the edges from a card to the keywords that it prints, has conditionally, grants or
        speaks of.
        """
        for card, faces in found:
            node = self.names.card(card.key)
            edges: dict[tuple[NamedNode, NamedNode], None] = {}
            for position, uses in enumerate(faces, 1):
                face = face_node(node, position)
                for at, use in enumerate(uses, 1):
                    concept, minted = self._concept(use)
                    yield from minted
                    yield from self._use(NamedNode(f"{face.value}/use/{at}"), face, use, concept)
                    if concept is not None and use.origin in _EDGES:
                        edges[_EDGES[use.origin], concept] = None
            for predicate, concept in edges:
                yield self._write.quad(node, predicate, concept)

    def _concept(self, use: KeywordUse) -> tuple[NamedNode | None, Iterable[Quad]]:
        """The keyword's node; one that a generic term covers and the edition does not list is made here, once."""
        if use.origin == "flavor word":
            return None, ()
        if use.keyword in self._nodes:
            return self._nodes[use.keyword], ()
        keyword = self.keywords.named(use.keyword)
        if keyword is None:
            raise ValueError(f"{use.keyword!r} is no keyword of the edition of {self.keywords.edition}")
        edition = self.keywords.edition
        node = self._nodes[use.keyword] = self.names.keyword(edition, keyword.key)
        listed = keyword.key in self.keywords
        return node, () if listed else concept_quads(keyword, edition, self.names, self._write)

    def _use(self, node: NamedNode, face: NamedNode, use: KeywordUse, concept: NamedNode | None) -> Iterator[Quad]:
        edition = self.keywords.edition
        return self._write.of(
            node,
            (RDF.type, SR.KeywordUse),
            (OA.hasSource, face),
            (OA.start, use.start),
            (OA.end, use.end),
            (SR.origin, use.origin),
            (SR.keyword, concept),
            (SR.flavorWord, use.keyword if concept is None else None),
            (SR.definedBy, self.names.rule(edition, str(use.rule)) if concept is None else None),
            (SR.parameter, use.parameter),
            (SR.condition, use.condition),
            (SR.recipient, use.recipient),
        )


def read_uses(quads: Iterable[Quad], keywords: Keywords) -> dict[str, tuple[KeywordUse, ...]]:
    """The uses by the IRI of their face, in order; `quads` are those that `UseGraph` wrote, `keywords` the
    edition's.
    """
    nodes = Nodes(quads)
    by_concept = {_last(node): name for node in nodes.of_class(SR.Keyword) if (name := nodes.one(node, SKOS.prefLabel))}
    found: dict[str, list[KeywordUse]] = {}
    for node in nodes.of_class(SR.KeywordUse):
        found.setdefault(nodes.one(node, OA.hasSource) or "", []).append(_read_use(nodes, node, keywords, by_concept))
    order = {face: sorted(uses, key=lambda use: (use.start, use.end)) for face, uses in found.items()}
    return {face: tuple(uses) for face, uses in order.items()}


def _read_use(nodes: Nodes, node: str, keywords: Keywords, minted: dict[str, str]) -> KeywordUse:
    concept = nodes.one(node, SR.keyword)
    if concept is None:
        name, rule = nodes.one(node, SR.flavorWord) or "", RuleNumber.parse(_last(nodes.one(node, SR.definedBy) or ""))
    else:
        said = minted.get(_last(concept))
        keyword = keywords.named(said) if said else keywords.by_slug.get(_last(concept))
        if keyword is None:
            raise ValueError(f"{concept} is no keyword of the edition of {keywords.edition}")
        name, rule = said or keyword.name, keyword.rule
    return KeywordUse(
        start=int(nodes.one(node, OA.start) or 0),
        end=int(nodes.one(node, OA.end) or 0),
        keyword=name,
        rule=rule,
        origin=cast(Origin, nodes.one(node, SR.origin)),
        parameter=nodes.one(node, SR.parameter),
        condition=nodes.one(node, SR.condition),
        recipient=nodes.one(node, SR.recipient),
    )


def _last(iri: str) -> str:
    return iri.rpartition("/")[2]
