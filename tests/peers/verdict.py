"""Knows whether the rules give what a peers' case expects: one function for each thing that a case may ask."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from query.predicate.answer import UNDETERMINED, YES, Answer
from query.predicate.board import Board
from query.predicate.board_read import board as read_board
from query.predicate.derive import LimitError
from query.predicate.judge import Judge
from tests.peers.outcome import WANTED, Outcome
from tests.peers.translate import Case, Unclear, board_data, resolve

PASSED, FAILED, OPEN = "passed", "failed", "undetermined"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a case, and why; `answer` is the last answer given, if it was one question."""

    value: str
    reason: str = ""
    answer: Answer | None = None
    board: Board | None = None


def verdict(judge: Judge, case: Case) -> Verdict:
    """The verdict on one case."""
    ask = ASKS.get(case["ask"])
    if ask is None:
        return Verdict(OPEN, f"{case['ask']}: the shipped rules do not speak of layers yet")
    try:
        return ask(judge, case)
    except Unclear as error:
        return Verdict(OPEN, f"the case does not say {error}")
    except LimitError as error:
        return Verdict(OPEN, str(error))


def _declaration(question: str) -> Callable[[Judge, Case], Verdict]:
    def ask(judge: Judge, case: Case) -> Verdict:
        board = read_board(board_data(case))
        return _compared(judge.ask(board, question, cap=0), case["expect"], board)

    return ask


def _can_block(judge: Judge, case: Case) -> Verdict:
    data = board_data(case)
    attacker, blocker = (resolve(case[key], data["battlefield"]) for key in ("attacker", "blocker"))
    defender = next(one["controller"] for one in data["battlefield"] if one["id"] == blocker)
    board = read_board({**data, "attacks": {attacker: defender}})
    return _compared(judge.ask(board, f'can_block("{blocker}", "{attacker}")'), case["expect"], board)


def _compared(answer: Answer, expected: bool, board: Board) -> Verdict:
    if answer.value == UNDETERMINED:
        return Verdict(OPEN, "; ".join(answer.missing), answer, board)
    right = (answer.value == YES) == expected
    return Verdict(PASSED if right else FAILED, f"{answer.question}: {answer.value}", answer, board)


def _steps(judge: Judge, case: Case) -> Verdict:
    """Declarations one after another: a step without a verdict of its source only sets the scene."""
    data = board_data(case)
    attackers: list[str] = []
    last = Verdict(PASSED)
    for step in case["steps"]:
        if step["kind"] == "attack":
            attackers = [resolve(name, data["battlefield"]) for name in step["attackers"]]
            scene, question = {"attacks": _against(data, attackers), "blocks": {}}, "legal_attacks"
        else:
            blocks = {
                resolve(blocker, data["battlefield"]): [resolve(a, data["battlefield"]) for a in targets]
                for blocker, targets in step["map"].items()
            }
            scene, question = {"attacks": _against(data, attackers), "blocks": blocks}, "legal_blocks"
        if step.get("legal") is not None:
            board = read_board({**data, **scene})
            last = _compared(judge.ask(board, question, cap=0), step["legal"], board)
            if last.value != PASSED:
                return last
    return last


def _against(data: Mapping[str, Any], attackers: list[str]) -> dict[str, str]:
    defender = next(name for name in data["players"] if name != data["active"])
    return dict.fromkeys(attackers, defender)


def _outcomes(judge: Judge, case: Case) -> Iterator[tuple[Outcome, Board]]:
    data = board_data(case)
    data["choices"]["divide_in_order"] = "all"
    board = read_board(data)
    for branch in judge.branches(judge.facts(board), WANTED):
        if branch.open:
            raise Unclear("; ".join(branch.open))
        yield Outcome(branch.model), board


def _any(judge: Judge, case: Case, differs: Callable[[Outcome, Board], str]) -> Verdict:
    """Passed if some way of making the choices that the case leaves open gives what it expects."""
    reason, board = "", None
    for outcome, board in _outcomes(judge, case):
        reason = differs(outcome, board)
        if not reason:
            return Verdict(PASSED, board=board)
    return Verdict(FAILED, reason, board=board)


