"""Knows whether the rules give what a peers' case expects: one function for each thing that a case may ask."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from query.predicate.answer import UNDETERMINED, YES, Answer
from query.predicate.board import Board
from query.predicate.board_read import board as read_board
from query.predicate.judge import Judge
from query.predicate.limits import LimitError
from tests.peers.outcome import WANTED, Outcome
from tests.peers.translate import Cards, Case, Unclear, board_data, resolve

PASSED, FAILED, OPEN = "passed", "failed", "undetermined"


@dataclass(frozen=True, slots=True)
class Referee:
    """Who judges, and the cards that cases may name."""

    judge: Judge
    cards: Cards


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a case, and why; `answer` is the last answer given, if it was one question."""

    value: str
    reason: str = ""
    answer: Answer | None = None
    board: Board | None = None


def verdict(by: Referee, case: Case) -> Verdict:
    """The verdict on one case."""
    ask = ASKS.get(case["ask"])
    if ask is None:
        return Verdict(OPEN, f"{case['ask']}: the shipped rules do not speak of layers yet")
    try:
        return ask(by, case)
    except Unclear as error:
        return Verdict(OPEN, f"the case does not say {error}")
    except LimitError as error:
        return Verdict(OPEN, str(error))


def _declaration(question: str) -> Callable[[Referee, Case], Verdict]:
    def ask(by: Referee, case: Case) -> Verdict:
        board = read_board(board_data(case, by.cards))
        return _compared(by.judge.ask(board, question, cap=0), case["expect"], board)

    return ask


def _can_block(by: Referee, case: Case) -> Verdict:
    data = board_data(case, by.cards)
    attacker, blocker = (resolve(case[key], data["battlefield"]) for key in ("attacker", "blocker"))
    defender = next(one["controller"] for one in data["battlefield"] if one["id"] == blocker)
    board = read_board({**data, "attacks": {attacker: defender}})
    return _compared(by.judge.ask(board, f'can_block("{blocker}", "{attacker}")'), case["expect"], board)


def _compared(answer: Answer, expected: bool, board: Board) -> Verdict:
    if answer.value == UNDETERMINED:
        return Verdict(OPEN, "; ".join(answer.missing), answer, board)
    right = (answer.value == YES) == expected
    return Verdict(PASSED if right else FAILED, f"{answer.question}: {answer.value}", answer, board)


def _steps(by: Referee, case: Case) -> Verdict:
    """Declarations one after another: a step without a verdict of its source only sets the scene."""
    data = board_data(case, by.cards)
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
            last = _compared(by.judge.ask(board, question, cap=0), step["legal"], board)
            if last.value != PASSED:
                return last
    return last


def _against(data: Mapping[str, Any], attackers: list[str]) -> dict[str, str]:
    defender = next(name for name in data["players"] if name != data["active"])
    return dict.fromkeys(attackers, defender)


def _outcomes(by: Referee, case: Case) -> Iterator[tuple[Outcome, Board]]:
    """Every outcome: first as damage is usually divided, lethal to each in turn, then every other way of
    dividing it."""
    data = board_data(case, by.cards)
    for order in ("all", []):
        choices = {**data["choices"], "divide_in_order": order}
        board = read_board({**data, "choices": choices})
        for branch in by.judge.branches(by.judge.facts(board), WANTED):
            if branch.open:
                raise Unclear("; ".join(branch.open))
            yield Outcome(branch.model), board


def _any(by: Referee, case: Case, differs: Callable[[Outcome, Board], str]) -> Verdict:
    """Passed if some way of making the choices that the case leaves open gives what it expects."""
    reason, board = "", None
    for outcome, board in _outcomes(by, case):
        fault = differs(outcome, board)
        if not fault:
            return Verdict(PASSED, board=board)
        reason = reason or fault
    return Verdict(FAILED, reason, board=board)


def _combat(by: Referee, case: Case) -> Verdict:
    return _any(by, case, lambda outcome, board: outcome.differs(case["expect"], _defender(board)))


def _defender(board: Board) -> str:
    return board.attacks[0][1] if board.attacks else board.players[1].name


def _life(by: Referee, case: Case) -> Verdict:
    wanted = case["expect"]
    return _any(by, case, lambda outcome, _: _other("life", outcome.life(case["player"]), wanted))


def _damage(by: Referee, case: Case) -> Verdict:
    wanted = case["expect"]
    return _any(by, case, lambda outcome, _: _other("damage", outcome.damage(case["object"]), wanted))


def _battlefield(by: Referee, case: Case) -> Verdict:
    wanted = case["expect"]
    return _any(by, case, lambda outcome, _: _other("survives", outcome.survives(case["object"]), wanted))


def _other(what: str, found: object, wanted: object) -> str:
    return "" if found == wanted else f"{what}: {found}, expected {wanted}"


def _turn(by: Referee, case: Case) -> Verdict:
    """What a whole turn comes to; declarations that the rules refuse are left out, as their source does."""
    case = _only_legal(by, case)
    return _any(by, case, lambda outcome, board: _asserted(outcome, board, case))


def _only_legal(by: Referee, case: Case) -> Case:
    data = board_data(case, by.cards)
    kept = []
    for said in case.get("blocks") or []:
        pair = board_data({**case, "blocks": [said]}, by.cards)["blocks"]
        blocker, attackers = next(iter(pair.items()))
        board = read_board({**data, "blocks": {}})
        if by.judge.ask(board, f'can_block("{blocker}", "{attackers[0]}")'):
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


ASKS: Mapping[str, Callable[[Referee, Case], Verdict]] = {
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
