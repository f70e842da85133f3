"""Knows how work that takes thought is done aside: in a process of its own, which gives way to look-ups."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

from kb.errors import SeeruleError
from kb.workers import end_with_parent

_NICENESS = 5
_MOST_MISSED = 5


class TookTooLong(SeeruleError):
    """The answer was not found in time."""

    status = 504

    def __init__(self, seconds: float) -> None:
        said = "the first one of a kind takes longest: try again in a moment, or ask something smaller"
        super().__init__(f"no answer was found within {seconds:g} s; {said}")


class Unanswerable(SeeruleError):
    """The text, the board or the question is not one that can be answered."""

    status = 422


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault that the user can act on, on its way between two processes."""

    message: str


def _begin() -> None:
    end_with_parent()
    os.nice(_NICENESS)


class Aside:
    """One process that is given functions and plain values, and answers with plain values.

    It is started when it is first needed. One that misses its time goes on, since it may only be getting ready; after
    several misses in a row another takes its place. Functions return a `Fault` for what the user can act on.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._missed = 0
        self._turn = threading.Lock()
        self._process: ProcessPoolExecutor | None = None

    async def run(self, function: Callable[..., Any], *given: Any) -> Any:
        """What `function` makes of the values; raises `Unanswerable` and `TookTooLong`."""
        process = self._started()
        try:
            answer = asyncio.wrap_future(process.submit(function, *given))
            found = await asyncio.wait_for(asyncio.shield(answer), self.seconds)
            self._missed = 0
        except TimeoutError:
            self._missed += 1
            if self._missed >= _MOST_MISSED:
                self._end(process)
            raise TookTooLong(self.seconds) from None
        except BrokenProcessPool:
            self._end(process)
            raise Unanswerable("the process that was to answer ended; ask something smaller") from None
        if isinstance(found, Fault):
            raise Unanswerable(found.message)
        return found

    def _started(self) -> ProcessPoolExecutor:
        with self._turn:
            if self._process is None:
                context = get_context("spawn")
                self._process = ProcessPoolExecutor(1, context, initializer=_begin)
            return self._process

    def _end(self, process: ProcessPoolExecutor) -> None:
        with self._turn:
            if self._process is process:
                self._process, self._missed = None, 0
        for child in list((process._processes or {}).values()):
            child.kill()
        process.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        """Ends the process, and what it is doing; returns when nothing is left of either."""
        with self._turn:
            process, self._process = self._process, None
        if process is None:
            return
        for child in list((process._processes or {}).values()):
            child.kill()
        process.shutdown(wait=True, cancel_futures=True)
        del process
        gc.collect()  # a server ends by its signal, without the clean-up at exit that gives the semaphores back
