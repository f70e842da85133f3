"""Knows what a board leaves open that a question may need: each as a gap with the ways it may be filled."""

from __future__ import annotations

from collections.abc import Iterator

from query.predicate.board import Board, Permanent, Spell
from query.predicate.description import Description
from query.predicate.gap import Gap
from query.predicate.stack_facts import descriptions, stack_gaps


def board_gaps(board: Board) -> list[Gap]:
    """The gaps of a board, in the order of the board."""
    return [*stack_gaps(board), *_mana_values(board)]


def _mana_values(board: Board) -> Iterator[Gap]:
    """The mana values that a description asks for and the board does not state (rule 202.3)."""
    players = [player.name for player in board.players]
    read = [one for spell in board.stack for one in descriptions(spell, players)]
    asked = sorted(set(_numbers(read, "mana value")))
    if not asked:
        return
    things: list[Permanent | Spell] = [*board.battlefield, *board.stack]
    for one in things:
        if one.mana_value is None and "land" not in one.types:
            values = dict.fromkeys([0, *asked, asked[-1] + 1])
            yield Gap(f"the mana value of {one.id}", tuple((("mana_value", (one.id, value)),) for value in values))


def _numbers(read: list[Description], aspect: str) -> Iterator[int]:
    for description in read:
        for option in description.options:
            yield from (int(test[2]) for test in option if test[1].startswith(aspect))
