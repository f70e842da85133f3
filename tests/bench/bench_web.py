"""Measures the site under load, against the same pages made from rdflib's memory store, and prints the figures.

    python tests/bench/bench_web.py [--home DIR] [--seconds 60] [--rate 50] [--without-rdflib] [--paths FILE]

It starts `seerule serve` on this machine, asks for mixed pages at a steady rate over open connections while a heavy
SPARQL query runs again and again, and tells the time of each answer from the moment it was due (so that a stall counts
for everything that had to wait). Then it makes the same pages with the same code over rdflib's memory store. Nothing
is asked of another machine; the load is bounded by `--seconds` and `--rate`.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from pathlib import Path
from statistics import quantiles
from typing import Any
from urllib.parse import quote

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from kb.home import Home  # noqa: E402
from query.knowledge_base import KnowledgeBase  # noqa: E402
from query.web.addresses import document  # noqa: E402

CONNECTIONS = 8
HEAVY = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f }"
SAMPLE = 40


def mixed_paths(home: Path, count: int) -> list[str]:
    """Addresses as readers ask for them: mostly rules and subrules all over the book, then terms, chapters, forms."""
    chance = random.Random(7)
    with KnowledgeBase.open(home) as base:
        keys = base.lookup.keys
    rules = [key for key in keys if "." in key]
    terms = [key for key in keys if key.startswith("term/")]
    chapters = [key for key in keys if key[0].isdigit() and "." not in key]
    kinds = chance.choices((rules, terms, chapters), (80, 14, 6), k=count)
    forms = chance.choices(("", ".json", ".ttl"), (90, 7, 3), k=count)
    return [document(chance.choice(kind)) + form for kind, form in zip(kinds, forms, strict=True)]


@contextlib.contextmanager
def served(home: Path) -> Iterator[tuple[str, int, subprocess.Popen[bytes], float]]:
    """The site in a process of its own: host, port, process, and the seconds until the first page came."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "query.cli", "--home", str(home), "serve", "--port", str(port)]
    began = time.perf_counter()
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL) as process:
        try:
            while True:
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=30) as line:
                    line.sendall(b"GET /cr/702.9 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                    if line.recv(12).endswith(b"200"):
                        break
                time.sleep(0.005)
            yield "127.0.0.1", port, process, time.perf_counter() - began
        finally:
            process.send_signal(signal.SIGTERM)


async def load(host: str, port: int, paths: Sequence[str], rate: float) -> tuple[list[float], int]:
    """The milliseconds from when each request was due to its whole answer, and how many were not answered with 200."""
    queue: asyncio.Queue[tuple[float, str]] = asyncio.Queue()
    times: list[float] = []
    wrong = 0

    async def asks() -> None:
        nonlocal wrong
        reader, writer = await asyncio.open_connection(host, port)
        while True:
            due, path = await queue.get()
            writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n".encode())
            status, length = 0, 0
            while (line := await reader.readline()) != b"\r\n":
                if line.startswith(b"HTTP/1.1 "):
                    status = int(line[9:12])
                elif line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            await reader.readexactly(length)
            times.append((time.perf_counter() - due) * 1000)
            wrong += status != 200
            queue.task_done()

    askers = [asyncio.create_task(asks()) for _ in range(CONNECTIONS)]
    began = time.perf_counter()
    for at, path in enumerate(paths):
        due = began + at / rate
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        queue.put_nowait((due, path))
    await queue.join()
    for asker in askers:
        asker.cancel()
    return times, wrong


@contextlib.contextmanager
def heavy_queries(host: str, port: int) -> Iterator[None]:
    """A heavy query that runs again and again beside everything else."""
    script = (
        "import sys, urllib.request\n"
        "while True:\n"
        "    try: urllib.request.urlopen(sys.argv[1], timeout=60).read()\n"
        "    except urllib.error.HTTPError: pass\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, f"http://{host}:{port}/sparql?query={quote(HEAVY)}"], stderr=subprocess.DEVNULL
    ) as process:
        try:
            time.sleep(1.0)
            yield
        finally:
            process.kill()


def told(name: str, times: Sequence[float]) -> str:
    """The spread of some times in milliseconds."""
    cut = quantiles(times, n=100)
    return f"{name:34} p50 {cut[49]:8.1f}  p95 {cut[94]:8.1f}  p99 {cut[98]:8.1f}  max {max(times):8.1f} ms"


def memory(pid: int) -> float:
    """The resident memory of a process in megabytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def pages_of_both(home: Path, paths: Sequence[str], out: Any) -> None:
    """Puts into `out` by name the milliseconds that each page takes: made from our store, from rdflib's memory store,
    and from that one while it answers the heavy query, as it must in the same process. For a process of its own.
    """
    from rdflib import Dataset

    from query.web.open_edition import OpenEdition
    from query.web.setting import Setting
    from query.web.volume import Volume

    volume = Volume(Setting(store=str(home)))
    volume.warm()
    ours = volume.edition()
    out.put(("made from our store", page_times(volume, ours, paths)))
    began, graph = time.perf_counter(), Dataset()
    names = ours.base.names
    record = b"".join(ours.base.store.dump(graphs=[names.graph(ours.date), names.catalogue]))
    graph.parse(data=record, format="nquads")
    out.put(("loading rdflib", [(time.perf_counter() - began) * 1000]))
    theirs = OpenEdition(KnowledgeBase(rdflib_store(graph), volume.current))
    theirs.base.lookup.titled  # noqa: B018
    out.put(("made from rdflib", page_times(volume, theirs, paths)))
    edition = graph.graph(f"{names.graph(ours.date).value}")
    threading.Thread(target=lambda: list(edition.query(HEAVY)), daemon=True).start()
    time.sleep(0.5)
    theirs = OpenEdition(KnowledgeBase(rdflib_store(graph), volume.current))
    out.put(("from rdflib beside a heavy query", page_times(volume, theirs, paths)))


def page_times(volume: Any, edition: Any, paths: Sequence[str]) -> list[float]:
    """The milliseconds that each page takes to make."""
    from query.web import documents

    times = []
    for path in paths:
        key = path.removeprefix("/cr/").removeprefix("/")
        began = time.perf_counter()
        documents._html(volume, edition, key, "")
        times.append((time.perf_counter() - began) * 1000)
    return times


def compared(home: Path, paths: Sequence[str]) -> dict[str, list[float]]:
    """The same pages from our store and from rdflib's, made in one process, which is ended afterwards."""
    context = get_context("spawn")
    out = context.Queue()
    process = context.Process(target=pages_of_both, args=(home, list(paths), out), daemon=True)
    process.start()
    try:
        return dict(out.get(timeout=600) for _ in range(4))
    finally:
        process.kill()


def rdflib_store(dataset: Any) -> Any:
    """rdflib's memory store behind the interface of `GraphStore`, for look-ups only."""
    import pyoxigraph as ox
    from rdflib import Graph, Literal, URIRef

    from kb.store import OxigraphStore

    class RdflibStore(OxigraphStore):
        """Answers patterns from rdflib."""

        def quads(self, subject: Any = None, predicate: Any = None, object: Any = None, graph: Any = None) -> Any:
            pattern = tuple(_there(term) for term in (subject, predicate, object))
            graphs = [dataset.graph(URIRef(graph.value))] if graph is not None else list(dataset.graphs())
            for one in graphs:
                assert isinstance(one, Graph)
                for s, p, o in one.triples(pattern):
                    name = ox.NamedNode(str(one.identifier))
                    yield ox.Quad(ox.NamedNode(str(s)), ox.NamedNode(str(p)), _here(o), name)

    def _there(term: Any) -> Any:
        if isinstance(term, ox.Literal):
            return Literal(term.value)
        return URIRef(term.value) if term is not None else None

    def _here(term: Any) -> Any:
        if isinstance(term, Literal):
            kind = term.datatype
            return ox.Literal(str(term), datatype=ox.NamedNode(str(kind))) if kind else ox.Literal(str(term))
        return ox.NamedNode(str(term))

    return RdflibStore(ox.Store(), "memory:", writable=False)


def main() -> None:
    """Runs the measurement and prints it."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--home", type=Path, default=Home.default().path)
    options.add_argument("--seconds", type=int, default=60)
    options.add_argument("--rate", type=float, default=50.0)
    options.add_argument("--without-rdflib", action="store_true")
    chosen = options.parse_args()
    paths = mixed_paths(chosen.home, int(chosen.seconds * chosen.rate))
    with served(chosen.home) as (host, port, process, started):
        print(f"first page after {started:.2f} s, load average {os.getloadavg()[0]:.1f}")
        time.sleep(3)
        quiet, wrong = asyncio.run(load(host, port, paths[: len(paths) // 4], chosen.rate))
        print(told("pages", quiet), f" {wrong} wrong")
        with heavy_queries(host, port):
            busy, wrong = asyncio.run(load(host, port, paths, chosen.rate))
        print(told("pages beside a heavy query", busy), f" {wrong} wrong")
        print(f"memory of the serving process {memory(process.pid):.0f} MB")
    if not chosen.without_rdflib:
        plain = [path for path in paths if not path.endswith((".json", ".ttl"))][:SAMPLE]
        found = compared(chosen.home, plain)
        print(f"rdflib's memory store is loaded in {found.pop('loading rdflib')[0] / 1000:.1f} s")
        for name, times in found.items():
            print(told(name, times))
        ours, theirs = (quantiles(found[f"made from {name}"], n=2)[0] for name in ("our store", "rdflib"))
        last = quantiles(found["from rdflib beside a heavy query"], n=2)[0]
        beside = last / quantiles(busy, n=2)[0]
        print(f"rdflib / ours: {theirs / ours:.1f}x; beside a heavy query, ours served: {beside:.0f}x")


if __name__ == "__main__":
    main()
