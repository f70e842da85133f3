"""Knows what a store says of itself: which editions it holds, which is current, from which files, and how large."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from pyoxigraph import Literal, Quad

from kb.rulebook import Rulebook
from kb.vocabulary import DCAT, DCTERMS, ELI, PROV, RDF, SR, VOID, XSD, Names


@dataclass(frozen=True, slots=True)
class Holding:
    """One edition in the store: its date as YYYY-MM-DD, the file it came from, and what was counted in it.

    `digest` is the SHA-256 of its words alone, the same for two files that differ only in encoding or line ends;
    `outline` says that the official text is not there.
    """

    edition: str
    name: str
    sha256: str
    digest: str
    rules: int
    chapters: int
    glossary: int
    references: int
    quads: int
    findings: tuple[tuple[str, int], ...] = ()
    outline: bool = False

    def as_json(self) -> dict[str, Any]:
        """The holding as it stands in `build.json`."""
        return asdict(self)

    @classmethod
    def from_json(cls, said: dict[str, Any]) -> Holding:
        """The holding that `as_json` wrote."""
        findings = tuple((kind, count) for kind, count in said.get("findings", ()))
        return cls(**{**said, "findings": findings})


def holding_of(rulebook: Rulebook, links: int, quads: int, findings: Iterable[str] = ()) -> Holding:
    """What the catalogue says of an edition with so many `links` and `quads`; `findings` are kinds, one for each."""
    return Holding(
        edition=rulebook.edition,
        name=rulebook.source.name,
        sha256=rulebook.source.sha256,
        digest=digest(rulebook),
        rules=len(rulebook.rules),
        chapters=len(rulebook.chapters),
        glossary=len(rulebook.glossary),
        references=links,
        quads=quads,
        findings=tuple(sorted(Counter(findings).items())),
        outline=rulebook.outline,
    )


def digest(rulebook: Rulebook) -> str:
    """The SHA-256 of an edition's words: rules, examples and glossary, without lines, spaces and encoding."""
    words = hashlib.sha256()
    for rule in rulebook.rules:
        for text in (rule.key, rule.text, *(example.text for example in rule.examples)):
            words.update(" ".join(text.split()).encode() + b"\n")
    for entry in rulebook.glossary:
        words.update(" ".join(f"{entry.heading} {entry.text}".split()).encode() + b"\n")
    return words.hexdigest()


def current(holdings: Iterable[Holding]) -> Holding:
    """The newest edition, which a query sees when it names none."""
    return max(holdings, key=lambda holding: holding.edition)


def catalogue_quads(holdings: Iterable[Holding], names: Names) -> Iterator[Quad]:
    """The catalogue's own named graph: a data set (DCAT, VoID) for the store and one for each edition."""
    graph, held = names.catalogue, list(holdings)
    yield Quad(graph, RDF.type, DCAT.Dataset, graph)
    yield Quad(graph, DCTERMS.title, Literal("The Comprehensive Rules as a graph, by seerule"), graph)
    yield Quad(graph, SR.currentEdition, names.edition(current(held).edition), graph)
    for holding in held:
        part = names.graph(holding.edition)
        yield Quad(graph, DCTERMS.hasPart, part, graph)
        yield Quad(part, RDF.type, DCAT.Dataset, graph)
        yield Quad(part, DCTERMS.title, Literal(f"Comprehensive Rules, {holding.edition}"), graph)
        yield Quad(part, ELI.version_date, Literal(holding.edition, datatype=XSD.date), graph)
        yield Quad(part, SR.inEdition, names.edition(holding.edition), graph)
        yield Quad(part, PROV.wasDerivedFrom, names.source(holding.sha256), graph)
        yield Quad(part, VOID.triples, Literal(holding.quads), graph)
