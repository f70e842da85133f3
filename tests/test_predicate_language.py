"""Rule files: what they mean, what is wrong with them, and that printing and keeping them loses nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.errors import SeeruleError
from kb.number import RuleNumber
from query.predicate.check import MOST_PREMISES
from query.predicate.examples import broken
from query.predicate.language import DEEPEST, Reader, RuleFileError
from query.predicate.program import Program, load, parse, shipped_rules
from query.predicate.rule_cache import keep, kept
from query.predicate.syntax import Clause
from tests.tables import table

DECLARED = """\
given predicate q(a: word).
predicate p(a: word).
given predicate num(n: number).
predicate s(T: stage, x: word).
predicate u(a: word).
predicate v(a: word).
open predicate o(a: word).
"""
ENOUGH = """
rule 100.1 x: p(X) if q(X).
rule 100.1 x: s(0, X) if q(X).
rule 100.1 x: u(X) if q(X).
rule 100.1 x: v(X) if q(X).
"""
KNOWN = {RuleNumber.parse(number) for number in ("100.1", "702.9b", "509.1a", "509.1b", "509.1c")}


@pytest.mark.parametrize(("text", "message"), table("rule_faults.txt", at_least=50))
def test_a_fault_says_where_and_what(text: str, message: str) -> None:
    with pytest.raises(SeeruleError) as error:
        parse(DECLARED + text.replace(";;", "\n") + ENOUGH, "f.rules", KNOWN)
    assert str(error.value).splitlines()[0] == message


def test_every_fault_of_a_file_is_told_at_once() -> None:
    with pytest.raises(RuleFileError) as error:
        parse(DECLARED + "rule 702.9b flying: p(.\nrule 702.9b: p(A).\n", "f.rules")
    assert len(error.value.faults) == 2


def test_shipped_clauses_bear_out_their_boards() -> None:
    program = load()
    examples = [example for clause in program.clauses for example in clause.examples]
    assert len(program.clauses) >= 340
    assert len(examples) >= 680
    assert list(broken(program)) == []


def test_an_example_that_its_clause_does_not_bear_out_is_told() -> None:
    text = "rule 702.9b flying: p(A) if q(A).\n  yes: num(1).\n  no: q(a).\n  yes: q(a) gives p(b).\n"
    program = parse(DECLARED + text + ENOUGH, "f.rules")
    told = [fault for fault in broken(program) if ":9:" in fault or ":10:" in fault or ":11:" in fault]
    assert [fault.split(": ", 1)[1] for fault in told] == [
        "the clause for p(A) does not hold here",
        "the clause gives p(a) here",
        "the clause gives ['p(a)']",
    ]


def test_a_printed_clause_reads_back_as_itself() -> None:
    reader = Reader()
    clauses = load().clauses
    assert clauses
    for clause in clauses:
        again = reader.statements(f"rule {clause.cites} {clause.label}: {clause}.", "again")[0]
        assert isinstance(again, Clause)
        assert str(again) == str(clause)


def test_what_is_kept_is_what_was_parsed(tmp_path: Path) -> None:
    texts = [(path.name, path.read_text(encoding="utf-8")) for path in shipped_rules()]
    program = load(cache=tmp_path)
    again = kept(tmp_path, texts)
    assert again == program
    assert kept(tmp_path, [*texts, ("more.rules", "")]) is None
    (only,) = tmp_path.iterdir()
    only.write_text('{"statements": ["Shell"], "strata": []}', encoding="utf-8")
    assert kept(tmp_path, texts) is None
    keep(tmp_path / "file", texts, program)


def test_a_kept_program_still_must_cite_what_exists(tmp_path: Path) -> None:
    load(cache=tmp_path)
    with pytest.raises(SeeruleError, match="the edition has no rule"):
        load(rules={RuleNumber.parse("702.9b")}, cache=tmp_path)


def test_a_rule_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(SeeruleError, match="cannot be read as a rule file"):
        load([tmp_path / "none.rules"])


def test_deep_brackets_and_long_clauses_are_refused() -> None:
    deep = "(" * (DEEPEST + 1) + "1" + ")" * (DEEPEST + 1)
    with pytest.raises(RuleFileError, match="brackets nest deeper"):
        parse(DECLARED + f"rule 702.9b flying: p(A) if q(A), 1 = {deep}." + ENOUGH)
    long = ", ".join(["q(A)"] * (MOST_PREMISES + 1))
    with pytest.raises(SeeruleError, match="split the clause"):
        parse(DECLARED + f"rule 702.9b flying: p(A) if {long}." + ENOUGH)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from([*'pqA_,.():"=<>+-*0129 \n\\#', "rule ", "not ", "if ", "count("]), max_size=60))
def test_any_text_is_a_program_or_a_fault(parts: list[str]) -> None:
    text = DECLARED + "".join(parts) + ENOUGH
    try:
        program = parse(text)
    except SeeruleError as error:
        program, told = None, str(error)
        assert "rules:" in told
    assert program is None or isinstance(program, Program)
