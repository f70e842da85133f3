"""Deriving facts and proving them: against a second evaluator, a second solver, and a checker of every step."""

from __future__ import annotations

import pytest

from query.predicate.board_facts import board_facts
from query.predicate.checker import Checker, WrongProofError, check_proof
from query.predicate.derive import Deriver
from query.predicate.exported import exported, solved
from query.predicate.limits import LimitError, Limits
from query.predicate.plain import evaluate
from query.predicate.program import Program, load, parse
from query.predicate.proof import Proof, prove, refute
from query.predicate.syntax import Atom, Clause, Fact, Score, Variable
from tests.random_boards import random_board

PROGRAM = load()
DERIVER = Deriver(PROGRAM)
OUTCOME = (
    "can_block",
    "can_attack",
    "stopped",
    "dies",
    "survives",
    "life_after",
    "poison_after",
    "damage_after",
    "counters_after",
    "tapped_after",
    "loses_game",
    "total_damage",
    "unlawful_block",
    "block_obeyed",
)

WALKS = """\
given predicate e(a: word, b: word).
predicate path(a: word, b: word).
predicate far(T: stage, a: word).
predicate most(a: word, k: number).
predicate sum_beyond(a: word, k: number).
predicate nearest(a: word, k: number).
predicate odd(a: word).
predicate loop(a: word).
rule 100.1 edge: path(A, B) if e(A, B).
rule 100.1 loop: loop(A) if e(A, A).
rule 100.1 path: path(A, C) if path(A, B), path(B, C).
rule 100.1 start: far(0, A) if e(A, _), not e(_, A).
rule 100.1 on: far(T+1, B) if far(T, A), e(A, B), not path(A, A).
rule 100.1 most: most(A, K) if far(_, A), K = max(T : far(T, A)).
rule 100.1 nearest: nearest(A, K) if far(_, A), K = min(T : far(T, A)).
rule 100.1 sum: sum_beyond(A, M) if most(A, K), M = sum(Z, B : most(B, Z), path(A, B), Z > K), M * 2 > 3 + K.
rule 100.1 odd: odd(A) if e(A, B), A != B, not e(B, A), N = count(C : e(A, C), C != B), N - 1 < 1.
"""


def _facts(seed: int) -> list[Fact]:
    return board_facts(random_board(seed))


def _same(program: Program, facts: list[Fact]) -> None:
    model = Deriver(program).derive(facts)
    assert {name: set(model.rows(name)) for name in program.declarations} == evaluate(program, facts)


@pytest.mark.parametrize("edges", ["ab bc cd de", "ab ba", "ab bc ca cd", "ab ac bd cd de bf", "aa ab", ""])
def test_recursion_stages_and_counts_agree_with_plain_evaluation(edges: str) -> None:
    program = parse(WALKS)
    facts: list[Fact] = [("e", (pair[0], pair[1])) for pair in edges.split()]
    _same(program, facts)
    model = Deriver(program).derive(facts)
    checker = Checker(program, frozenset(facts))
    for fact in model.facts():
        assert checker.check(prove(model, fact)) > 0


@pytest.mark.parametrize("seed", range(3))
def test_a_board_agrees_with_plain_evaluation(seed: int) -> None:
    _same(PROGRAM, _facts(seed))


@pytest.mark.parametrize("seed", range(40))
def test_a_board_agrees_with_a_second_solver(seed: int) -> None:
    facts = _facts(1000 + seed)
    model = DERIVER.derive(facts, OUTCOME)
    stages = max((int(row[0]) for row in model.rows("step")), default=0)
    assert {name: set(model.rows(name)) for name in OUTCOME} == solved(
        exported(PROGRAM, facts, OUTCOME, stages), PROGRAM, OUTCOME
    )


