"""Cards and rulings in a build: taken in whole or not at all, kept beside new editions, and asked from the command
line.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ingest.build import BuildReport, Inputs, build_home
from ingest.records import UnreadableRecords
from kb.card_graph import search_key
from kb.errors import SeeruleError
from kb.home import Home
from kb.vocabulary import STATED, Names
from query.cards import _closest
from query.cli import group
from query.knowledge_base import KnowledgeBase
from tests.card_files import ATOMIC, CURRENT, SCRYFALL, SCRYFALL_RULINGS, cards_by_name, needs_cards
from tests.official import edition_file
from tests.tables import table

pytestmark = needs_cards
OLDER = "cr-20250919.txt"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, BuildReport]:
    """A home with an edition and the unmodified samples."""
    home = tmp_path_factory.mktemp("home")
    inputs = Inputs((edition_file(OLDER),), cards=(SCRYFALL, ATOMIC), rulings=(SCRYFALL_RULINGS,))
    return home, build_home(inputs, Home(home))


def run(home: Path, *arguments: str) -> Result:
    return CliRunner().invoke(group, [*arguments, "--home", str(home)])


def test_the_report_counts_what_was_read(built: tuple[Path, BuildReport]) -> None:
    home, report = built
    assert report.cards is not None
    assert (report.cards.cards, report.cards.rulings, report.cards.broken) == (378, 150, ())
    assert [name for name, _ in report.cards.sources] == [SCRYFALL.name, ATOMIC.name, SCRYFALL_RULINGS.name]
    counted = dict(report.cards.parts)
    with KnowledgeBase.open(home) as base:
        for name in (*STATED, "mentions"):
            assert sum(1 for _ in base.store.quads(graph=Names().collection(name))) == counted[name] > 100


def test_the_same_files_are_not_read_again(built: tuple[Path, BuildReport]) -> None:
    home, report = built
    inputs = Inputs((edition_file(OLDER),), cards=(SCRYFALL, ATOMIC), rulings=(SCRYFALL_RULINGS,))
    again = build_home(inputs, Home(home))
    assert (again.unchanged, again.cards, again.quads) == (True, report.cards, report.quads)


def test_a_refused_file_leaves_the_old_build(built: tuple[Path, BuildReport], tmp_path: Path) -> None:
    home, report = built
    broken = tmp_path / "cards.json"
    broken.write_bytes(SCRYFALL.read_bytes()[:400_000])
    before = Home(home).current()
    with pytest.raises(UnreadableRecords, match="cut short"):
        build_home(Inputs((edition_file(OLDER),), cards=(broken,)), Home(home))
    now = Home(home).current()
    assert before is not None
    assert now is not None
    assert now.path == before.path
    assert now.description().quads == report.quads
    assert [path.name for path in (home / "builds").iterdir()] == [before.path.name]


def test_cards_stay_when_an_edition_is_added_and_are_read_by_the_newest(tmp_path: Path) -> None:
    home = Home(tmp_path)
    build_home(Inputs((edition_file(OLDER), edition_file("cr-20170825.txt"))), home)
    with_cards = build_home(Inputs((), add=True, cards=(SCRYFALL,), rulings=(SCRYFALL_RULINGS,)), home)
    newer = build_home(Inputs((edition_file(CURRENT),), add=True), home)
    assert with_cards.cards is not None
    assert newer.cards is not None
    assert (with_cards.cards.edition, newer.cards.edition) == ("2025-09-19", "2026-09-25")
    assert (with_cards.cards.cards, with_cards.cards.rulings) == (newer.cards.cards, newer.cards.rulings)
    assert with_cards.cards.sources == newer.cards.sources
    assert [holding.edition for holding in newer.holdings] == ["2017-08-25", "2025-09-19", "2026-09-25"]
    with KnowledgeBase.open(tmp_path) as base:
        assert base.card("Adeline, Resplendent Cathar").faces[0].uses[0].number == "702.20"
    for arguments, expected in table("older_edition.txt", at_least=10):
        said = run(tmp_path, *arguments.split(" ; "), "--edition", "2017-08-25")
        assert said.exception is None or isinstance(said.exception, SeeruleError)
        text = " ".join((said.output or str(said.exception)).split())
        for part in expected.split(" & "):
            assert part in text, arguments
    without = build_home(Inputs((edition_file(CURRENT),)), home)
    assert without.cards is None


def test_cards_need_the_official_text(tmp_path: Path) -> None:
    with pytest.raises(SeeruleError, match="cards need the official text"):
        build_home(Inputs((), add=True, cards=(SCRYFALL,)), Home(tmp_path))


@pytest.mark.parametrize(("arguments", "expected"), table("card_commands.txt", at_least=18))
def test_commands_answer(built: tuple[Path, BuildReport], arguments: str, expected: str) -> None:
    said = run(built[0], *arguments.split(" ; "))
    text = " ".join((said.output or str(said.exception)).split())
    if isinstance(said.exception, SeeruleError):
        text = " ".join(str(said.exception).split())
    for part in expected.split(" & "):
        assert part in text
    assert said.exception is None or isinstance(said.exception, SeeruleError)


def test_a_card_as_json_keeps_facts_and_inferences_apart(built: tuple[Path, BuildReport]) -> None:
    card = json.loads(run(built[0], "card", "adeline resplendent cathar", "--json").output)
    assert (card["name"], card["mana_value"], card["layout"]) == ("Adeline, Resplendent Cathar", "3", "normal")
    assert card["legalities_as_of"] == "2025-11-01"
    assert ["modern", "legal"] in card["legalities"]
    use = card["faces"][0]["uses"][0]
    assert (use["keyword"], use["number"], use["origin"], use["start"], use["end"]) == (
        "Vigilance",
        "702.20",
        "printed",
        0,
        9,
    )
    rule = next(rule for rule in card["rules"] if rule["number"] == "702.20")
    assert [part["key"] for part in rule["text"]] == ["702.20a", "702.20b"]
    assert rule["more"] == 1
    assert {tag["group"] for tag in card["tags"]} >= {
        "ability",
        "mana cost",
        "creature kind",
        "keyword",
        "timing",
        "type",
    }
    assert all(tag["rule"] or tag["field"] for tag in card["tags"])


def test_named_queries_about_cards(built: tuple[Path, BuildReport]) -> None:
    for name, at_least in (("cards-with-keyword", 5), ("rules-by-cards", 20), ("cards-by-tag", 0)):
        rows = run(built[0], "sparql", "--name", name, "--format", "tsv").output.strip().splitlines()
        assert len(rows) > at_least, name
    rows = run(built[0], "sparql", "--name", "rulings-by-rule", "--parameter", "rule=702.34", "--format", "tsv").output
    assert "names Flashback" in rows


def test_rulings_are_found_by_what_a_rule_was_called_when_they_cited_it(tmp_path: Path) -> None:
    cards, rulings = tmp_path / "cards.jsonl", tmp_path / "rulings.jsonl"
    cards.write_text(
        '{"object": "card", "name": "Ann", "oracle_id": "0-1", "layout": "normal", "oracle_text": "Draw."}\n'
    )
    ruling = {"object": "ruling", "oracle_id": "0-1", "source": "wotc"}
    dated = [("2017-08-25", "Rule 704.5m."), ("2018-01-19", "It is rule 704.5n."), ("2018-01-19", "And rule 704.5a.")]
    said = [json.dumps({**ruling, "published_at": date, "comment": text}) for date, text in dated]
    rulings.write_text("\n".join(said) + "\n")
    files = tuple(edition_file(f"cr-{date}.txt") for date in ("20170825", "20190614", "20260925"))
    build_home(Inputs(files, cards=(cards,), rulings=(rulings,)), Home(tmp_path / "home"))
    for number, expected in (("704.5a", "1 of 1"), ("704.5k", "1 of 1"), ("704.5m", "0 of 0"), ("704.5n", "0 of 0")):
        assert f"{expected} rulings" in run(tmp_path / "home", "rulings", "--rule", number).output
    text = " ".join(run(tmp_path / "home", "card", "Ann").output.split())
    assert "[cites 2017-08-25/704.5m]" in text
    assert "[prints rule 704.5n: which rule that was on 2018-01-19 is unknown: 704.5n of the edition of" in text


@pytest.mark.parametrize("command", [("card",), ("keyword",), ("rulings", "--card")])
@pytest.mark.parametrize("name", ["\udce9", "Adeline\ud800", "a\0b", "\x85", "x" * 5000])
def test_a_name_that_is_none_is_answered(built: tuple[Path, BuildReport], command: tuple[str, ...], name: str) -> None:
    with KnowledgeBase.open(built[0]) as base, pytest.raises(SeeruleError) as caught:
        (base.keyword if command == ("keyword",) else base.card)(name)
    assert "called" in str(caught.value) or "have no keyword" in str(caught.value)
    said = run(built[0], *command, name)
    assert said.exception is None or isinstance(said.exception, SeeruleError | SystemExit)
    assert said.exit_code in (1, 2)


@pytest.mark.parametrize(("wanted", "expected"), table("did_you_mean_card.txt", at_least=10))
def test_names_that_are_meant_are_offered(wanted: str, expected: str) -> None:
    names = [search_key(name) for name in cards_by_name()]
    offered = _closest(search_key(wanted), names)
    assert search_key(expected) in offered if expected else not offered
