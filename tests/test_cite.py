"""Citing: wanted rules near the top, evidence that stands in the text, honest confidence, formats."""

import json
import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.document import read_rulebook
from kb.errors import SeeruleError
from kb.players import digest, lines, players_words
from kb.rulebook import Rulebook
from query.citation import FORMATS, Citation
from query.cite import MOST, Citer
from query.citing.book import Book
from query.citing.cards import CardFacts, CardsInMemory, named_cards
from query.citing.field import Field
from query.citing.ranker import Calibration, Ranker
from query.citing.signals import SIGNALS
from query.cli import group
from tests.tables import table

DATA = Path(os.environ.get("SEERULE_TEST_DATA", Path(__file__).parents[2] / "shared" / "data"))
EDITION = DATA / "cr" / "cr-20260807.txt"
CARDS = CardsInMemory(
    [
        CardFacts("Test Dragon, Eater of Tests", "Creature — Dragon", ("Flying",), "Flying"),
        CardFacts("Grizzled Tester", "Creature — Bear"),
        CardFacts("Fire // Ice", "Instant // Instant"),
    ]
)


@pytest.fixture(scope="module")
def rulebook() -> Rulebook:
    if not EDITION.is_file():
        pytest.skip(f"the official text is not there: {EDITION}")
    return read_rulebook(EDITION.read_bytes(), EDITION.name)


@pytest.fixture(scope="module")
def citer(rulebook: Rulebook) -> Citer:
    return Citer(Book(rulebook), CARDS)


@pytest.mark.parametrize(("text", "wanted"), table("cite.txt", at_least=20))
def test_a_wanted_rule_is_among_the_first_five(citer: Citer, text: str, wanted: str) -> None:
    first = [citation.rule for citation in citer.cite(text).citations[:5]]
    assert set(first) & set(wanted.split()), first


def test_a_printed_number_comes_first_and_is_its_own_evidence(citer: Citer) -> None:
    best = citer.cite("An Aura that enchants nothing is lost (see rule 704.5m).").citations[0]
    assert best.rule == "704.5m"
    assert "704.5m" in [one.text for one in best.evidence]


@settings(max_examples=40)
@given(st.lists(st.sampled_from(["fly", "reach", "block", "zone", "trampl"]), max_size=8))
def test_arrays_give_the_same_scores(said: list[str]) -> None:
    documents = [["fly", "block"], ["reach"], [], ["block", "block", "zone", "fly"]]
    plain, quick = Field(documents), Field(documents)
    quick.use_arrays()
    assert quick.score(said) == pytest.approx(plain.score(said))
    assert quick.cover(set(said)) == pytest.approx(plain.cover(set(said)))


def test_a_name_in_the_answer_is_not_what_was_asked_for(citer: Citer) -> None:
    cited = citer.cite("What does first strike do?", "Like double strike, it deals damage first. See also menace.")
    assert [citation.rule for citation in cited.asserted] == ["702.7"]


PRINTED = [
    ("See rules 702.9b and 702.7a–c.", ["702.9b", "702.7a", "702.7b", "702.7c"]),
    ("Rule 704.5m says so.", ["704.5m"]),
    ("It costs $100.50 and rule 702.999 is none.", []),
    ("103.1-3 are about the beginning.", ["103.1", "103.2", "103.3"]),
]


@pytest.mark.parametrize(("text", "wanted"), PRINTED)
def test_printed_numbers_are_asserted_and_no_words_of_a_rule(citer: Citer, text: str, wanted: list[str]) -> None:
    cited = citer.cite(text)
    assert [one.rule for one in cited.asserted] == wanted
    shown = [one.text for citation in cited.citations for one in citation.evidence if one.why != "the number"]
    assert not [words for words in shown if not re.sub(r"[\d.–-]+[a-z]{0,2}\b|\W", "", words)]


def test_every_citation_has_its_words_and_none_is_surer_than_the_one_before(citer: Citer) -> None:
    for text, _ in table("cite.txt", at_least=20):
        citations = citer.cite(text).citations
        assert all(one.evidence for one in citations)
        confidences = [one.confidence for one in citations]
        assert confidences == sorted(confidences, reverse=True)


def test_nothing_is_cited_where_no_word_is_shared(citer: Citer) -> None:
    assert citer.cite("zzz qqq").citations == ()


