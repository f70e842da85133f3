"""Knows which numbers of a game a board has left out: power, toughness, loyalty, defense, mana value, life."""

from __future__ import annotations

from collections.abc import Iterator

from query.predicate.board import Board, Permanent, Spell
from query.predicate.gap import Gap
from query.predicate.stack_facts import descriptions
from query.predicate.syntax import Fact

STARTING_LIFE = 20
"""The life total a player begins a game with, variants apart (rule 103.4)."""

_LARGE = 1000
_TEAM_LIFE = "two-headed giant"


def number_gaps(board: Board) -> Iterator[Gap]:
    """Each number that a rule may ask for and the board does not state."""
    for one in board.battlefield:
        yield from _of_permanent(board, one)
    yield from _mana_values(board)
    if board.variant == _TEAM_LIFE:
        for player in board.players:
            if not player.life_said:
                yield _gap(f"the life of {player.name}", [("life", (player.name, n)) for n in (30, 1, _LARGE)])


def assumed_life(board: Board) -> str:
    """What is said of players whose life the board leaves out; empty if there are none."""
    names = [player.name for player in board.players if not player.life_said]
    if not names or board.variant == _TEAM_LIFE:
        return ""
    return f"the life of {' and '.join(names)}: {STARTING_LIFE} is assumed, as a game begins (rule 103.4)"


def _of_permanent(board: Board, one: Permanent) -> Iterator[Gap]:
    kinds: list[tuple[str, str, str, tuple[int, ...]]] = []
    if "creature" in one.types:
        if one.power is None:
            kinds.append(("power", "base_power", "", (0, 1, _LARGE)))
        if one.toughness is None:
            kinds.append(("toughness", "base_toughness", "", (_LARGE, 1)))
    for type_, counter in (("planeswalker", "loyalty"), ("battle", "defense")):
        if type_ in one.types and counter not in one.counters:
            kinds.append((counter, "counters", counter, (_LARGE, 1)))
    for word, predicate, counter, values in kinds:
        if not any(text.startswith(f"{predicate}({one.id},") for text in board.facts):
            more = (counter,) if counter else ()
            facts: list[Fact] = [(predicate, (one.id, *more, value)) for value in _asked(board, word, values)]
            yield _gap(f"the {word} of {one.id}", facts)


def _gap(says: str, facts: list[Fact]) -> Gap:
    return Gap(f"{says}: the board does not say", tuple((fact,) for fact in facts))


def _mana_values(board: Board) -> Iterator[Gap]:
    """The mana values that a description asks for (rule 202.3)."""
    values = _asked(board, "mana value", ())
    things: list[Permanent | Spell] = [*board.battlefield, *board.stack]
    for one in things if values else ():
        if one.mana_value is None and "land" not in one.types:
            yield _gap(f"the mana value of {one.id}", [("mana_value", (one.id, value)) for value in (0, *values)])


def _asked(board: Board, aspect: str, values: tuple[int, ...]) -> tuple[int, ...]:
    """The values given, and those about which a description asks, with the next one."""
    players = [player.name for player in board.players]
    found = [
        int(test[2])
        for spell in board.stack
        for read in descriptions(spell, players)
        for option in read.options
        for test in option
        if test[1].startswith(f"{aspect} at")
    ]
    return tuple(dict.fromkeys([*values, *found, *(number + 1 for number in found)]))