@pytest.mark.parametrize("seed", range(3))
def test_every_fact_of_a_board_has_a_proof_that_the_checker_accepts(seed: int) -> None:
    facts = _facts(2000 + seed)
    model = DERIVER.derive(facts)
    derived = [fact for fact in model.facts() if PROGRAM.declarations[fact[0]].world == "derived"]
    assert len(derived) > 50
    checker = Checker(PROGRAM, frozenset(facts))
    for fact in derived[:: max(len(derived) // 60, 1)]:
        assert checker.check(prove(model, fact)) > 0


def test_what_does_not_hold_is_explained_and_the_checker_accepts_it() -> None:
    facts = _facts(7)
    model = DERIVER.derive(facts)
    absent = [(b, a) for (b,) in model.rows("creature") for (a,) in model.rows("creature")]
    refused = [pair for pair in absent if ("can_block", pair) not in model]
    assert refused
    checker = Checker(PROGRAM, frozenset(facts))
    for pair in refused[:10]:
        proof = refute(model, Atom("can_block", pair))
        assert proof.attempts
        assert checker.check(proof) > 0
    with pytest.raises(ValueError, match="holds"):
        refute(model, Atom("creature", (Variable("X"),)))


def _flyer() -> tuple[Program, list[Fact], Proof]:
    facts: list[Fact] = [
        ("attacks", ("drake", "bob")), ("player", ("bob",)), ("controls", ("bob", "bear")),
        ("type", ("bear", "creature")), ("has", ("drake", "flying")),
    ]  # fmt: skip
    model = DERIVER.derive(facts)
    return PROGRAM, facts, prove(model, ("stopped", ("bear", "drake", "flying")))


def _other_clause(clause: Clause | None) -> Clause:
    return next(one for one in PROGRAM.clauses if one != clause and one.head.predicate == "stopped")


WRONG = {
    "another conclusion": lambda p: Proof(Atom("stopped", ("bear", "bear", "flying")), p.kind, p.clause, p.premises),
    "another predicate": lambda p: Proof(Atom("held", ("bear", "flying")), p.kind, p.clause, p.premises),
    "another clause": lambda p: Proof(p.says, p.kind, _other_clause(p.clause), p.premises),
    "no clause": lambda p: Proof(p.says, p.kind, None, p.premises),
    "a premise too few": lambda p: Proof(p.says, p.kind, p.clause, p.premises[:-1]),
    "a premise too many": lambda p: Proof(p.says, p.kind, p.clause, (*p.premises, p.premises[0])),
    "premises in another order": lambda p: Proof(p.says, p.kind, p.clause, p.premises[::-1]),
    "itself as a given": lambda p: Proof(p.says, "given"),
    "a lack of what holds": lambda p: Proof(Atom("has", ("drake", "flying")), "absent"),
    "a lack with premises": lambda p: Proof(Atom("has", ("bear", "flying")), "absent", None, (p,)),
    "no such kind": lambda p: Proof(p.says, "guess", p.clause, p.premises),
    "false reckoning": lambda p: Proof(_comparison(), "arithmetic"),
    "an empty optimum": lambda p: Proof(Score(1, 1), "optimum"),
    "a given that rests on something": lambda p: Proof(Atom("has", ("drake", "flying")), "given", None, (p,)),
}


def _comparison() -> object:
    from query.predicate.syntax import Comparison

    return Comparison("<", 2, 1)


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_the_checker_refuses(wrong: str) -> None:
    program, facts, proof = _flyer()
    assert check_proof(proof, program, facts) > 3
    with pytest.raises(WrongProofError):
        check_proof(WRONG[wrong](proof), program, facts)


def test_the_checker_refuses_a_wrong_premise_wherever_it_stands() -> None:
    program, facts, proof = _flyer()
    for at, premise in enumerate(proof.premises):
        swapped = Proof(Atom("player", ("bob",)), "given")
        forged = Proof(proof.says, proof.kind, proof.clause, (*proof.premises[:at], swapped, *proof.premises[at + 1 :]))
        with pytest.raises(WrongProofError):
            check_proof(forged, program, facts)
        assert premise is not swapped


def test_the_checker_refuses_a_count_that_is_off() -> None:
    program = parse("given predicate q(a: word).\npredicate p(n: number).\nrule 100.1 x: p(N) if N = count(A : q(A)).")
    facts: list[Fact] = [("q", ("a",)), ("q", ("b",))]
    proof = prove(Deriver(program).derive(facts), ("p", (2,)))
    assert check_proof(proof, program, facts) == 4
    for says in (Atom("p", (3,)), Atom("p", (1,))):
        with pytest.raises(WrongProofError):
            check_proof(Proof(says, "rule", proof.clause, proof.premises), program, facts)


@pytest.mark.parametrize(
    ("text", "limits", "message"),
    [
        ("rule 100.1 x: n(M) if n(N), M = N + 1.\nrule 100.1 x: n(0).", Limits(0.3), "no answer within|more than"),
        ("rule 100.1 x: n(M) if n(N), M = N * N.\nrule 100.1 x: n(7).", Limits(3), "a product exceeds"),
        ("rule 100.1 x: t(T+1, N) if t(T, N).\nrule 100.1 x: t(0, 1).", Limits(3, stages=50), "did not end after 50"),
        ("rule 100.1 x: n(D) if d(A), d(B), d(C), d(E), D = A + B, D > C + E + 999.", Limits(0.3), "no answer within"),
        ("rule 100.1 x: pair(A, B) if d(A), d(B).", Limits(3, facts=1000), "more than 1,000 facts"),
    ],
)  # fmt: skip
def test_what_does_not_end_is_given_up(text: str, limits: Limits, message: str) -> None:
    declared = "given predicate d(n: number).\npredicate n(n: number).\npredicate pair(a: number, b: number).\n"
    rest = "rule 100.1 x: n(9).\nrule 100.1 x: t(0, 9).\nrule 100.1 x: pair(0, 0).\n"
    program = parse(declared + "predicate t(T: stage, n: number).\n" + rest + text)
    facts: list[Fact] = [("d", (number,)) for number in range(200)]
    with pytest.raises(LimitError, match=message):
        Deriver(program).derive(facts, limits=limits)


def test_as_many_stages_as_are_allowed_are_worked_out_and_no_more() -> None:
    down = "rule 100.1 x: t(0, 3).\nrule 100.1 x: t(T+1, M) if t(T, N), N > 0, M = N - 1."
    program = parse(f"predicate t(T: stage, n: number).\n{down}")
    assert set(Deriver(program).derive([], limits=Limits(stages=4)).rows("t")) == {(0, 3), (1, 2), (2, 1), (3, 0)}
    with pytest.raises(LimitError, match="did not end after 3"):
        Deriver(program).derive([], limits=Limits(stages=3))
