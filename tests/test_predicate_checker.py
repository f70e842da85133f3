"""The checker of proofs: every way in which one step may be wrong is refused by that step alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from query.predicate.checker import Checker, WrongProofError, check_proof
from query.predicate.derive import Deriver
from query.predicate.program import parse
from query.predicate.proof import Proof, prove
from query.predicate.refute import refute
from query.predicate.syntax import Aggregate, Atom, Comparison, Fact, Operation, Score, Variable

PROGRAM = parse("""\
given predicate n(a: word, k: number).
given predicate picks(a: word).
predicate large(a: word).
predicate least(a: word).
predicate most(k: number).
predicate many(a: word, c: number).
predicate small(a: word).
predicate option(a: word).
predicate gets(a: word, k: number).
rule 100.1 x: large(A) if n(A, K), K > 2, not least(A).
rule 100.1 x: least(A) if n(A, K), K = min(J : n(_, J)).
rule 100.1 x: most(K) if K = max(J : n(_, J)).
rule 100.1 x: many(A, C) if n(A, K), C = count(B : n(B, J), J < K), C + 1 > 1.
rule 100.1 x: small(A) if n(A, K), M = K * 2 - 1, M < 4, not large(A).
rule 100.1 x: option(A) if n(A, _).
choose 100.1 x: picks(A) from option(A).
maximize 100.1 x: K for gets(A, K).
rule 100.1 x: gets(A, K) if picks(A), n(A, K).
""")
FACTS: list[Fact] = [("n", ("a", 3)), ("n", ("b", 1)), ("n", ("c", 5)), ("picks", ("a",)), ("picks", ("c",))]
MODEL = Deriver(PROGRAM).derive(FACTS)


def proof(predicate: str, *row: str | int) -> Proof:
    return prove(MODEL, (predicate, row))


def given(predicate: str, *row: str | int) -> Proof:
    return Proof(Atom(predicate, row), "given")


def lack(predicate: str, *terms: str | int | Variable) -> Proof:
    return Proof(Atom(predicate, terms), "absent")


def reckoned(operator: str, left: object, right: object) -> Proof:
    return Proof(Comparison(operator, left, right), "arithmetic")  # type: ignore[arg-type]


def with_premise(step: Proof, at: int, other: Proof) -> Proof:
    return replace(step, premises=(*step.premises[:at], other, *step.premises[at + 1 :]))


def optimum(reached: int, best: int, *below: Proof) -> Proof:
    return Proof(Score(reached, best), "optimum", PROGRAM.objectives[0], below)


LARGE, MANY, SMALL, MOST = proof("large", "a"), proof("many", "c", 2), proof("small", "b"), proof("most", 5)
COUNT = MANY.premises[1]
COUNTED = COUNT.says
assert isinstance(COUNTED, Aggregate)
GETS = (proof("gets", "a", 3), proof("gets", "c", 5))
RIGHT = (LARGE, MANY, SMALL, MOST, proof("least", "b"), optimum(8, 8, *GETS), optimum(8, 9), lack("large", "b"))


@pytest.mark.parametrize("step", RIGHT, ids=str)
def test_a_true_proof_is_accepted(step: Proof) -> None:
    assert check_proof(step, PROGRAM, FACTS) == len(list(step.steps()))


WRONG = {
    "a comparison that is false for these values": with_premise(
        replace(LARGE, says=Atom("large", ("b",)), premises=(given("n", "b", 1), *LARGE.premises[1:])),
        1, reckoned(">", 1, 2),
    ),
    "true reckoning of other numbers": with_premise(LARGE, 1, reckoned(">", 4, 2)),
    "true reckoning by another sign": with_premise(LARGE, 1, reckoned(">=", 3, 2)),
    "reckoning of another kind": with_premise(LARGE, 1, replace(LARGE.premises[1], kind="count")),
    "the lack of something else": with_premise(LARGE, 2, lack("least", "c")),
    "the lack of another predicate": with_premise(LARGE, 2, lack("large", "a")),
    "a lack wider than the premise": with_premise(LARGE, 2, lack("least", Variable("_1"))),
    "a lack that is no lack": with_premise(LARGE, 2, given("least", "a")),
    "a premise of another predicate": with_premise(LARGE, 0, given("picks", "a")),
    "a premise about something else": with_premise(LARGE, 0, given("n", "c", 5)),
    "a premise that is a lack": with_premise(LARGE, 0, lack("n", "a", 3)),
    "a premise that is reckoned": with_premise(LARGE, 0, reckoned("=", 3, 3)),
    "one premise less": replace(LARGE, premises=LARGE.premises[:2]),
    "a head of another predicate": replace(LARGE, says=Atom("small", ("a",))),
    "another head": replace(LARGE, says=Atom("large", ("c",))),
    "a count that is off": replace(MANY, says=Atom("many", ("c", 1))),
    "a count told otherwise": with_premise(
        MANY, 1, replace(COUNT, says=replace(COUNTED, result=Variable("1")))
    ),
    "a count told as a sum": with_premise(
        MANY, 1, replace(COUNT, says=replace(COUNTED, function="sum"))
    ),
    "a count of another kind": with_premise(MANY, 1, replace(COUNT, kind="arithmetic")),
    "a count of what does not hold": with_premise(
        MANY, 1, replace(COUNT, premises=(*COUNT.premises, given("n", "d", 1)))
    ),
    "a greatest that is not": replace(MOST, says=Atom("most", (3,))),
    "a bound number that is off": with_premise(SMALL, 1, reckoned("=", 2, Operation("-", Operation("*", 1, 2), 1))),
    "an objective of no program": replace(optimum(8, 8), clause=replace(PROGRAM.objectives[0], label="y")),
    "an optimum by a clause": replace(optimum(8, 8), clause=PROGRAM.clauses[0]),
    "an optimum not reached": optimum(9, 9, *GETS),
    "an optimum below what is reached": optimum(8, 7, *GETS),
    "an optimum that counts something else": optimum(8, 8, given("n", "a", 3)),
    "an optimum that counts a number": optimum(8, 8, reckoned("=", 1, 1)),
    "a given that is not on the board": given("n", "a", 4),
    "a given with a clause": replace(given("n", "a", 3), clause=PROGRAM.clauses[0]),
    "a given with a premise": replace(given("n", "a", 3), premises=(given("n", "a", 3),)),
    "a given that is derived": given("large", "a"),
    "a given number": Proof(Comparison("=", 1, 1), "given"),
    "a lack of what is given": lack("n", "a", Variable("_1")),
    "a lack of what is derived": lack("large", "a"),
    "a lack that rests on something": replace(lack("large", "b"), premises=(given("n", "a", 3),)),
    "reckoning that is false": reckoned("<", 3, 3),
    "reckoning of a fact": Proof(Atom("n", ("a", 3)), "arithmetic"),
    "a count of a fact": Proof(Atom("n", ("a", 3)), "count"),
    "a rule for a number": replace(LARGE, says=Comparison("=", 1, 1)),
    "no rule": replace(LARGE, clause=None),
    "a rule of another program": replace(LARGE, clause=replace(PROGRAM.clauses[0], label="y")),
    "a kind that is none": replace(LARGE, kind="sure"),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_a_wrong_step_is_refused_by_itself(wrong: str) -> None:
    with pytest.raises(WrongProofError):
        Checker(PROGRAM, frozenset(FACTS)).step(WRONG[wrong])
    assert len(WRONG) >= 40


def test_a_wrong_step_is_found_however_deep_and_in_the_reasons_of_a_lack() -> None:
    refusal = refute(MODEL, Atom("large", ("b",)))
    (because,) = [one.because for one in refusal.attempts if one.because]
    assert check_proof(refusal, PROGRAM, FACTS) > 2
    forged = replace(refusal, attempts=(replace(refusal.attempts[0], because=replace(because, kind="sure")),))
    with pytest.raises(WrongProofError, match="no step is of kind"):
        check_proof(forged, PROGRAM, FACTS)
    deep = with_premise(LARGE, 0, replace(given("n", "a", 3), premises=(reckoned("<", 2, 1),)))
    with pytest.raises(WrongProofError, match="rests on nothing"):
        check_proof(deep, PROGRAM, FACTS)


def test_what_must_be_counted_is_worked_out_by_the_checker_itself() -> None:
    checker = Checker(PROGRAM, frozenset(FACTS))
    assert checker.extent()["many"] == {("a", 1), ("c", 2)}
    assert ("large", ("a",)) in checker
    assert ("large", ("b",)) not in checker
    assert checker.extent() is checker.extent()
