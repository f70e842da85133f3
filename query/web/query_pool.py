"""Knows how queries of strangers take turns: so many at once, each in a process that gives way to look-ups."""

from __future__ import annotations

import asyncio
import queue
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from kb.errors import SeeruleError
from kb.store.graph_store import GraphStore
from kb.vocabulary import PREFIXES
from query.sparql.evaluate import Evaluator
from query.web.setting import Setting

T = TypeVar("T")
_NICENESS = 10


class TooManyQueries(SeeruleError):
    """Every process for queries is taken, and none came free in time."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"too many queries run already; no turn came within {seconds:g} s. Try again in a moment")
        self.retry_after = max(1, round(seconds))


class QueryPool:
    """The evaluators of one store, as many as may run at once; the one that ran last runs next, so that few start."""

    def __init__(self, store: GraphStore, setting: Setting) -> None:
        self._wait = setting.wait_seconds
        self._threads = ThreadPoolExecutor(setting.queries, thread_name_prefix="query")
        self._turns = asyncio.Semaphore(setting.queries)
        self._idle: queue.LifoQueue[Evaluator] = queue.LifoQueue()
        self._evaluators = [
            Evaluator(
                store,
                timeout=setting.query_seconds,
                largest=setting.query_bytes,
                memory=setting.query_memory,
                niceness=_NICENESS,
                prefixes=PREFIXES,
            )
            for _ in range(setting.queries)
        ]
        for evaluator in self._evaluators:
            self._idle.put(evaluator)

    async def ask(self, question: Callable[[Evaluator], T]) -> T:
        """What `question` makes of an evaluator, when one is free.

        Raises `TooManyQueries`, and what `question` raises. A question whose asker has gone is ended.
        """
        try:
            await asyncio.wait_for(self._turns.acquire(), self._wait)
        except TimeoutError:
            raise TooManyQueries(self._wait) from None
        evaluator = self._idle.get_nowait()
        running = asyncio.get_running_loop().run_in_executor(self._threads, question, evaluator)
        running.add_done_callback(lambda _: self._free(evaluator))
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            evaluator.interrupt()
            raise

    def _free(self, evaluator: Evaluator) -> None:
        self._idle.put(evaluator)
        self._turns.release()

    def close(self) -> None:
        """Ends the processes, and with them what still runs."""
        for evaluator in self._evaluators:
            evaluator.interrupt()
            evaluator.close()
        self._threads.shutdown(wait=False)
