"""The commands `ask`, `combat` and `lint-rules`: what they print, how they fail, and what they import."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from pyoxigraph import RdfFormat
from pyoxigraph import parse as parse_turtle

from kb.number import RuleNumber
from kb.shipped import shipped
from query.cli import group, main
from query.predicate.citation_lint import Locked, bears, current_lock, digest, lint, lock_text, read_lock
from query.predicate.program import load, parse
from tests.official import needs_data, rulebook

BOARD = """\
players: [ann, bob]
battlefield:
  - {id: drake, controller: ann, types: [creature], power: 2, toughness: 2, keywords: [flying]}
  - {id: bear, controller: bob, types: [creature], power: 2, toughness: 2}
attacks: {drake: bob}
"""
HOUSE = """\
rule 509.1b restrictions: stopped(B, A, "house rule") if has(A, tall), candidate(B, A).
  yes: has(giraffe, tall), candidate(bear, giraffe).
  no: candidate(bear, giraffe).
"""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("SEERULE_HOME", str(tmp_path / "home"))
    file = tmp_path / "board.yaml"
    file.write_text(BOARD, encoding="utf-8")
    return file


def run(*arguments: object) -> Result:
    return CliRunner().invoke(group, [str(one) for one in arguments], catch_exceptions=False)


def test_ask_answers_with_the_rules(path: Path) -> None:
    found = run("ask", path, "can_block(bear, drake)").output
    assert found.splitlines()[0] == "can_block(bear, drake): no"
    assert "702.9b" in found
    assert "(2026-09-25)" in found


def test_ask_tells_why_and_why_not(path: Path) -> None:
    found = run("ask", path, "can_block(bear, drake)", "--why", "--why-not").output
    assert "rule 702.9b flying" in found
    assert "it would be otherwise with has(bear, reach)" in found


def test_ask_prints_json_markdown_and_turtle(path: Path) -> None:
    assert json.loads(run("ask", path, "can_block(bear, drake)", "--format", "json").output)["answer"] == "no"
    assert run("ask", path, "can_block(bear, drake)", "--format", "md").output.startswith("**can_block")
    assert "/id/cr/2026-09-25/702.9b>" in run("ask", path, "can_block(bear, drake)", "--format", "ttl").output


def test_what_would_flip_an_answer_is_part_of_one_document(path: Path) -> None:
    asked = ("ask", path, "can_block(bear, drake)", "--why-not", "--format")
    data = json.loads(run(*asked, "json").output)
    assert ["with has(bear, reach)"] in data["why_not"]["flips"]
    turtle = run(*asked, "ttl").output
    assert "# it would be otherwise with has(bear, reach)" in turtle
    assert list(parse_turtle(input=turtle.encode(), format=RdfFormat.TURTLE))
    path.write_text(BOARD.replace("flying", "menace") + "blocks: {bear: drake}\n", encoding="utf-8")
    ended = run("ask", path, "legal_blocks", "--why-not")
    assert ended.exit_code == 0
    assert ended.output.endswith("it would be otherwise without blocks(bear, drake)\n")


def test_ask_lists_legal_declarations_up_to_a_cap(path: Path) -> None:
    path.write_text(BOARD.replace("flying", "menace"), encoding="utf-8")
    found = run("ask", path, "legal_blocks", "--cap", "1").output
    assert "legal_blocks: yes" in found
    assert "legal declarations:" in found


def test_a_rule_file_of_ones_own_counts(path: Path, tmp_path: Path) -> None:
    house = tmp_path / "house.rules"
    house.write_text(HOUSE, encoding="utf-8")
    path.write_text(BOARD.replace("flying", "tall"), encoding="utf-8")
    assert run("ask", path, "can_block(bear, drake)").output.startswith("can_block(bear, drake): yes")
    assert run("ask", path, "can_block(bear, drake)", "--rules", house).output.startswith("can_block(bear, drake): no")


@pytest.mark.parametrize(
    ("house", "message"),
    [
        (HOUSE.replace("509.1b", "509.1z"), "house.rules:1:1: the edition has no rule 509.1z"),
        (HOUSE.replace("stopped", "stoped"), "no predicate 'stoped' is declared; did you mean 'stopped'?"),
        (HOUSE.replace("509.1b ", ""), "house.rules:1:6: expected rule number, found 'restrictions:'"),
    ],
)
def test_a_wrong_rule_file_is_told_and_ends_with_2(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], house: str, message: str
) -> None:
    file = tmp_path / "house.rules"
    file.write_text(house, encoding="utf-8")
    with pytest.raises(SystemExit) as error:
        main(["ask", str(path), "can_block(bear, drake)", "--rules", str(file)])
    assert error.value.code == 2
    assert message in capsys.readouterr().err


def test_sparql_can_ask_which_answers_rest_on_a_rule(path: Path, tmp_path: Path) -> None:
    files = []
    for at, question in enumerate(("can_block(bear, drake)", "can_attack(drake, bob)")):
        files += ["--with", tmp_path / f"{at}.ttl"]
        files[-1].write_text(run("ask", path, question, "--format", "ttl").output, encoding="utf-8")
    query = (
        "SELECT ?question ?heading { ?answer a sr:Answer ; rdfs:label ?question ; sr:restsOn ?rule . "
        '?rule eli:number "702.9b" ; eli:is_part_of ?above . ?above dcterms:title ?heading }'
    )
    found = run("sparql", query, *files, "--format", "csv").stdout
    assert found.splitlines()[1:] == ['"can_block(bear, drake)",Flying']


def test_combat_is_a_table(path: Path) -> None:
    found = run("combat", path).output
    assert "drake deals 2 to bob" in found
    assert "bob has 18 life" in found
    assert "120.3a" in found


def test_no_command_goes_on_when_its_time_is_over(path: Path) -> None:
    assert "undecided: no answer within 0 seconds" in run("combat", path, "--seconds", "0").output
    for question in ("dies(bear)", "legal_blocks", "legal_attacks"):
        ended = run("ask", path, question, "--seconds", "0", "--why-not")
        assert (ended.exit_code, ended.output.splitlines()[0]) == (0, f"{question}: undetermined")


def test_a_warm_question_imports_no_grammar_and_no_solver(path: Path) -> None:
    code = (
        "import sys; from query.cli import main\n"
        f"try: main(['ask', {str(path)!r}, 'can_block(bear, drake)'])\n"
        "except SystemExit: pass\n"
        "print(sorted({'pyparsing', 'clingo', 'rdflib', 'networkx', 'httpx', 'rich'} & set(sys.modules)))"
    )
    for expected in ("['pyparsing']", "[]"):
        ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert ended.stdout.splitlines()[-1] == expected


def test_lint_rules_finds_nothing_in_the_shipped_rules(path: Path) -> None:
    assert path.exists()
    found = run("lint-rules")
    assert found.exit_code == 0, found.output
    assert "0 faults" in found.output


@needs_data
def test_every_shipped_citation_is_true() -> None:
    program, book = load(), rulebook("cr-20260925.txt")
    lock = read_lock(shipped("rules", "citations.lock"))
    assert list(lint(program, book, lock)) == []
    assert lock == current_lock(program, book)
    assert len(lock) >= 165


@needs_data
def test_a_citation_that_is_not_true_is_told() -> None:
    book = rulebook("cr-20260925.txt")
    text = "given predicate q(a: word).\npredicate p(a: word).\nrule {} {}: p(A) if q(A)."
    true = parse(text.format("702.9b", "flying"), "f.rules")
    good = current_lock(true, book)
    number = RuleNumber.parse("702.9b")
    assert list(lint(true, book, good)) == []
    for program, lock, told in (
        (parse(text.format("702.9z", "flying"), "f.rules"), {}, "have no rule 702.9z; 702.9 has 702.9a to 702.9c"),
        (parse(text.format("702.9b", "trample"), "f.rules"), good, "rule 702.9b does not say 'trample'"),
        (true, {}, "rule 702.9b is not in citations.lock"),
        (true, {number: Locked("2019-10-04", "0" * 16)}, "no longer says what it said in the rules of 2019-10-04"),
        (true, {number: Locked("2019-10-04", digest(book[RuleNumber.parse("702.10b")].text))}, "is rule 702.10b in"),
    ):
        (fault,) = lint(program, book, lock)
        assert told in fault
    assert bears(book, number, "Flying")
    assert read_lock(shipped("rules", "no.lock")) == {}
    assert lock_text(good).splitlines()[1].startswith("702.9b\t2026-09-25\t")
