"""Knows how tags are written as triples: a tag once with what it follows from, and an edge from every card that
has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pyoxigraph import NamedNode, Quad

from kb.card import Card
from kb.number import RuleNumber
from kb.quads import Nodes, Writer
from kb.tag import Tag
from kb.vocabulary import RDF, SR, Names


def tag_quads(found: Iterable[tuple[Card, tuple[Tag, ...]]], edition: str, names: Names) -> Iterator[Quad]:
    """Every tag of every card; the rules are those of `edition`."""
    write = Writer(names.collection("tags"))
    described: dict[tuple[str, str], NamedNode] = {}
    for card, tags in found:
        node = names.card(card.key)
        for tag in tags:
            target = described.get((tag.group, tag.label))
            if target is None:
                target = described[tag.group, tag.label] = names.tag(tag.group, tag.label)
                yield from write.of(
                    target,
                    (RDF.type, SR.Tag),
                    (SR.tagGroup, tag.group),
                    (SR.name, tag.label),
                    (SR.definedBy, names.rule(edition, str(tag.rule)) if tag.rule else None),
                    (SR.field, tag.field),
                )
            yield write.quad(node, SR.tag, target)


def read_tags(quads: Iterable[Quad]) -> dict[str, frozenset[Tag]]:
    """The tags that `tag_quads` wrote, by the IRI of their card."""
    nodes = Nodes(quads)
    tags = {node: _read(nodes, node) for node in nodes.of_class(SR.Tag)}
    return {
        card: frozenset(tags[node] for node in found) for card in nodes.subjects() if (found := nodes.all(card, SR.tag))
    }


def _read(nodes: Nodes, node: str) -> Tag:
    rule = nodes.one(node, SR.definedBy)
    return Tag(
        group=nodes.one(node, SR.tagGroup) or "",
        label=nodes.one(node, SR.name) or "",
        rule=RuleNumber.parse(rule.rpartition("/")[2]) if rule else None,
        field=nodes.one(node, SR.field),
    )
