"""Knows which triples describe an entry: its own, those of its examples, of its references and of those to it."""

from __future__ import annotations

from collections.abc import Iterator

from pyoxigraph import NamedNode, Triple

from kb.store import Triples
from kb.vocabulary import ELI, OA, SKOS, SR
from query.knowledge_base import KnowledgeBase
from query.lookup import Lookup


def description(lookup: Lookup, key: str) -> Triples:
    """What the graph says of an entry, in no more than is needed to understand it alone."""
    return Triples(tuple(dict.fromkeys(_described(lookup, lookup.node(key)))))


def _described(lookup: Lookup, node: NamedNode) -> Iterator[Triple]:
    store, graph = lookup.store, lookup.graph
    yield from _said_of(lookup, node)
    passages = [node]
    for quad in store.quads(None, SR.illustrates, node, graph):
        if isinstance(quad.subject, NamedNode):
            passages.append(quad.subject)
            yield from _said_of(lookup, quad.subject)
    references = [quad for passage in passages for quad in store.quads(None, OA.hasSource, passage, graph)]
    references += store.quads(None, SR.reaches, node, graph)
    for quad in references:
        if isinstance(quad.subject, NamedNode):
            yield from _said_of(lookup, quad.subject)
    for predicate in (ELI.cites, ELI.is_part_of, SR.continues):
        yield from (quad.triple for quad in store.quads(None, predicate, node, graph))


def _said_of(lookup: Lookup, node: NamedNode) -> Iterator[Triple]:
    return (quad.triple for quad in lookup.store.quads(node, None, None, lookup.graph))


def card_description(base: KnowledgeBase, card: NamedNode) -> Triples:
    """What the graph says of a card: its attributes and faces, the uses of keywords in their texts, its tags."""
    return Triples(tuple(dict.fromkeys(_card(base, card))))


def _card(base: KnowledgeBase, card: NamedNode) -> Iterator[Triple]:
    cards, uses, tags = (base.names.collection(name) for name in ("cards", "keyword-uses", "tags"))
    for graph in (cards, uses, tags):
        yield from (quad.triple for quad in base.store.quads(card, None, None, graph))
    for quad in base.store.quads(None, SR.faceOf, card, cards):
        yield from _all_of(base, quad.subject, cards)
        for use in base.store.quads(None, OA.hasSource, _named(quad.subject), uses):
            yield from _all_of(base, use.subject, uses)
    for quad in base.store.quads(card, SR.tag, None, tags):
        yield from _all_of(base, quad.object, tags)


def keyword_description(base: KnowledgeBase, keyword: NamedNode) -> Triples:
    """What the graph says of a keyword: its own triples, and what is a variant of it."""
    found: list[Triple] = []
    for graph in (base.names.graph(base.edition), base.names.collection("keyword-uses")):
        found += _all_of(base, keyword, graph)
        found += (quad.triple for quad in base.store.quads(None, SKOS.broader, keyword, graph))
    return Triples(tuple(dict.fromkeys(found)))


def _all_of(base: KnowledgeBase, node: object, graph: NamedNode) -> Iterator[Triple]:
    return (quad.triple for quad in base.store.quads(_named(node), None, None, graph))


def _named(node: object) -> NamedNode:
    assert isinstance(node, NamedNode), "the graph has no blank nodes"
    return node
