"""Knows what a gap in a board is: something its rules may ask and neither the board nor the encoded words tell, with
the facts that it may come to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from query.predicate.syntax import Fact

Filling = tuple[int, ...]
"""Which alternative of each gap is taken."""


@dataclass(frozen=True, slots=True)
class Gap:
    """What is not known, in words, and the facts of each way it may be; an answer is sure if it is the same in all."""

    says: str
    alternatives: tuple[tuple[Fact, ...], ...]

    @property
    def predicates(self) -> frozenset[str]:
        """What the gap is about: it matters only to questions that need one of these."""
        return frozenset(name for facts in self.alternatives for name, _ in facts)


MOST_GAPS = 12
"""How many gaps are filled one by one; of more, all at once in the first way and all in the last."""


def fillings(gaps: Sequence[Gap]) -> Iterator[Filling]:
    """The first alternative of every gap, then each other one alone, then the last of every gap.

    >>> list(fillings([Gap("a", ((), ())), Gap("b", ((), (), ()))]))
    [(0, 0), (1, 0), (0, 1), (0, 2), (1, 2)]
    """
    first = (0,) * len(gaps)
    found = [first]
    for at, gap in enumerate(gaps if len(gaps) <= MOST_GAPS else ()):
        found += [(*first[:at], choice, *first[at + 1 :]) for choice in range(1, len(gap.alternatives))]
    yield from dict.fromkeys([*found, tuple(len(gap.alternatives) - 1 for gap in gaps)])


def filled(gaps: Sequence[Gap], filling: Filling) -> tuple[Fact, ...]:
    """The facts of one way of filling the gaps."""
    return tuple(fact for gap, choice in zip(gaps, filling, strict=True) for fact in gap.alternatives[choice])
