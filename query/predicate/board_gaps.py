"""Knows what a board leaves open that a question may need: each as a gap with the ways it may be filled."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from query.predicate.ability_facts import abilities, loses_all
from query.predicate.board import Board
from query.predicate.gap import Gap
from query.predicate.number_gaps import number_gaps
from query.predicate.stack_facts import stack_gaps
from query.predicate.syntax import Fact


def board_gaps(board: Board) -> list[Gap]:
    """The gaps of a board, in the order of the board."""
    return [*_unread(board), *stack_gaps(board), *number_gaps(board)]


_UNREAD: tuple[tuple[str, Callable[[str], Fact]], ...] = (
    (r"protection from .+", lambda it: ("protected_from", (it, "everything", "everything"))),
    (r"hexproof from .+", lambda it: ("has", (it, "hexproof"))),
    (r".*walk", lambda it: ("cant_be_blocked", (it,))),
)
"""Keywords whose further words are not understood, and the most that they may come to."""


def _unread(board: Board) -> Iterator[Gap]:
    """What keywords and card texts may say that is not encoded, where it bears on combat or targets."""
    for one in board.battlefield:
        for text in abilities(board, one).unknown:
            for pattern, most in _UNREAD:
                if re.fullmatch(pattern, text.lower()):
                    yield Gap(f'what "{text}" of {one.id} comes to: it is not encoded', ((), (most(one.id),)))
        for says, predicate in one.doubts if not loses_all(board, one) else ():
            facts: dict[str, Fact] = {
                "protected_from": (predicate, (one.id, "everything", "everything")),
                "has": (predicate, (one.id, "hexproof")),
            }
            most_of_it = facts.get(predicate, (predicate, (one.id,)))
            yield Gap(f'what "{says}" of {one.id} comes to: it is not encoded', ((), (most_of_it,)))
