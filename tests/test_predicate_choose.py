"""Declarations: the optimum against brute force, what a given declaration breaks or misses, legal ones listed."""

from __future__ import annotations

import random
from itertools import product

import pytest

from query.predicate.board_facts import board_facts
from query.predicate.board_read import board
from query.predicate.choose import ChoiceProblem, NoChoiceError, reached, unmet
from query.predicate.derive import Deriver
from query.predicate.exported import solved_optimum
from query.predicate.judge import Judge
from query.predicate.limits import LimitError, Limits
from query.predicate.program import load, parse
from query.predicate.syntax import Choice, Fact
from tests.random_boards import random_data

PROGRAM = load()
DERIVER = Deriver(PROGRAM)
BLOCKS, ATTACKS = (next(c for c in PROGRAM.choices if c.chosen.predicate == name) for name in ("blocks", "attacks"))


def _value(facts: list[Fact], choice: Choice, problem: ChoiceProblem, chosen: tuple[Fact, ...]) -> int | None:
    """What a choice reaches; None if it breaks a requirement."""
    needed = ["unlawful_block", "block_obeyed", "unlawful_attack", "attack_obeyed"]
    rest = [fact for fact in facts if fact[0] != choice.chosen.predicate]
    model = DERIVER.derive([*rest, *chosen], needed)
    if any(unmet(model, requirement) for requirement in problem.decision.requirements):
        return None
    return sum(sum(reached(model, objective).values()) for objective in problem.decision.objectives)


def _brute(facts: list[Fact], choice: Choice, problem: ChoiceProblem) -> dict[frozenset[Fact], int]:
    rest = [fact for fact in facts if fact[0] != choice.chosen.predicate]
    options = [
        (choice.chosen.predicate, row)
        for row in DERIVER.derive(rest, [choice.options.predicate]).rows(choice.options.predicate)
    ]
    found = {}
    for picks in product((False, True), repeat=len(options)):
        chosen = tuple(fact for fact, picked in zip(options, picks, strict=True) if picked)
        value = _value(facts, choice, problem, chosen)
        if value is not None:
            found[frozenset(chosen)] = value
    return found


@pytest.mark.parametrize("choice", [BLOCKS, ATTACKS], ids=["blocks", "attacks"])
@pytest.mark.parametrize("seed", range(12))
def test_the_optimum_and_the_legal_choices_are_those_of_brute_force(seed: int, choice: Choice) -> None:
    data = random_data(3000 + seed, 3, 3)
    for at, one in enumerate(data["battlefield"]):
        more = ["must attack", "can't attack alone"] if choice is ATTACKS else ["lure", "must be blocked", "must block"]
        one["effects"] = [*one.get("effects", []), more[at % len(more)]]
    facts = board_facts(board(data))
    problem = ChoiceProblem(DERIVER, choice, facts)
    brute = _brute(facts, choice, problem)
    assert len(brute) >= 1
    best = problem.best()
    assert best.proven
    assert best.value == max(brute.values())
    assert brute[frozenset(best.chosen)] == best.value
    listed = [frozenset(one) for one in problem.listed(best.value, 5000)]
    assert len(listed) == len(set(listed))
    assert set(listed) == {chosen for chosen, value in brute.items() if value == best.value}


DEMANDS = (
    "lure", "must be blocked", "must block", "must block a0", "can't block alone", "can block an additional creature",
    "can't be blocked except by three or more creatures", "can't be blocked by more than one creature",
)  # fmt: skip