def _combat(judge: Judge, case: Case) -> Verdict:
    return _any(judge, case, lambda outcome, board: outcome.differs(case["expect"], board.players[1].name))


def _life(judge: Judge, case: Case) -> Verdict:
    wanted = case["expect"]
    return _any(judge, case, lambda outcome, _: _other("life", outcome.life(case["player"]), wanted))


def _damage(judge: Judge, case: Case) -> Verdict:
    wanted = case["expect"]
    return _any(judge, case, lambda outcome, _: _other("damage", outcome.damage(case["object"]), wanted))


def _battlefield(judge: Judge, case: Case) -> Verdict:
    wanted = case["expect"]
    return _any(judge, case, lambda outcome, _: _other("survives", outcome.survives(case["object"]), wanted))


def _other(what: str, found: object, wanted: object) -> str:
    return "" if found == wanted else f"{what}: {found}, expected {wanted}"


def _turn(judge: Judge, case: Case) -> Verdict:
    """What a whole turn comes to; declarations that the rules refuse are left out, as their source does."""
    case = _only_legal(judge, case)
    return _any(judge, case, lambda outcome, board: _asserted(outcome, board, case))


def _only_legal(judge: Judge, case: Case) -> Case:
    data = board_data(case)
    kept = []
    for said in case.get("blocks") or []:
        pair = board_data({**case, "blocks": [said]})["blocks"]
        blocker, attackers = next(iter(pair.items()))
        board = read_board({**data, "blocks": {}})
        if judge.ask(board, f'can_block("{blocker}", "{attackers[0]}")'):
            kept.append(said)
    return {**case, "blocks": kept}


def _asserted(outcome: Outcome, board: Board, case: Case) -> str:
    faults = [fault for said in case["expect"] if (fault := _one(outcome, board, said))]
    return "; ".join(faults)


def _one(outcome: Outcome, board: Board, said: Mapping[str, Any]) -> str:
    args = said["args"]
    named = {one.id: one for one in board.battlefield}
    if said["kind"] == "assertLife":
        return _other(f"life of {args[0]}", outcome.life(args[0]), args[1])
    if said["kind"] in ("assertPermanentCount", "assertGraveyardCount"):
        player, name, wanted = args
        there = said["kind"] == "assertPermanentCount"
        mine = [x.id for x in named.values() if x.name == name and player in (x.controller, x.owner)]
        count = sum(outcome.survives(thing) == there for thing in mine)
        return _other(f"{name} {'on the battlefield' if there else 'in the graveyard'}", count, wanted)
    if said["kind"] == "checkDamage":
        thing = next(x.id for x in named.values() if x.name == args[4] and x.controller == args[3])
        return _other(f"damage on {args[4]}", outcome.damage(thing), args[5])
    if said["kind"] == "assertTapped":
        thing = resolve(args[0], [{"id": x.id, "name": x.name} for x in named.values()])
        return _other(f"{args[0]} tapped", outcome.tapped(thing), args[1])
    return _counters(outcome, said, named)


def _counters(outcome: Outcome, said: Mapping[str, Any], named: Mapping[str, Any]) -> str:
    args = said["args"]
    if said["kind"] == "assertCounterCount" and isinstance(args[1], dict) and "POISON" in args[1].get("java", ""):
        return _other(f"poison of {args[0]}", outcome.poison(args[0]), args[2])
    if said["kind"] == "assertTrue" and "isTapped" in str(args[1]):
        return ""
    raise Unclear(f"what a card's text beyond its keywords does ({said['kind']})")


ASKS: Mapping[str, Callable[[Judge, Case], Verdict]] = {
    "block declaration legal": _declaration("legal_blocks"),
    "attack declaration legal": _declaration("legal_attacks"),
    "can block": _can_block,
    "declaration steps legal": _steps,
    "combat result": _combat,
    "life after": _life,
    "damage marked": _damage,
    "on battlefield": _battlefield,
    "turn result": _turn,
}
