"""What is sent to break the judge: it ends soon with a message, and nothing of it is run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.errors import SeeruleError
from query.predicate.board_file import parse_board, read_board
from query.predicate.board_read import board
from query.predicate.derive import Deriver
from query.predicate.judge import Judge
from query.predicate.limits import Limits
from query.predicate.program import load, parse
from query.predicate.syntax import Fact

PROGRAM = load()
JUDGE = Judge(PROGRAM, limits=Limits(1.5, 150_000))
EVIL = '__import__("os").system("touch /tmp/seerule-was-here")'


def test_ten_thousand_objects_are_answered_or_given_up() -> None:
    one = {"types": ["creature"], "power": 1, "toughness": 1, "count": 5000}
    crowd = [{"id": "a", "controller": "ann", **one}, {"id": "b", "controller": "bob", **one}]
    data = {"players": ["ann", "bob"], "battlefield": crowd, "attacks": {f"a{n}": "bob" for n in range(1, 5001)}}
    found = board(data)
    for question in ("can_block(b1, a1)", "dies(a1)", "legal_blocks"):
        answer = JUDGE.ask(found, question)
        assert answer.value == "undetermined"
        assert answer.missing
    with pytest.raises(SeeruleError, match="more than 20,000 permanents"):
        board({"players": ["ann"], "battlefield": [{"id": "x", "controller": "ann", "count": 20_001}]})


@pytest.mark.parametrize(
    ("value", "column", "told"),
    [
        (" + ".join(["1"] * 20_000), 432, "a statement reckons with at most 100 of + - *, found 19999"),
        ("(" * 30 + "1" + " * 1)" * 30 + " + 1" * 200, 0, "at most 100 of + - *"),
        ("9" * 6_000, 30, "a number has at most 9 digits, found one of 6000"),
        ("-" * 6_000 + "1", 130, "at most 100 of + - *"),
        ("(" * 6_000, 70, "brackets nest deeper than 40"),
    ],
)
def test_a_hostile_rule_file_gets_one_error_with_its_place(value: str, column: int, told: str) -> None:
    with pytest.raises(SeeruleError) as error:
        parse(f"predicate n(x: number).\nrule 100.1 game: n(X) if X = {value}.", "f.rules")
    (line,) = str(error.value).splitlines()
    assert told in line
    assert line.startswith(f"f.rules:2:{column or ''}")


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("[" * 5000 + "]" * 5000, ".json"),
        ('{"players":' * 3000 + "1" + "}" * 3000, ".json"),
        ("- " * 5000 + "x", ".yaml"),
        ("a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]", ".yaml"),
        ("!!python/object/apply:os.system ['touch /tmp/seerule-was-here']", ".yaml"),
        ("players: !!python/name:os.system [a]", ".yaml"),
        ("<a> <b> " + "(" * 3000 + ")" * 3000 + " .", ".ttl"),
        ("@prefix sr: <https://seerule.example/ontology#> . _:b a sr:Board ; sr:players _:l . _:l <x> _:l .", ".ttl"),
        ("\x00\x01", ".yaml"),
        ("", ".json"),
        ("", ".yaml"),
    ],
)
def test_a_hostile_board_file_is_refused(text: str, notation: str) -> None:
    with pytest.raises(SeeruleError):
        parse_board(text, notation)
    assert not Path("/tmp/seerule-was-here").exists()


def test_a_board_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_bytes(b"\xff\xfe\x00")
    for name in ("x.yaml", "none.yaml", "x.exe"):
        with pytest.raises(SeeruleError, match=r"x\.yaml|none\.yaml|a board file ends in"):
            read_board(tmp_path / name)


@pytest.mark.parametrize("name", [EVIL, "x y", '"', "\\", "]]", "{x}", "é", "0", "p_x(1). :- p_x(1", "\n", "%"])
def test_no_name_is_ever_run_or_breaks_a_question(name: str) -> None:
    data: dict[str, Any] = {
        "players": ["ann", "bob"],
        "battlefield": [
            {
                "id": name,
                "name": name,
                "controller": "ann",
                "types": ["creature"],
                "power": 1,
                "toughness": 1,
                "keywords": [name],
            },
            {"id": "bear", "controller": "bob", "types": ["creature"], "power": 1, "toughness": 1},
        ],
        "attacks": {name: "bob"},
        "blocks": {"bear": name},
    }
    found = parse_board(json.dumps(data), ".json")
    assert JUDGE.ask(found, "dies(bear)").value == "yes"
    assert JUDGE.ask(found, "legal_blocks").value == "yes"
    assert not Path("/tmp/seerule-was-here").exists()


def test_no_word_of_a_rule_file_is_ever_run() -> None:
    program = parse(
        f'given predicate q(a: word).\npredicate p(a: word).\nrule 1 x: p({json.dumps(EVIL)}) if q(A), A != "\'".'
    )
    assert (EVIL,) in Deriver(program).derive([("q", ("x",))]).rows("p")
    assert not Path("/tmp/seerule-was-here").exists()


@pytest.mark.parametrize("size", [50, 3000])
def test_a_long_chain_is_proven_without_recursion(size: int) -> None:
    from query.predicate.proof import prove
    from query.predicate.proof_text import proof_text

    declared = "given predicate e(a: number, b: number).\npredicate r(a: number).\n"
    text = declared + "rule 1 x: r(0).\nrule 1 x: r(B) if r(A), e(A, B)."
    facts: list[Fact] = [("e", (at, at + 1)) for at in range(size)]
    proof = prove(Deriver(parse(text)).derive(facts, limits=Limits(30)), ("r", (size,)))
    assert len(list(proof.steps())) == 2 * size + 1
    assert len(proof_text(proof).splitlines()) == 2 * size + 1


NAMES = st.sampled_from(["ann", "bob", "x", "y", "flying", "lure", 1, -1, 10**30, True, None, "", EVIL])
KEYS = st.sampled_from(["id", "controller", "types", "power", "keywords", "effects", "attacks", "x"])
VALUES = st.recursive(
    NAMES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=8
)
FIELDS = st.sampled_from(
    ["players", "battlefield", "attacks", "blocks", "effects", "choices", "stack", "facts", "unknown", "step"]
)


@settings(max_examples=150)
@given(st.dictionaries(FIELDS, VALUES, max_size=6))
def test_any_data_is_a_board_that_can_be_asked_or_a_fault(data: dict[str, Any]) -> None:
    try:
        value: str = JUDGE.ask(board({"players": ["ann", "bob"], **data}), "dies(X)").value
    except SeeruleError as error:
        value = str(error)
    assert value