@pytest.mark.parametrize("choice", [BLOCKS, ATTACKS], ids=["blocks", "attacks"])
@pytest.mark.parametrize("seed", range(20))
def test_the_optimum_of_larger_boards_is_that_of_the_exported_program(seed: int, choice: Choice) -> None:
    chance = random.Random(seed)
    data = random_data(5000 + seed, 9, 9)
    for one in data["battlefield"]:
        if "power" in one:
            demands = chance.sample(DEMANDS, chance.choice((0, 1, 2)))
            if choice is ATTACKS:
                demands = chance.sample(("must attack", "can't attack alone", "goaded by bob", "must attack bob"), 1)
            one["effects"] = [*one.get("effects", []), *demands]
            one["keywords"] = [*one.get("keywords", []), *chance.sample(("menace", "defender", "haste"), 1)]
    if seed % 3 == 0:
        data["effects"] = ["no more than two creatures can block each combat"]
    problem = ChoiceProblem(DERIVER, choice, board_facts(board(data)))
    best = problem.best()
    assert (best.value, best.proven) == (solved_optimum(problem.program_text()), True)


def test_a_declaration_is_told_what_it_breaks_and_misses() -> None:
    data = {
        "players": ["ann", "bob"],
        "battlefield": [
            {"id": "ogre", "controller": "ann", "types": ["creature"], "power": 3, "toughness": 3, "effects": ["lure"]},
            {
                "id": "rat",
                "controller": "ann",
                "types": ["creature"],
                "power": 1,
                "toughness": 1,
                "keywords": ["menace"],
            },
            {"id": "bear", "controller": "bob", "types": ["creature"], "power": 2, "toughness": 2},
        ],
        "attacks": {"ogre": "bob", "rat": "bob"},
    }
    judge = Judge(PROGRAM)
    idle = judge.ask(board(data), "legal_blocks").declaration
    assert idle is not None
    assert (idle.obeyed, idle.optimum, idle.missed) == (0, 1, (("block_obeyed", ("bear", "lure", "ogre")),))
    assert idle.legal == ((("blocks", ("bear", "ogre")),),)
    wrong = judge.ask(board({**data, "blocks": {"bear": "rat"}}), "legal_blocks")
    assert wrong.value == "no"
    assert wrong.declaration is not None
    assert [str(proof.cites) for proof in wrong.declaration.unlawful] == ["702.111b"]
    right = judge.ask(board({**data, "blocks": {"bear": "ogre"}}), "legal_blocks")
    assert right.value == "yes"
    assert "509.1c" in {str(number) for number in right.citations}


def test_menace_and_lure_on_a_large_board_are_proven() -> None:
    for attackers, blockers in ((12, 15), (20, 21)):
        mine = [
            {
                "id": f"a{n}",
                "controller": "ann",
                "types": ["creature"],
                "power": 2,
                "toughness": 2,
                "keywords": ["menace"],
                "effects": ["lure"],
            }
            for n in range(attackers)
        ]
        yours = [
            {"id": f"b{n}", "controller": "bob", "types": ["creature"], "power": 2, "toughness": 2}
            for n in range(blockers)
        ]
        data = {
            "players": ["ann", "bob"],
            "battlefield": [*mine, *yours],
            "attacks": {one["id"]: "bob" for one in mine},
        }
        best = ChoiceProblem(DERIVER, BLOCKS, board_facts(board(data))).best()
        assert (best.value, best.proven) == (blockers, True)


def test_where_no_proof_ends_the_best_found_is_told_as_such() -> None:
    plain = {"types": ["creature"], "power": 2, "toughness": 2}
    mine = [
        {"id": f"a{n}", "controller": "ann", **plain, "keywords": ["menace"], "effects": ["must be blocked"]}
        for n in range(40)
    ]
    yours = [{"id": f"b{n}", "controller": "bob", **plain} for n in range(41)]
    data = {"players": ["ann", "bob"], "battlefield": [*mine, *yours], "attacks": {one["id"]: "bob" for one in mine}}
    facts = board_facts(board(data))
    best = ChoiceProblem(DERIVER, BLOCKS, facts, Limits(seconds=1.2)).best()
    assert 10 <= best.value <= 20
    assert best.value == 20 or not best.proven
    rest = DERIVER.derive([*facts, *best.chosen], ["unlawful_block", "block_obeyed"])
    assert (len(rest.rows("unlawful_block")), len(rest.rows("block_obeyed"))) == (0, best.value)


