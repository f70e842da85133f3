"""Knows how work that takes thought is done aside: in a process of its own, which gives way to look-ups."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

from kb.errors import SeeruleError

_NICENESS = 5


class TookTooLong(SeeruleError):
    """The answer was not found in time, and was given up."""

    status = 504

    def __init__(self, seconds: float) -> None:
        super().__init__(f"no answer was found within {seconds:g} s; ask something smaller")


class Unanswerable(SeeruleError):
    """The text, the board or the question is not one that can be answered."""

    status = 422


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault that the user can act on, on its way between two processes."""

    message: str


class Aside:
    """One process that is given functions and plain values, and answers with plain values.

    It is started when it is first needed, and another takes its place when it had to be ended. Functions return a
    `Fault` for what the user can act on.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._turn = threading.Lock()
        self._process: ProcessPoolExecutor | None = None

    async def run(self, function: Callable[..., Any], *given: Any) -> Any:
        """What `function` makes of the values; raises `Unanswerable` and `TookTooLong`."""
        process = self._started()
        try:
            found = await asyncio.wait_for(asyncio.wrap_future(process.submit(function, *given)), self.seconds)
        except TimeoutError:
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
                self._process = ProcessPoolExecutor(1, context, initializer=os.nice, initargs=(_NICENESS,))
            return self._process

    def _end(self, process: ProcessPoolExecutor) -> None:
        with self._turn:
            if self._process is process:
                self._process = None
        for child in list((process._processes or {}).values()):
            child.kill()
        process.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        """Ends the process, and what it is doing."""
        if self._process is not None:
            self._end(self._process)
