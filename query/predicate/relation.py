"""Knows the facts of one predicate, each with where it came from, and the hash indexes over them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

Row = tuple[str | int, ...]
"""The arguments of one fact."""

Index = dict[object, list[Row]]
"""Rows by the values at some positions: the value itself for one position, a tuple for more."""

GIVEN = -1
"""The origin of a fact that a board states."""

ROUNDS = 1 << 16
"""An origin is the number of its clause plus `ROUNDS` times the round of the recursion it was found in."""


class Relation:
    """The rows of one predicate in the order they were found, with an index for each set of positions asked for.

    >>> has = Relation([("drake", "flying"), ("bear", "reach"), ("drake", "haste")])
    >>> has.index((0,))["drake"]
    [('drake', 'flying'), ('drake', 'haste')]
    """

    __slots__ = ("_indexes", "rows")

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self.rows: dict[Row, int] = dict.fromkeys(rows, GIVEN)
        self._indexes: dict[tuple[int, ...], tuple[Index, list[int]]] = {}

    def index(self, positions: tuple[int, ...]) -> Index:
        """The rows by their values at `positions`, brought up to date; a value without rows has no entry."""
        index, seen = self._indexes.setdefault(positions, ({}, [0]))
        if seen[0] < len(self.rows):
            fresh = islice(self.rows, seen[0], None) if seen[0] else iter(self.rows)
            seen[0] = len(self.rows)
            if len(positions) == 1:
                at = positions[0]
                for row in fresh:
                    index.setdefault(row[at], []).append(row)
            else:
                for row in fresh:
                    index.setdefault(tuple([row[at] for at in positions]), []).append(row)
        return index

    def forget(self, rows: Iterable[Row]) -> None:
        """Takes rows out again; the indexes are built anew when next asked for."""
        for row in rows:
            self.rows.pop(row, None)
        self._indexes.clear()


def clause_of(origin: int) -> int:
    """The number of the clause in an origin."""
    return origin % ROUNDS


def round_of(origin: int) -> int:
    """The round of the recursion in an origin."""
    return origin // ROUNDS
