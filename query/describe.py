"""Knows which triples describe an entry: its own, those of its examples, of its references and of those to it."""

from __future__ import annotations

from collections.abc import Iterator

from pyoxigraph import NamedNode, Triple

from kb.store import Triples
from kb.vocabulary import ELI, OA, SR
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
