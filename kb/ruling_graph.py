"""Knows how rulings are written as triples: what the source states, what a ruling cites, and apart from it what
was inferred.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import cast

from pyoxigraph import Literal, NamedNode, Quad

from kb.quads import Nodes, Writer
from kb.reference import Reference, references
from kb.ruling import Mention, MentionKind, Method, Ruling
from kb.vocabulary import DCTERMS, ELI, OA, PROV, RDF, SR, XSD, Names

METHODS: dict[Method, tuple[str, str]] = {
    "own name": ("1.00", "The name of the card that the ruling is on, or of one of its faces, stands in the text."),
    "short name": ("0.99", "The short name of the legend that the ruling is on stands in the text."),
    "card name": ("0.97", "The name of another card stands in the text, by longest match, told from ordinary words."),
    "glossary term": ("0.95", "A term of the glossary stands in the text, by longest match, in any case and number."),
}
"""How mentions are found, and how sure each is: measured for card names on rulings read by hand, else an estimate."""

Target = Callable[[Reference, str | None], tuple[list[NamedNode], str | None]]
"""Given a reference and the ruling's date: the rules that it reaches in the edition then in force, or why it
reaches none.
"""


def ruling_quads(rulings: Iterable[Ruling], names: Names, target: Target) -> Iterator[Quad]:
    """Every ruling as its source states it, with the rules whose numbers it prints."""
    write = Writer(names.collection("rulings"))
    for ruling in rulings:
        node = names.ruling(ruling.key)
        yield from write.of(
            node,
            (RDF.type, SR.Ruling),
            (SR.rulingOn, names.card(ruling.card)),
            (SR.text, ruling.text),
            (DCTERMS.issued, Literal(ruling.date, datatype=XSD.date) if ruling.date else None),
            (SR.givenBy, ruling.source),
        )
        for at, reference in enumerate(references(ruling.text), 1):
            reached, fault = target(reference, ruling.date)
            yield from _reference(NamedNode(f"{node.value}/reference/{at}"), node, reference, reached, fault, write)


def _reference(
    node: NamedNode, ruling: NamedNode, said: Reference, reached: list[NamedNode], fault: str | None, write: Writer
) -> Iterator[Quad]:
    yield from write.of(
        node,
        (RDF.type, SR.Reference),
        (OA.hasSource, ruling),
        (OA.exact, said.quote),
        (OA.start, said.start),
        (OA.end, said.end),
        (SR.kind, said.kind),
        (SR.first, str(said.first) if said.first else None),
        (SR.last, str(said.last) if said.last else None),
        (SR.givenTitle, said.title),
        (SR.fault, fault),
        *((SR.reaches, rule) for rule in reached),
    )
    for rule in reached:
        yield write.quad(ruling, ELI.cites, rule)


def mention_quads(
    found: Iterable[tuple[Ruling, tuple[Mention, ...]]], terms: Mapping[str, NamedNode], names: Names
) -> Iterator[Quad]:
    """What rulings were found to mention, with the method of each; `terms` are the glossary entries' nodes by
    heading.
    """
    write = Writer(names.collection("mentions"))
    for method, (confidence, said) in METHODS.items():
        yield from write.of(
            names.method(method),
            (RDF.type, SR.Method),
            (SR.name, method),
            (DCTERMS.description, said),
            (SR.confidence, Literal(confidence, datatype=XSD.decimal)),
        )
    for ruling, mentions in found:
        node = names.ruling(ruling.key)
        for at, mention in enumerate(mentions, 1):
            target = names.card(mention.target) if mention.kind == "card" else terms[mention.target]
            yield from write.of(
                NamedNode(f"{node.value}/mention/{at}"),
                (OA.hasSource, node),
                (OA.start, mention.start),
                (OA.end, mention.end),
                (SR.mentions, target),
                (PROV.wasGeneratedBy, names.method(mention.method)),
            )


def read_rulings(quads: Iterable[Quad], names: Names) -> list[Ruling]:
    """The rulings that `ruling_quads` wrote, in order of key."""
    from urllib.parse import unquote

    nodes = Nodes(quads)
    prefix = names.card("").value
    found = [
        Ruling(
            card=unquote((nodes.one(node, SR.rulingOn) or "").removeprefix(prefix)),
            text=nodes.one(node, SR.text) or "",
            date=nodes.one(node, DCTERMS.issued),
            source=nodes.one(node, SR.givenBy) or "",
        )
        for node in nodes.of_class(SR.Ruling)
    ]
    return sorted(found, key=lambda ruling: ruling.key)


def read_mentions(
    quads: Iterable[Quad], terms: Mapping[str, NamedNode], names: Names
) -> dict[str, tuple[Mention, ...]]:
    """The mentions that `mention_quads` wrote, by the key of their ruling, in order."""
    from urllib.parse import unquote

    kept = list(quads)
    nodes = Nodes(kept)
    headings = {node.value: heading for heading, node in terms.items()}
    prefix = names.card("").value
    found: dict[str, list[Mention]] = {}
    for node in {quad.subject.value for quad in kept if quad.predicate == SR.mentions}:  # type: ignore[union-attr]
        target = nodes.one(node, SR.mentions) or ""
        kind = "card" if target.startswith(prefix) else "term"
        method = nodes.one(nodes.one(node, PROV.wasGeneratedBy) or "", SR.name)
        mention = Mention(
            start=int(nodes.one(node, OA.start) or 0),
            end=int(nodes.one(node, OA.end) or 0),
            kind=cast(MentionKind, kind),
            target=unquote(target.removeprefix(prefix)) if kind == "card" else headings[target],
            method=cast(Method, method),
        )
        found.setdefault((nodes.one(node, OA.hasSource) or "").rpartition("/")[2], []).append(mention)
    ordered = {ruling: sorted(mentions, key=lambda mention: mention.start) for ruling, mentions in found.items()}
    return {ruling: tuple(mentions) for ruling, mentions in ordered.items()}
