"""Knows how fast boards are judged, as ratios within one run: `python -m tests.bench.bench_predicates [BOARDS]`.

Prints the time for "which blocks are legal" with one proof on square boards and the ratio to clingo running the
exported program on the same boards, the time to prove the optimum of 509.1c on boards of menace and lure, and the start
of the command. Ends with 1 if deriving and clingo disagree on one of BOARDS random boards (1,000 unless said).
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from query.predicate.board import Board
from query.predicate.board_facts import board_facts
from query.predicate.board_read import board
from query.predicate.choose import ChoiceProblem
from query.predicate.derive import Deriver
from query.predicate.exported import exported, solved
from query.predicate.program import load
from query.predicate.proof import prove
from tests.random_boards import random_board

PROGRAM = load()
DERIVER = Deriver(PROGRAM)
BLOCKS = next(choice for choice in PROGRAM.choices if choice.chosen.predicate == "blocks")
AGREE = ("can_block", "unlawful_block", "dies", "survives", "life_after", "poison_after", "counters_after")


def best(run: Callable[[], object], times: int = 5, clock: Callable[[], float] = time.perf_counter) -> float:
    """The shortest of some runs, in milliseconds; by `time.process_time`, of this process alone on a busy machine."""
    found = []
    for _ in range(times):
        start = clock()
        run()
        found.append(clock() - start)
    return min(found) * 1000


def square(attackers: int, blockers: int, **more: Any) -> Board:
    """A board of attackers, every third with flying, and blockers, every fifth with reach."""
    plain: dict[str, Any] = {"types": ["creature"], "power": 2, "toughness": 2}
    fliers, spiders = {0: ["flying"]}, {0: ["reach"]}
    mine = [{"id": f"a{n}", "controller": "ann", **plain, "keywords": fliers.get(n % 3, [])} for n in range(attackers)]
    yours = [{"id": f"b{n}", "controller": "bob", **plain, "keywords": spiders.get(n % 5, [])} for n in range(blockers)]
    mine = [{**one, **more} for one in mine]
    return board(
        {"players": ["ann", "bob"], "battlefield": [*mine, *yours], "attacks": {one["id"]: "bob" for one in mine}}
    )


def legal_blocks(size: int) -> None:
    """Derived with one proof, against clingo on the exported program."""
    facts = board_facts(square(size, size))

    def derived() -> None:
        model = DERIVER.derive(facts, ["can_block"])
        prove(model, ("can_block", ("b0", "a0")))

    def other() -> None:
        solved(exported(PROGRAM, facts, ["can_block"], 0), PROGRAM, ["can_block"])

    derived()
    ours, theirs = best(derived), best(other, 2)
    told = f"{size}x{size} legal blocks with one proof"
    print(f"{told}: {ours:7.1f} ms, clingo {theirs:7.1f} ms, ratio {theirs / ours:5.1f}")


def optimum(blockers: int, attackers: int) -> None:
    """509.1c where every attacker has menace and a lure."""
    facts = board_facts(square(attackers, blockers, keywords=["menace"], effects=["lure"]))
    found = ChoiceProblem(DERIVER, BLOCKS, facts).best()
    assert found.proven
    run = lambda: ChoiceProblem(DERIVER, BLOCKS, facts).best()  # noqa: E731
    took, worked = best(run, 9), best(run, 9, time.process_time)
    told = f"{blockers}x{attackers} menace and lure: optimum {found.value} proven"
    print(f"{told} in {worked:7.1f} ms of work, {took:7.1f} ms on the clock")


def agreement(boards: int) -> int:
    """How many random boards the two solvers disagree on."""
    wrong = 0
    for seed in range(boards):
        facts = board_facts(random_board(10_000 + seed))
        model = DERIVER.derive(facts, AGREE)
        stages = max((int(row[0]) for row in model.rows("step")), default=0)
        text = exported(PROGRAM, facts, AGREE, stages)
        if {name: set(model.rows(name)) for name in AGREE} != solved(text, PROGRAM, AGREE):
            wrong += 1
            print(f"seed {seed}: the solvers disagree")
    print(f"{boards} random boards: {wrong} disagreements")
    return wrong


def start() -> None:
    """The command from cold, its rules already kept, against an empty interpreter."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "board.json"
        path.write_text(
            '{"players": ["ann", "bob"], "battlefield": [{"id": "x", "controller": "ann", "types": ["creature"]}]}'
        )
        command = [sys.executable, "-m", "query.cli", "ask", str(path), "creature(x)"]
        run = lambda: subprocess.run(command, capture_output=True, check=True)  # noqa: E731
        run()
        empty = best(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True), 3)
        took = best(run, 3)
    print(f"seerule ask from cold: {took:7.1f} ms, an empty interpreter {empty:5.1f} ms, ratio {took / empty:5.1f}")


def main(arguments: list[str]) -> int:
    """Prints every figure; the exit status says whether the solvers agree."""
    for size in (30, 100):
        legal_blocks(size)
    for blockers, attackers in ((30, 30), (60, 50)):
        optimum(blockers, attackers)
    start()
    return 1 if agreement(int(arguments[0]) if arguments else 1000) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
