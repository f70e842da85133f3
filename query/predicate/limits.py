"""Knows what answering a question may cost, and when that is spent."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace


class LimitError(Exception):
    """The evaluation was given up; the message says which limit it met."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What an evaluation may cost: `seconds` of time, `facts` in all, `stages` one after another.

    `deadline`, where it is set, is the moment (`time.perf_counter`) at which the seconds of a whole question end.
    """

    seconds: float = 4.0
    facts: int = 1_000_000
    stages: int = 400
    deadline: float | None = None

    def begun(self) -> Limits:
        """The same, with the time running from now on if it does not run already.

        >>> Limits(3).begun().begun().left <= 3
        True
        """
        return self if self.deadline is not None else replace(self, deadline=time.perf_counter() + self.seconds)

    @property
    def left(self) -> float:
        """The seconds that are left; all of them where the time does not run yet."""
        return self.seconds if self.deadline is None else max(self.deadline - time.perf_counter(), 0.0)

    def check(self) -> None:
        """Raises `LimitError` where the time is over."""
        if self.deadline is not None and time.perf_counter() > self.deadline:
            raise LimitError(f"no answer within {self.seconds:g} seconds")