def test_evidence_stands_in_the_text_and_its_answer(citer: Citer) -> None:
    cited = citer.cite("Can it block a creature with flying?", "Only if it has flying or reach.", ["Grizzled Tester"])
    assert cited.text == "Can it block a creature with flying? Only if it has flying or reach."
    found = [one for citation in cited.citations for one in citation.evidence]
    assert found
    for one in found:
        assert cited.text[one.start : one.end] == one.text


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_answered_within_bounds(text: str) -> None:
    citer = _KEPT.setdefault("citer", _citer())
    if citer is None:
        return
    cited = citer.cite(text)
    assert len(cited.citations) <= MOST
    assert len({citation.rule for citation in cited.citations}) == len(cited.citations)
    for citation in cited.citations:
        assert 0 <= citation.confidence <= 1
        assert citation.asserted == (citation.confidence >= citer.ranker.calibration.asserted)


_KEPT: dict[str, Citer | None] = {}


def _citer() -> Citer | None:
    return Citer(Book(read_rulebook(EDITION.read_bytes(), EDITION.name))) if EDITION.is_file() else None


@pytest.mark.parametrize("text", ["", "hello world", "The weather is nice in Kyoto today.", "1 + 1 = 2"])
def test_where_nothing_governs_nothing_is_asserted(citer: Citer, text: str) -> None:
    assert citer.cite(text).asserted == ()


def test_the_signals_add_up_to_the_score(citer: Citer) -> None:
    for citation in citer.cite("What does vigilance do?").citations[:3]:
        assert citation.signals is not None
        assert set(citation.signals) == set(SIGNALS)


def test_the_weights_name_every_signal_and_no_other() -> None:
    for semantic in (True, False):
        assert list(Ranker.load(semantic=semantic).as_json()["signals"]) == list(SIGNALS)


def test_confidence_grows_with_share_and_lead() -> None:
    curve = Ranker.load(semantic=False).calibration
    assert curve.confidence(0.9, 2.0, 1.0, first=True) > curve.confidence(0.1, 2.0, 1.0, first=True)
    assert isinstance(curve, Calibration)
    assert 0 < curve.asserted <= 1


def test_cards_are_found_by_name_face_and_first_name() -> None:
    text = "Grizzled Tester fights Test Dragon while Fire burns. Ice is cold."
    found = named_cards(
        text, ["Test Dragon, Eater of Tests", "Fire // Ice"], CARDS, {"ice", "fire", "grizzled", "test"}
    )
    assert [text[card.start : card.end] for card in found] == ["Grizzled Tester", "Test Dragon", "Fire", "Ice"]
    assert all(card.facts for card in found)


def test_players_words_are_bound_to_the_words_of_the_rule(rulebook: Rulebook) -> None:
    found = players_words(rulebook)
    assert len(found) > 650
    numbers = {number: digests for number, digests, _ in lines()}
    for rule in rulebook.rules:
        if rule.key in numbers and rule.occurrence == 1:
            assert digest(rule.text) in numbers[rule.key]


def test_a_citation_is_written_in_every_format() -> None:
    citation = Citation("702.9b", "2026-09-25", "Flying & more", 'It "flies" <high>.', "https://rules.example/702.9b")
    assert citation.short == "CR 702.9b (September 25, 2026)"
    assert (
        citation.markdown == '[CR 702.9b (September 25, 2026)](https://rules.example/702.9b "It \\"flies\\" <high>.")'
    )
    assert "&lt;high&gt;" in citation.html
    assert citation.bibtex.startswith("@misc{cr-2026-09-25-702.9b,")
    assert json.loads(citation.csl_json)[0]["issued"] == {"date-parts": [[2026, 9, 25]]}
    assert citation.long.endswith('“Flying & more”: “It "flies" <high>.”')
    assert all(form(citation) for form in FORMATS.values())


BAD_LINES = [
    "not json",
    '{"id": "1"}',
    '{"id": "1", "text": 7}',
    '{"id": "1", "text": "x", "cards": "Flying"}',
    '{"id": "1", "text": "x", "date": "nope"}',
    "[]",
]


@pytest.mark.parametrize("line", BAD_LINES)
def test_a_line_of_a_batch_that_is_no_item_is_told(tmp_path: Path, line: str) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text('{"id": "0", "text": "What does flying do?"}\n' + line + "\n", encoding="utf-8")
    done = CliRunner().invoke(group, ["--home", str(tmp_path / "home"), "cite", "--batch", str(path)])
    assert isinstance(done.exception, SeeruleError)
    assert "in.jsonl, line 2: expected" in str(done.exception)
