"""Knows how to answer a query of somebody else's within limits that hold: of time, of memory, of size."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any, BinaryIO, Self

from pyoxigraph import NamedNode

from kb.errors import SeeruleError
from kb.store import errors as store_errors
from kb.store.graph_store import Dataset, GraphStore
from kb.store.results import Answer
from query.sparql import errors as query_errors
from query.sparql import formats
from query.sparql.errors import QueryFailed, QueryTimedOut, ResultTooLarge
from query.sparql.formats import ROWS, TRIPLES, Written
from query.sparql.frames import Closed, receive, send

_START = 120.0
"""Seconds within which a worker must have opened its store; only a broken machine needs them."""

_BEGIN = "import json,sys; sys.path[:] = json.loads(sys.argv[1]); from query.sparql.worker import main; main()"


class Evaluator:
    """Answers foreign queries over a store in a worker process, which is ended with its query at the limit.

    The engine cannot be interrupted, and a query can exhaust memory or the stack: so it runs where that harms
    nobody. The worker stays between queries and is replaced after it was ended. `timeout` is in seconds, `largest`
    caps an answer and `memory` the worker, both in bytes; a `niceness` above 0 lets other work go first. One query
    runs at a time; hold several evaluators to run several. The store must stay open as long as its evaluator; of one
    in memory the worker has what it held when the worker started. `prefixes` shorten the names in Turtle, beside the
    query's own.

    >>> from kb.store import open_store
    >>> with open_store("memory:") as store, Evaluator(store) as evaluator:
    ...     evaluator.answer("ASK {}")
    True
    """

    def __init__(
        self,
        store: GraphStore,
        *,
        timeout: float = 30.0,
        largest: int = 64 << 20,
        memory: int = 2 << 30,
        niceness: int = 0,
        prefixes: Mapping[str, str] | None = None,
    ) -> None:
        self.store, self.timeout, self.largest, self.memory = store, timeout, largest, memory
        self._niceness = niceness
        self._prefixes = dict(prefixes or {})
        self._worker: subprocess.Popen[bytes] | None = None
        self._turn = threading.Lock()

    def answer(
        self,
        sparql: str,
        *,
        limit: int | None = None,
        timeout: float | None = None,
        default_graphs: Sequence[NamedNode] | None = None,
        only: Dataset | None = None,
    ) -> Answer:
        """The answer as rows, triples or a truth, at most `limit` of them; arguments and errors as
        `written`.
        """
        return formats.read(
            self._asked(
                sparql, "tsv", "ntriples", limit=limit, timeout=timeout, default_graphs=default_graphs, only=only
            )
        )

    def written(
        self,
        sparql: str,
        format: str,
        *,
        limit: int | None = None,
        timeout: float | None = None,
        default_graphs: Sequence[NamedNode] | None = None,
        only: Dataset | None = None,
    ) -> Written:
        """The answer in a format of `formats.ROWS` or `formats.TRIPLES`.

        Without FROM the query sees `default_graphs`, by default the store's, and where it has none every
        graph; `only` overrides both. Raises `QueryRefused`, `QuerySyntaxError`, `QueryTimedOut`, `ResultTooLarge`,
        `QueryFailed`, `WrongFormat`, and from an endpoint `EndpointError`.
        """
        rows = format if format not in TRIPLES else "json"
        triples = format if format not in ROWS else "turtle"
        found = self._asked(
            sparql, rows, triples, limit=limit, timeout=timeout, default_graphs=default_graphs, only=only
        )
        if found.format != format:
            wrong = ROWS if found.format in ROWS else TRIPLES
            answer = "rows or a truth" if found.format in ROWS else "triples"
            raise formats.WrongFormat(format, f"this query's answer ({answer})", wrong)
        return found

    def _asked(
        self,
        sparql: str,
        rows_format: str,
        triples_format: str,
        *,
        limit: int | None,
        timeout: float | None,
        default_graphs: Sequence[NamedNode] | None,
        only: Dataset | None = None,
    ) -> Written:
        graphs = self.store.default_graphs if default_graphs is None else default_graphs
        question = {
            "sparql": sparql,
            "rows_format": rows_format,
            "triples_format": triples_format,
            "limit": limit,
            "largest": self.largest,
            "default_graphs": [graph.value for graph in graphs],
            "union": not graphs,
            "only": None if only is None else [[g.value for g in only.default], [g.value for g in only.named]],
            "prefixes": self._prefixes,
        }
        seconds = self.timeout if timeout is None else timeout
        with self._turn:
            head, body = self._exchange(question, seconds)
        if "error" in head:
            raise _error(head)
        return Written(head["format"], head["media_type"], body, head["truncated"])

    def _exchange(self, question: dict[str, Any], seconds: float) -> tuple[dict[str, Any], bytes]:
        worker = self.start()
        try:
            with self._ended_unless_whole():
                send(_pipe(worker.stdin), question)
                return receive(_pipe(worker.stdout), seconds)
        except TimeoutError:
            raise QueryTimedOut(seconds) from None
        except (Closed, BrokenPipeError):
            raise self._died(worker) from None

    def _died(self, worker: subprocess.Popen[bytes]) -> SeeruleError:
        """Why a worker ended by itself: an engine out of memory aborts, one out of stack is stopped."""
        code = worker.wait()
        if code in (-6, -9):
            return ResultTooLarge(f"{self.memory:,} bytes of memory")
        return QueryFailed(f"the engine broke down on this query (status {code}); is it nested very deep?")

    def start(self) -> subprocess.Popen[bytes]:
        """The worker, started unless it runs; call it ahead of the first query to save that query 0.1 s."""
        if self._worker is not None and self._worker.poll() is None:
            return self._worker
        self._end()
        self._worker = subprocess.Popen(
            [sys.executable, "-c", _BEGIN, json.dumps(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
        )
        with self._ended_unless_whole(), self._opening() as opening:
            send(_pipe(self._worker.stdin), opening)
            try:
                head, _ = receive(_pipe(self._worker.stdout), _START)
            except (Closed, TimeoutError, BrokenPipeError):
                raise QueryFailed("the worker process for queries does not start") from None
            if "error" in head:
                raise _error(head)
        return self._worker

    @contextmanager
    def _opening(self) -> Iterator[dict[str, Any]]:
        """The message that tells a worker which store to open; one in memory is handed over as a record."""
        said: dict[str, Any] = {
            "memory": self.memory,
            "niceness": self._niceness,
            "timeout": self.timeout,
            "location": self.store.location,
        }
        if self.store.location != "memory:":
            yield said | {"location": self.store.full_location}
            return
        with tempfile.NamedTemporaryFile(suffix=".nq") as record:
            record.writelines(self.store.dump())
            record.flush()
            yield said | {"record": record.name}

    @contextmanager
    def _ended_unless_whole(self) -> Iterator[None]:
        """Ends the worker when the block does not end well: what it would still say belongs to no
        question.
        """
        try:
            yield
        except BaseException:
            self._end()
            raise

    def _end(self) -> None:
        if self._worker is not None:
            worker, self._worker = self._worker, None
            worker.kill()
            worker.wait()
            for pipe in (worker.stdin, worker.stdout):
                _pipe(pipe).close()

    def interrupt(self) -> None:
        """Ends the query that runs, from another thread: it fails, and the next one gets a new worker."""
        worker = self._worker
        if worker is not None:
            worker.kill()

    def close(self) -> None:
        """Ends the worker; twice is harmless."""
        with self._turn:
            self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _pipe(pipe: Any) -> BinaryIO:
    assert pipe is not None, "the worker was started with pipes"
    found: BinaryIO = pipe
    return found


def _error(head: dict[str, Any]) -> SeeruleError:
    """The error that a worker met, as the same kind of error here."""
    kind = next((getattr(place, head["error"]) for place in _KINDS if hasattr(place, head["error"])), QueryFailed)
    error: SeeruleError = kind.__new__(kind, head["sentence"])
    error.__dict__.update(head["facts"])
    return error


_KINDS = (store_errors, query_errors, formats)
