"""Knows how the keywords of an edition are written as SKOS concepts in its named graph, and read back without loss."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from pyoxigraph import Literal, Quad

from kb.keyword import ABILITY_KINDS, Keyword, Keywords, Kind, keyword_key
from kb.number import RuleNumber
from kb.quads import Nodes, Writer
from kb.vocabulary import RDF, SKOS, SR, Names


def keyword_quads(keywords: Keywords, names: Names) -> Iterator[Quad]:
    """Every keyword of the edition as a concept, with the rule that defines it and the keyword it is a variant of."""
    edition = keywords.edition
    write = Writer(names.graph(edition))
    for order, keyword in enumerate(keywords.listed, 1):
        yield from concept_quads(keyword, edition, names, write)
        yield write.quad(names.keyword(edition, keyword.key), SR.order, order)
    node = names.edition(edition)
    yield from write.of(
        node,
        *((SR.cardType, f"{at} {kind}") for at, kind in enumerate(keywords.types)),
        *((SR.dashedLabel, label) for label in sorted(keywords.labels)),
        (SR.flavorWordRule, names.rule(edition, str(keywords.flavor_words)) if keywords.flavor_words else None),
    )


def concept_quads(keyword: Keyword, edition: str, names: Names, write: Writer) -> Iterator[Quad]:
    """One keyword as a concept, in the graph that `write` writes."""
    yield from write.of(
        names.keyword(edition, keyword.key),
        (RDF.type, SR.Keyword),
        (SKOS.prefLabel, keyword.name),
        (SR.keywordKind, keyword.kind),
        (SR.definedBy, names.rule(edition, str(keyword.rule))),
        (SKOS.broader, names.keyword(edition, keyword.broader) if keyword.broader else None),
        (SR.suffix, keyword.suffix or None),
        (SR.leading, Literal(True) if keyword.leading else None),
        *((SR.form, f"{at} {form}") for at, form in enumerate(keyword.forms)),
        *((SR.abilityKind, kind) for kind in keyword.abilities),
    )


def read_keywords(quads: Iterable[Quad], edition: str, names: Names) -> Keywords:
    """The keywords that `keyword_quads` wrote; `quads` may hold the rest of the edition too."""
    nodes = Nodes(quads)
    found = sorted(nodes.of_class(SR.Keyword), key=lambda node: int(nodes.one(node, SR.order) or 0))
    by_node = {node: nodes.one(node, SKOS.prefLabel) or "" for node in found}
    listed = tuple(_keyword(nodes, node, by_node) for node in found)
    edition_node = names.edition(edition).value
    flavor = nodes.one(edition_node, SR.flavorWordRule)
    return Keywords(
        edition,
        listed,
        _in_order(nodes.all(edition_node, SR.cardType)),
        frozenset(nodes.all(edition_node, SR.dashedLabel)),
        RuleNumber.parse(flavor.rpartition("/")[2]) if flavor else None,
    )


def _keyword(nodes: Nodes, node: str, by_node: dict[str, str]) -> Keyword:
    broader = nodes.one(node, SKOS.broader)
    return Keyword(
        name=by_node[node],
        kind=cast(Kind, nodes.one(node, SR.keywordKind)),
        rule=RuleNumber.parse((nodes.one(node, SR.definedBy) or "").rpartition("/")[2]),
        broader=keyword_key(by_node[broader]) if broader else None,
        forms=_in_order(nodes.all(node, SR.form)),
        suffix=nodes.one(node, SR.suffix) or "",
        leading=nodes.one(node, SR.leading) is not None,
        abilities=tuple(kind for kind in ABILITY_KINDS if kind in nodes.all(node, SR.abilityKind)),
    )


def _in_order(said: list[str]) -> tuple[str, ...]:
    """Values that were numbered so that their order is kept."""
    numbered = sorted((int(text.partition(" ")[0]), text.partition(" ")[2]) for text in said)
    return tuple(text for _, text in numbered)
