"""Searching: the wanted rule among the first three, numbers exact, filters kept, neighbours told once."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.document import read_rulebook
from kb.catalogue import catalogue_quads, holding_of
from kb.graph import EditionGraph
from kb.resolution import links
from kb.store import OxigraphStore
from kb.vocabulary import Names
from query.errors import UnknownEntry, UnknownFilter
from query.knowledge_base import KnowledgeBase
from query.search import Filters
from query.search_words import mended, sought
from tests.tables import table

DATA = Path(os.environ.get("SEERULE_TEST_DATA", Path(__file__).parents[2] / "shared" / "data"))
EDITION = DATA / "cr" / "cr-20260807.txt"


@pytest.fixture(scope="module")
def base() -> Iterator[KnowledgeBase]:
    if not EDITION.is_file():
        pytest.skip(f"the official text is not there: {EDITION}")
    rulebook = read_rulebook(EDITION.read_bytes(), EDITION.name)
    found, names = list(links(rulebook)), Names()
    store = OxigraphStore.in_memory([names.graph(rulebook.edition)])
    quads = list(EditionGraph(rulebook, found, names).quads())
    holding = holding_of(rulebook, len(found), len(quads))
    store.engine.bulk_extend([*quads, *catalogue_quads([holding], names)])
    with KnowledgeBase(store) as held:
        yield held


@pytest.mark.parametrize(("typed", "wanted"), table("search.txt", at_least=60))
def test_the_wanted_rule_is_among_the_first_three(base: KnowledgeBase, typed: str, wanted: str) -> None:
    found = base.search(typed)
    first = {key for hit in found.hits[:3] for key in (hit.key, *hit.also)}
    assert first & set(wanted.split()), [(hit.key, hit.also) for hit in found.hits[:3]]


def test_a_number_gives_the_rule_its_subrules_and_what_cites_it(base: KnowledgeBase) -> None:
    hits = base.search("702.7").hits
    assert [hit.key for hit in hits][:8] == [
        "702.7",
        "702.7a",
        "702.7b",
        "702.7c",
        "702.7d",
        "506.1",
        "510.4",
        "702.4b",
    ]
    assert not [hit.key for hit in hits if hit.key.startswith("702.7") and hit.key[5:6].isdigit()]
    assert "607.2k" not in {hit.key for hit in hits}
    for hit in hits[5:]:
        start, end = hit.marks[0]
        assert "702.7" in hit.text[start:end]


NUMBERS = [
    ("104.3a-c", ["104.3a", "104.3b", "104.3c"]),
    ("601.2a–b", ["601.2a", "601.2b"]),
    ("702.7-702.8", ["702.7", "702.7a", "702.7b", "702.7c", "702.7d", "702.8", "702.8a", "702.8b"]),
    ("702.7a 702.9b", ["702.7a", "702.9b"]),
    ("rules 702.7a, 702.9b and 510.4", ["702.7a", "702.9b", "510.4"]),
    ("7", ["7", "700", "701", "702", "703"]),
]


@pytest.mark.parametrize(("typed", "wanted"), NUMBERS)
def test_several_numbers_give_what_each_names(base: KnowledgeBase, typed: str, wanted: list[str]) -> None:
    keys = list(dict.fromkeys(hit.key for hit in base.search(typed, Filters(limit=50)).hits))
    assert keys[: len(wanted)] == wanted


@pytest.mark.parametrize("typed", ["702.999", "702.7z", "rule 702.7a and 702.999"])
def test_a_number_that_is_not_there_is_said(base: KnowledgeBase, typed: str) -> None:
    with pytest.raises(UnknownEntry, match="there is no"):
        base.search(typed)


@pytest.mark.parametrize("filters", [Filters(kind="card game"), Filters(section="999"), Filters(section="zzz")])
def test_a_filter_that_is_not_there_is_said(base: KnowledgeBase, filters: Filters) -> None:
    with pytest.raises(UnknownFilter):
        base.search("damage", filters)


def test_a_limit_says_how_many_hits_it_leaves_out(base: KnowledgeBase) -> None:
    found = base.search("704.5", Filters(limit=10))
    assert len(found.hits) == 10
    assert len(base.search("704.5", Filters(limit=10 + found.more)).hits) == 10 + found.more > 26
    assert {hit.key for hit in base.search("702.7", Filters(section="5")).hits} >= {"506.1", "510.4"}
    assert all(hit.key.startswith("5") for hit in base.search("702.7", Filters(section="5")).hits)


def test_a_kind_and_a_section_limit_the_search(base: KnowledgeBase) -> None:
    glossary = base.search("combat damage", Filters(kind="glossary")).hits
    assert {hit.kind for hit in glossary} == {"glossary"}
    section = base.search("damage", Filters(section="7")).hits
    assert section
    assert all(hit.key.startswith("7") for hit in section if hit.kind == "rule")


def test_a_rule_and_its_neighbours_are_one_hit(base: KnowledgeBase) -> None:
    rules = [
        hit for hit in base.search("triggered ability condition").hits if hit.kind == "rule" and hit.why == "words"
    ]
    families = [hit.key.rstrip("abcdefghijkmnpqrstuvwxyz") for hit in rules]
    assert len(families) == len(set(families))


def test_words_that_must_not_be_there_are_not(base: KnowledgeBase) -> None:
    assert not [hit for hit in base.search("extra turn -combat").hits if "combat" in hit.text.lower()]


def test_variants_do_not_crowd_out_the_main_rules(base: KnowledgeBase) -> None:
    rules = [hit for hit in base.search("player loses the game").hits if hit.kind == "rule"]
    assert int(rules[0].key[:3]) < 800
    asked = [hit for hit in base.search("two-headed giant team loses").hits if hit.kind == "rule"]
    assert asked[0].key.startswith(("810", "704.6"))


def test_marks_are_the_words_that_were_sought(base: KnowledgeBase) -> None:
    for hit in base.search("first strike damage").hits:
        for start, end in hit.marks:
            assert set(hit.text[start:end].lower().replace("-", " ").split()) & {"first", "strike", "damage", "strikes"}


def test_nothing_is_found_for_what_is_not_there(base: KnowledgeBase) -> None:
    assert base.search("zzzyqx").hits == ()


def test_a_chapter_is_given_whole(base: KnowledgeBase) -> None:
    keys = [hit.key for hit in base.searching.chapter("510.4")]
    assert keys[0] == "510.1"
    assert keys[-1] == "510.4"


@pytest.mark.parametrize("typed", ['"', "-", "AND OR NOT", "702.", "*", "a OR", "(((", "'", "{T}", "“", "NEAR(x)", ""])
def test_no_search_is_refused_by_the_engine(base: KnowledgeBase, typed: str) -> None:
    assert base.search(typed).edition == "2026-08-07"


def test_a_misspelt_word_is_mended_and_a_known_one_is_not() -> None:
    known = {"deathtouch": 9, "death": 3, "touch": 1}
    assert mended(sought("deathtuch"), known).words == ("deathtouch",)
    assert mended(sought("touch deaths"), known).words == ("touch", "deaths")