CHOOSING = """\
given predicate thing(a: word, n: number).
given predicate takes(a: word).
predicate option(a: word).
predicate taken_with(a: word, n: number).
rule 100.1 x: option(A) if thing(A, _).
choose 100.1 x: takes(A) from option(A).
require 100.1 x: N = count(A : takes(A)), N <= 2.
maximize 100.1 x: N for taken_with(A, N).
rule 100.1 x: taken_with(A, N) if takes(A), thing(A, N).
"""


def test_weights_are_summed() -> None:
    program = parse(CHOOSING)
    facts: list[Fact] = [("thing", (name, weight)) for name, weight in (("a", 3), ("b", 5), ("c", -1), ("d", 4))]
    best = ChoiceProblem(Deriver(program), program.choices[0], facts).best()
    assert (best.value, best.chosen) == (9, (("takes", ("b",)), ("takes", ("d",))))


REQUIREMENTS = (
    "N = count(A : takes(A)), N <= 2",
    "N = count(A : takes(A)), N != 1",
    "N = count(A : takes(A)), 3 > N, 1 < N",
    "N = count(K : takes(A), thing(A, K)), N = 2",
    "N = count(A : thing(A, _), not takes(A)), N >= 2",
    "N = sum(K, A : takes(A), thing(A, K)), N >= 8",
    "N = sum(K, A : takes(A), thing(A, K)), N = 4",
    "N = sum(K, A : takes(A), thing(A, K)), N < 3",
    "N = max(K : takes(A), thing(A, K)), N < 5",
    "N = count(A : takes(A)), M = count(A : thing(A, _), not takes(A)), N < M",
    "N = count(A : takes(A)), thing(c, K), K + 3 = N",
    "not takes(_)",
    "not takes(b), takes(B), thing(B, K), K < 4",
    "not taken_with(_, 5), taken_with(_, K), K < 0",
    "thing(_, 3)",
)
"""Each in the form for the solver or, with `max` or two counts compared, only in the text for it."""


@pytest.mark.parametrize(
    "objective", ["N for taken_with(A, N)", "1 for taken_with(A, N)", "N * N - 9 for takes(A), thing(A, N)"]
)
@pytest.mark.parametrize("requirement", REQUIREMENTS)
def test_every_form_of_requirement_and_objective_is_solved_as_by_brute_force(requirement: str, objective: str) -> None:
    said = CHOOSING.replace("N = count(A : takes(A)), N <= 2", requirement)
    program = parse(said.replace("N for taken_with(A, N)", objective))
    facts: list[Fact] = [("thing", (name, weight)) for name, weight in zip("abcde", (3, 5, -1, 4, 3), strict=True)]
    deriver, choice = Deriver(program), program.choices[0]
    problem = ChoiceProblem(deriver, choice, facts)
    brute: dict[frozenset[Fact], int] = {}
    for picks in product((False, True), repeat=5):
        chosen = [("takes", (name,)) for name, picked in zip("abcde", picks, strict=True) if picked]
        model = deriver.derive([*facts, *chosen])
        if not unmet(model, program.requirements[0]):
            brute[frozenset(chosen)] = sum(reached(model, program.objectives[0]).values())
    best = problem.best()
    assert (best.value, best.proven) == (max(brute.values()), True)
    assert brute[frozenset(best.chosen)] == best.value
    enough = best.value - 2
    assert {frozenset(one) for one in problem.listed(enough, 99)} == {
        c for c, value in brute.items() if value >= enough
    }


def test_where_nothing_is_allowed_that_is_told() -> None:
    program = parse(CHOOSING.replace("N <= 2", "N > 9"))
    with pytest.raises(NoChoiceError, match=r"100\.1"):
        ChoiceProblem(Deriver(program), program.choices[0], [("thing", ("a", 1))]).best()
    assert isinstance(LimitError("x"), Exception)
    assert Limits().seconds > 0
