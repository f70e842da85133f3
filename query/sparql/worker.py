"""Knows how to answer queries in a process of its own, which may be killed at any moment without harm."""

from __future__ import annotations

import os
import queue
import resource
import sys
import threading
from pathlib import Path
from typing import Any, BinaryIO

from pyoxigraph import NamedNode

from kb.errors import SeeruleError
from kb.store.graph_store import Dataset, GraphStore
from kb.store.oxigraph import OxigraphStore
from kb.store.results import Triples
from kb.store.words import prefixes
from query.sparql.errors import ResultTooLarge
from query.sparql.formats import write
from query.sparql.frames import Closed, receive, send
from query.sparql.guard import check, check_graphs


def main() -> None:
    """Opens the store that the first message names, then answers message after message until the pipe
    closes.
    """
    pipe, out = sys.stdin.buffer, sys.stdout.buffer
    asked: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, asked), daemon=True).start()
    opening = asked.get()
    _limit_memory(opening["memory"])
    os.nice(opening["niceness"])
    try:
        store = _open(opening)
    except SeeruleError as error:
        send(out, _told(error))
        return
    send(out, {"ready": True})
    while True:
        _answer(store, asked.get(), out, opening["memory"])


def _listen(pipe: BinaryIO, asked: queue.SimpleQueue[dict[str, Any]]) -> None:
    """Takes messages as they come, and ends the process, in the midst of a query too, when its parent is
    gone.
    """
    try:
        while True:
            asked.put(receive(pipe)[0])
    except (Closed, OSError):
        os._exit(0)


def _limit_memory(largest: int) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_DATA, (largest, largest))


def _open(opening: dict[str, Any]) -> GraphStore:
    if "record" in opening:
        store = OxigraphStore.in_memory()
        store.load(opening["record"])
        return store
    return open_reading(opening["location"], opening["timeout"])


def open_reading(location: str, timeout: float = 600.0) -> GraphStore:
    """The store that another process has open, by its `full_location`; `timeout` (seconds) is for an endpoint."""
    if location.startswith(("http:", "https:")):
        from kb.store.endpoint import EndpointStore

        return EndpointStore(location, timeout=timeout)
    return OxigraphStore.reading(Path(location))


def _answer(store: GraphStore, asked: dict[str, Any], out: BinaryIO, memory: int) -> None:
    try:
        check(asked["sparql"], lambda: _names(store))
        graphs = [NamedNode(graph) for graph in asked["default_graphs"]]
        answer = store.query(
            asked["sparql"], default_graphs=graphs, union=asked["union"], limit=asked["limit"], only=_only(asked, store)
        )
        kind = asked["triples_format"] if isinstance(answer, Triples) else asked["rows_format"]
        written = write(answer, kind, asked["prefixes"] | prefixes(asked["sparql"]))
        if len(written.body) > asked["largest"]:
            raise ResultTooLarge(f"{asked['largest']:,} bytes for its answer")
        told = {"format": written.format, "media_type": written.media_type, "truncated": written.truncated}
        send(out, told, written.body)
    except SeeruleError as error:
        send(out, _told(error))
    except MemoryError:
        send(out, _told(ResultTooLarge(f"{memory:,} bytes of memory")))


def _names(store: GraphStore) -> list[str]:
    return [graph.value for graph in store.graphs()]


def _only(asked: dict[str, Any], store: GraphStore) -> Dataset | None:
    """The dataset that was asked for beside the query; its graphs must be there, like those of FROM."""
    if asked["only"] is None:
        return None
    default, named = asked["only"]
    check_graphs([*default, *named], _names(store), "the graph")
    return Dataset(tuple(map(NamedNode, default)), tuple(map(NamedNode, named)))


def _told(error: SeeruleError) -> dict[str, Any]:
    """An error as a message: its kind, its sentence and what it knows."""
    return {"error": type(error).__name__, "sentence": str(error), "facts": vars(error)}


if __name__ == "__main__":
    main()
