"""Knows how ground conditions are put to clingo without a text: literals that stand for "all of these",
"any of these" and "at least so much of these", each made once and simplified as far as it is already settled.

A literal is a number, its negation the negative number; `TRUE` and `FALSE` are literals that need no solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from query.predicate.relation import Row

if TYPE_CHECKING:
    import clingo

TRUE = 1 << 30
FALSE = -TRUE

Weighted = tuple[int, int]
"""A literal and what it weighs."""


@dataclass(frozen=True, slots=True)
class Total:
    """What weighted literals come to: `settled` without a solver, and `most` more if every open one holds.

    A negative weight is turned into the positive weight of the opposite, so that only lower bounds are left.
    """

    settled: int
    most: int
    open: tuple[Weighted, ...]

    @classmethod
    def of(cls, weighted: Iterable[Weighted]) -> Total:
        """The total of literals with their weights."""
        settled, most, left = 0, 0, list[Weighted]()
        for literal, weight in weighted:
            if weight < 0:
                literal, weight, settled = -literal, -weight, settled + weight
            if literal == TRUE:
                settled += weight
            elif literal != FALSE and weight:
                most += weight
                left.append((literal, weight))
        return cls(settled, most, tuple(left))


NOTHING = Total(0, 0, ())


class GroundRules:
    """The rules put to one solver, and what is maximised; close with `finish`.

    `gained` is what is gained however the choice is made; clingo's cost is taken from it.
    """

    def __init__(self, backend: clingo.Backend) -> None:
        self._backend = backend
        self._known: dict[object, int] = {}
        self._gains: list[Weighted] = []
        self.gained = 0

    def free(self, rows: Sequence[Row]) -> dict[Row, int]:
        """For each row a literal of its own that may be chosen."""
        made = {row: self._backend.add_atom() for row in rows}
        self._backend.add_rule(list(made.values()), [], True)
        return made

    def free_if(self, condition: int) -> int:
        """A literal that may be chosen where the condition holds."""
        made = self._backend.add_atom()
        self._backend.add_rule([made], [] if condition == TRUE else [condition], True)
        return made

    def all_of(self, literals: Sequence[int]) -> int:
        """Holds if each of the literals holds."""
        if len(literals) == 1:
            return literals[0]
        if FALSE in literals:
            return FALSE
        left = tuple(dict.fromkeys(one for one in literals if one != TRUE))
        if len(left) < 2:
            return left[0] if left else TRUE
        return self._made(("all", left), [left])

    def any_of(self, literals: Iterable[int]) -> int:
        """Holds if some of the literals holds."""
        left = tuple(dict.fromkeys(one for one in literals if one != FALSE))
        if TRUE in left:
            return TRUE
        if len(left) < 2:
            return left[0] if left else FALSE
        return self._made(("any", left), [(one,) for one in left])

    def at_least(self, bound: int, total: Total) -> int:
        """Holds if the total comes to the bound."""
        bound -= total.settled
        if bound <= 0:
            return TRUE
        if bound > total.most:
            return FALSE
        key = (bound, total.open)
        if key not in self._known:
            made = self._known[key] = self._backend.add_atom()
            self._backend.add_weight_rule([made], bound, total.open)
        return self._known[key]

    def forbid(self, literal: int) -> None:
        """No answer in which the literal holds."""
        if literal != FALSE:
            self._backend.add_rule([], [] if literal == TRUE else [literal])

    def gain(self, literal: int, weight: int) -> None:
        """The weight is gained where the literal holds."""
        if literal == TRUE:
            self.gained += weight
        elif literal != FALSE:
            self._gains.append((literal, weight))

    def maximize(self) -> None:
        """What is gained is maximised."""
        self._backend.add_minimize(0, [(literal, -weight) for literal, weight in self._gains])

    def reach(self, least: int) -> None:
        """What is gained comes to at least so much."""
        self.forbid(-self.at_least(least - self.gained, Total.of(self._gains)))

    def tell_apart(self, atoms: Sequence[int]) -> None:
        """Two answers that agree on these are one."""
        self._backend.add_project(atoms)

    def _made(self, key: object, bodies: Iterable[Sequence[int]]) -> int:
        if key not in self._known:
            made = self._known[key] = self._backend.add_atom()
            for body in bodies:
                self._backend.add_rule([made], body)
        return self._known[key]
