"""Knows how the smallest changes that flip an answer are told, and how far the search for them came."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from query.predicate.answer import NO, Declaration
from query.predicate.change import VALUES, Change
from query.predicate.syntax import Fact

MOST_TOLD = 6
"""How many predicates that were not tried are named in the text."""


@dataclass(frozen=True, slots=True)
class Flips:
    """The smallest sets of changes that flip an answer, each of `size` facts.

    `exhausted`: no smaller set and no other of that size, of the changes that are tried at all, flips it. Else the
    search ended before every set of `size` facts was tried, because enough were found or, `gave_up`, because time was
    up. `tried` says how many boards it saw, `left_out` the predicates that could matter and whose changes are not
    tried: what they say is a number, or follows from what is tried.
    """

    sets: tuple[tuple[Change, ...], ...]
    size: int
    exhausted: bool
    tried: int = 0
    gave_up: bool = False
    left_out: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether nothing else of this size or below flips the answer."""
        return self.exhausted and not self.left_out

    @property
    def text(self) -> str:
        """What was found, and how far the search came.

        >>> print(Flips((), 2, False, 310, True).text)
        no change of one fact flips the answer; of changes of 2 facts none was found in 310 boards before time was up
        >>> print(Flips((), 1, True, 3, left_out=("damaged", "life")).text)
        no change of up to one fact flips the answer (3 boards tried)
        (changes of what damaged, life say were not tried)
        """
        return "\n".join([*self._found(), *self._unseen()])

    def _found(self) -> list[str]:
        lines = [f"it would be otherwise {' and '.join(map(str, one))}" for one in self.sets]
        if lines:
            return lines if self.exhausted else [*lines, f"(there may be more: {self.tried} boards were tried)"]
        if self.exhausted:
            return [f"no change of up to {_facts(self.size)} flips the answer ({self.tried} boards tried)"]
        below = f"no change of {_facts(self.size - 1)} flips the answer; " if self.size > 1 else ""
        return [f"{below}of changes of {_facts(self.size)} none was found in {self.tried} boards before time was up"]

    def _unseen(self) -> list[str]:
        if self.gave_up or not self.left_out:
            return []
        told = sorted(self.left_out, key=lambda name: (name not in VALUES, name))
        more = f" and {len(told) - MOST_TOLD} more" if len(told) > MOST_TOLD else ""
        return [f"(changes of what {', '.join(told[:MOST_TOLD])}{more} say were not tried)"]

    def data(self) -> dict[str, Any]:
        """The same as plain values."""
        return {
            "flips": [[str(change) for change in one] for one in self.sets],
            "size": self.size,
            "complete": self.complete,
            "gave_up": self.gave_up,
            "tried": self.tried,
            "left_out": list(self.left_out),
        }


def nearest(found: Declaration | None, value: str) -> Flips | None:
    """How a declaration that is not legal differs least from the legal ones that were listed, its optimum among them;
    None for any other."""
    if found is None or value != NO:
        return None
    made = frozenset(found.made)
    legal = dict.fromkeys([found.witness, *found.legal])
    ways = [tuple(sorted(_changes(made, frozenset(one)), key=str)) for one in legal]
    size = min(map(len, ways))
    return Flips(tuple(way for way in ways if len(way) == size), size, not found.more and bool(found.legal), len(ways))


def _changes(made: frozenset[Fact], other: frozenset[Fact]) -> list[Change]:
    return [Change(fact, fact in other) for fact in made ^ other]


def _facts(count: int) -> str:
    return "one fact" if count == 1 else f"{count} facts"
