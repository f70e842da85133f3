"""Values become triples and come back the same, for every edition; the outline is the newest without its text."""

from __future__ import annotations

from io import BytesIO

import pyoxigraph as ox
import pytest

from kb.graph import EditionGraph
from kb.outline import embedded_outline, read_outline, write_outline
from kb.read_graph import read_rulebook
from kb.vocabulary import ELI, OA, SR, Names
from tests.official import EDITIONS, needs_data, rulebook, rulebook_links


def quads_of(name: str, base: str | None = None) -> list[ox.Quad]:
    return list(EditionGraph(rulebook(name), rulebook_links(name), Names(base)).quads())


@needs_data
@pytest.mark.parametrize("name", EDITIONS)
def test_nothing_is_lost_between_values_and_triples(name: str) -> None:
    quads = quads_of(name)
    assert len(set(quads)) == len(quads) > 7000
    written = ox.serialize(quads, format=ox.RdfFormat.N_QUADS)
    assert read_rulebook(ox.parse(BytesIO(written or b""), ox.RdfFormat.N_QUADS)) == rulebook(name)


@needs_data
def test_every_iri_carries_the_edition_and_the_base() -> None:
    subjects = {quad.subject.value for quad in quads_of("cr-20260925.txt", "https://rules.example/")}
    odd = {iri for iri in subjects if not iri.startswith("https://rules.example/id/cr/2026-09-25")}
    assert len(odd) == 1
    assert next(iter(odd)).startswith("https://rules.example/id/source/")


@needs_data
def test_evidence_counts_in_the_text_of_its_passage() -> None:
    quads = quads_of("cr-20260925.txt")
    texts = {
        quad.subject: quad.object.value for quad in quads if quad.predicate.value.endswith(("#text", "#definition"))
    }
    said: dict[ox.NamedNode, dict[ox.NamedNode, ox.Term]] = {}
    for quad in quads:
        said.setdefault(quad.subject, {})[quad.predicate] = quad.object
    references = [node for node in said.values() if OA.exact in node]
    assert len(references) == 1986
    for node in references:
        text = texts[node[OA.hasSource]]
        assert text[int(node[OA.start].value) : int(node[OA.end].value)] == node[OA.exact].value


@needs_data
def test_a_reference_is_a_node_and_an_edge() -> None:
    names = Names()
    rule = names.rule("2026-09-25", "702.7a")
    chapter = names.rule("2026-09-25", "510")
    quads = quads_of("cr-20260925.txt")
    assert ox.Quad(rule, ELI.cites, chapter, names.graph("2026-09-25")) in quads
    assert [
        quad.object for quad in quads if quad.predicate == SR.reaches and quad.subject.value.startswith(rule.value)
    ] == [chapter]


@needs_data
def test_the_outline_is_what_the_newest_edition_gives() -> None:
    name = EDITIONS[-1]
    assert embedded_outline().stem == rulebook(name).edition
    assert embedded_outline().read_text(encoding="utf-8") == write_outline(rulebook(name), rulebook_links(name))


def test_the_outline_has_every_number_and_no_sentence() -> None:
    book, links = read_outline(embedded_outline().read_text(encoding="utf-8"))
    assert (len(book.rules), len(book.chapters), len(book.glossary), len(links)) == (3166, 147, 741, 1986)
    assert book.outline
    assert max(len(rule.text) for rule in book.rules) <= 60


def test_the_outline_survives_its_graph() -> None:
    book, links = read_outline(embedded_outline().read_text(encoding="utf-8"))
    back = read_rulebook(EditionGraph(book, links, Names()).quads())
    assert [rule.key for rule in back.rules] == [rule.key for rule in book.rules]
    assert [entry.heading for entry in back.glossary] == [entry.heading for entry in book.glossary]
