"""What a person asks for is found, and what is not there is answered with what is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from click import unstyle

from ingest.build import Inputs, build_home
from kb.home import Home
from kb.vocabulary import ELI
from query.errors import AmbiguousName, UnknownEdition, UnknownEntry
from query.follow import NoPath
from query.knowledge_base import KnowledgeBase
from query.render import entry_text
from tests.official import edition_file, known, needs_data, rulebook
from tests.tables import table


@pytest.fixture(scope="module")
def outline(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    """The embedded outline, on a home in which nothing was built."""
    with KnowledgeBase.open(tmp_path_factory.mktemp("empty")) as base:
        yield base


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    """The edition of the gold references, with its text."""
    home = Home(tmp_path_factory.mktemp("home"))
    build_home(Inputs((edition_file("cr-20250919.txt"),)), home)
    with KnowledgeBase.open(home.path) as opened:
        yield opened


@pytest.mark.parametrize(("asked", "expected"), table("asked.txt", at_least=24))
def test_what_is_asked_for_is_found(outline: KnowledgeBase, asked: str, expected: str) -> None:
    key, _, title = expected.partition(" ")
    entry = outline.show(asked)
    assert (entry.key, entry.title or "") == (key, title)


@pytest.mark.parametrize(("asked", "message"), table("not_found.txt", at_least=9))
def test_what_is_not_there_is_answered_with_what_is(outline: KnowledgeBase, asked: str, message: str) -> None:
    with pytest.raises(UnknownEntry) as error:
        outline.show(asked)
    assert message in str(error.value)
    assert "2026-09-25" in str(error.value)


@pytest.mark.parametrize(("asked", "keys"), table("several.txt", at_least=8))
def test_several_are_offered_one_by_one(outline: KnowledgeBase, asked: str, keys: str) -> None:
    with pytest.raises(AmbiguousName) as error:
        outline.show(asked)
    assert " ".join(error.value.keys) == keys
    assert "ask for one" in str(error.value)


@pytest.mark.parametrize("asked", ["\udcff", "\ud800x", "term/\udcff", "rule \udcff"])
def test_what_is_no_text_is_not_there(outline: KnowledgeBase, asked: str) -> None:
    for question in (outline.show, lambda name: outline.links(name, "out"), lambda name: outline.path(name, "510")):
        with pytest.raises(UnknownEntry, match="is called"):
            question(asked)  # type: ignore[operator]


def test_a_name_of_several_entries_is_not_guessed(outline: KnowledgeBase) -> None:
    with pytest.raises(AmbiguousName, match="100 General"):
        outline.show("General")


def test_an_edition_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UnknownEdition, match="it holds 2026-09-25"):
        KnowledgeBase.open(tmp_path, "2019-10-04")


def test_links_carry_their_evidence_without_the_text(outline: KnowledgeBase) -> None:
    entry = outline.show("702.7")
    assert entry.outline
    assert [(link.source, link.target, link.quote) for link in entry.links_out] == [
        ("702.7a", "510", "rule 510, “Combat Damage Step.”"),
        ("702.7b", "702.4", "rule 702.4"),
    ]
    assert [link.source for link in entry.links_in] == ["506.1", "510.4", "702.4b", "term/first-strike"]


def test_a_path_has_evidence_for_each_citation(outline: KnowledgeBase) -> None:
    hops = outline.path("702.7", "510")
    assert [(hop.source.key, hop.step, hop.target.key) for hop in hops] == [
        ("702.7", "contains", "702.7a"),
        ("702.7a", "cites", "510"),
    ]
    assert hops[1].link is not None
    long = outline.path("first strike", "704.5g")
    assert all(hop.link for hop in long if hop.step == "cites")
    assert all(before.target == after.source for before, after in pairwise(long))


def test_no_path_is_an_answer(outline: KnowledgeBase) -> None:
    with pytest.raises(NoPath, match="no way to go"):
        outline.path("702.7a", "702.7")
    with pytest.raises(NoPath, match=r"the other way round: seerule path 510 702\.7d"):
        outline.path("702.7d", "510")


def test_depth_reaches_further_and_nearest_first(outline: KnowledgeBase) -> None:
    near = list(outline.links("702.7", "out"))
    far = list(outline.links("702.7", "out", depth=3))
    assert far[: len(near)] == near
    assert {at.depth for at in far} == {1, 2, 3}


@pytest.fixture(scope="module")
def printed_twice(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    """An edition that numbers two keywords 702.175, as one of 2024 does."""
    folder = tmp_path_factory.mktemp("twice")
    text = edition_file("cr-20250919.txt").read_bytes()
    at = text.rindex(b"702.176. ")
    (folder / "cr.txt").write_bytes(text[:at] + text[at:].replace(b"702.176", b"702.175", 3))
    build_home(Inputs((folder / "cr.txt",)), Home(folder / "home"))
    with KnowledgeBase.open(folder / "home") as opened:
        yield opened


@needs_data
@pytest.mark.parametrize("number", ["702.175", "rule 702.175", "702.175a"])
def test_a_number_printed_twice_means_neither(printed_twice: KnowledgeBase, number: str) -> None:
    questions = (
        printed_twice.show,
        printed_twice.history,
        lambda asked: printed_twice.links(asked, "out"),
        lambda asked: printed_twice.path(asked, "601"),
        lambda asked: printed_twice.path("601", asked),
    )
    for question in questions:
        with pytest.raises(AmbiguousName) as error:
            question(number)  # type: ignore[operator]
        plainly = number.removeprefix("rule ")
        assert error.value.keys == (f"{plainly}~1", f"{plainly}~2")
        assert f"{plainly}~1 Offspring" in str(error.value)
        assert f"{plainly}~2 Impending" in str(error.value)


@needs_data
def test_each_of_two_is_asked_for_by_its_key(printed_twice: KnowledgeBase) -> None:
    first, second = printed_twice.show("702.175~1"), printed_twice.show("CR 702.175~2")
    assert (first.key, first.title) == ("702.175", "Offspring")
    assert (second.key, second.title) == ("702.175~2", "Impending")
    assert second.below[0].key == "702.175a~2"
    assert [named.key for named in printed_twice.show("702.175a~2").above] == ["7", "702", "702.175~2"]
    assert {at.link.source for at in printed_twice.links("702.175~2", "out")} == {"702.175a~2"}
    assert printed_twice.path("702.175~2", "601")[0].source.key == "702.175~2"
    assert printed_twice.lookup.entry("702.175").title == "Offspring"  # a key is a key
    for wrong in ("702.175~3", "702.7~2"):
        with pytest.raises(UnknownEntry, match="do not print"):
            printed_twice.show(wrong)


@needs_data
def test_every_reference_of_the_gold_edition_comes_out_of_the_store(base: KnowledgeBase) -> None:
    gold = {(source, target) for source, targets in known("2025-09-19.json")["pairs"].items() for target in targets}
    assert set(base.references()) == gold


@needs_data
def test_the_book_comes_back_out_of_the_store(base: KnowledgeBase) -> None:
    assert base.rulebook() == rulebook("cr-20250919.txt")


@needs_data
@pytest.mark.parametrize("asked", ["introduction", "Credits"])
def test_a_part_without_a_number_is_shown(base: KnowledgeBase, asked: str) -> None:
    entry, book = base.show(asked), rulebook("cr-20250919.txt")
    paragraphs = {"introduction": book.introduction, "Credits": book.credits}[asked]
    assert (entry.key, entry.kind, entry.title) == (asked.lower(), "part", asked.capitalize())
    assert entry.text == "\n".join(paragraph.text for paragraph in paragraphs)
    assert entry.line == paragraphs[0].line
    assert unstyle(entry_text(entry)).startswith(asked.capitalize())


@needs_data
def test_hubs_are_counted_from_citing_entries(base: KnowledgeBase) -> None:
    hubs = base.hubs(5)
    assert [hub.cited_by for hub in hubs] == sorted((hub.cited_by for hub in hubs), reverse=True)
    for hub in hubs:
        node = base.lookup.node(hub.entry.key)
        citing = {quad.subject for quad in base.store.quads(None, ELI.cites, node, base.lookup.graph)}
        assert hub.cited_by == len(citing)


@needs_data
def test_examples_and_glossary_come_with_the_rule(base: KnowledgeBase) -> None:
    assert len(base.show("613.6").examples) == 4
    strike = base.show("first strike")
    assert strike.key == "702.7"
    assert strike.glossary is not None
    assert "First Strike" in (strike.glossary.text or "")


@needs_data
def test_rdflib_sees_the_same_graph(base: KnowledgeBase) -> None:
    rows = base.graph().query("SELECT (COUNT(*) AS ?n) WHERE { ?a <http://data.europa.eu/eli/ontology#cites> ?b }")
    counted = sum(1 for _ in base.store.quads(None, ELI.cites, None, base.lookup.graph))
    assert [int(row[0]) for row in rows] == [counted]  # type: ignore[index, misc]
