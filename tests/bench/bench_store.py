"""Measures the store against bare pyoxigraph and rdflib's memory store on one graph, and prints the ratios.

    python tests/bench/bench_store.py [--record FILE.nq[.gz]] [--queries FOLDER] [--without-rdflib]

The record is that of a build (`current/graph.nq.gz` in a home); the queries asked of it are those in
`tests/bench/queries` or in a folder of one's own. Without a record it makes a graph of like shape, with eight
queries of its own. Ratios hold within one run; times are those of this machine.
"""

from __future__ import annotations

import argparse
import gzip
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import pyoxigraph as ox

sys.path.insert(0, str(Path(__file__).parents[2]))

from kb.home import Home
from kb.store import GraphStore
from kb.store.oxigraph import OxigraphStore

RULES, CARDS, KEYWORDS = 3_200, 8_000, 200
EDITION, BOOK = "https://e.example/id/cr/2026-01-01", "https://e.example/id/cards"
HEAD = f"PREFIX t: <https://e.example/term#> PREFIX r: <{EDITION}/> "
QUERIES = {
    "point: rule by number": 'SELECT ?r ?text { ?r t:number "402.7" ; t:text ?text }',
    "point: what a rule says": "SELECT ?p ?o { r:402.7 ?p ?o }",
    "point: who cites a rule": "SELECT ?r ?n { ?r t:cites r:110.3 ; t:number ?n }",
    "point: is there a link": "ASK { r:402.7 t:cites r:110.3 }",
    "path: all that a rule leads to": "SELECT DISTINCT ?r { r:402.7 t:cites+ ?r }",
    "join: keyword to rule to cards": 'SELECT ?c { ?r t:number "107.0" . ?k t:rule ?r . ?c t:keyword ?k }',
    "count: most cited rules": """
        SELECT ?r (COUNT(*) AS ?n) { ?x t:cites ?r } GROUP BY ?r ORDER BY DESC(?n) LIMIT 20""",
    "count: keywords by cards": """
        SELECT ?k (COUNT(?c) AS ?n) { ?c t:keyword ?k } GROUP BY ?k ORDER BY DESC(?n) LIMIT 20""",
}
HEADS = ("rows", "ours ms", "bare ms", "ours/bare", "rdflib ms", "rdflib/ours", "rdflib/memory")
WORDS = ("the", "of", "a", "creature", "spell", "ability", "player", "damage", "combat", "step", "source")


def synthetic() -> Iterator[str]:
    """N-Quads of one edition, its references, keywords and cards."""
    chance, term = random.Random(1), "https://e.example/term#"
    a, xsd = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>", "http://www.w3.org/2001/XMLSchema#"
    for number in range(RULES):
        rule, graph = f"<{EDITION}/{100 + number // 10}.{number % 10}>", f"<{EDITION}>"
        text = " ".join(chance.choices(WORDS, k=40))
        yield f"{rule} {a} <{term}Rule> {graph} .\n"
        yield f'{rule} <{term}number> "{100 + number // 10}.{number % 10}" {graph} .\n'
        yield f'{rule} <{term}order> "{number}"^^<{xsd}integer> {graph} .\n'
        yield f'{rule} <{term}text> "{text}"@en {graph} .\n'
        for _ in range(chance.randint(0, 3)):
            cited = chance.randrange(number + 1)
            yield f"{rule} <{term}cites> <{EDITION}/{100 + cited // 10}.{cited % 10}> {graph} .\n"
    for keyword in range(KEYWORDS):
        rule = f"<{EDITION}/{100 + keyword // 10}.{keyword % 10}>"
        yield f"<{term}k/{keyword}> <{term}rule> {rule} <{EDITION}> .\n"
    for card in range(CARDS):
        yield f'<{BOOK}/{card}> <{term}name> "Card {card}" <{BOOK}> .\n'
        for keyword in chance.sample(range(KEYWORDS), 3):
            yield f"<{BOOK}/{card}> <{term}keyword> <{term}k/{keyword}> <{BOOK}> .\n"


def timed(work: Callable[[], object], at_least: float = 0.2, most: int = 2000) -> float:
    """Seconds of the fastest of many calls: what the work takes when the machine is not busy elsewhere."""
    work()
    times: list[float] = []
    while len(times) < 3 or (sum(times) < at_least and len(times) < most):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)


def once(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def cold_open(home: Path) -> float:
    """Median seconds in which a new process has the store open and its first answer, beyond starting
    Python.
    """
    script = (
        "import time; began = time.perf_counter()\n"
        "from pathlib import Path; from kb.home import Home\n"
        f"with Home(Path({str(home)!r})).open_store() as store: store.query('ASK {{ <urn:s> ?p ?o }}')\n"
        "print(time.perf_counter() - began)"
    )
    root, times = Path(__file__).parents[2], []
    for _ in range(7):
        told = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, check=True)
        times.append(float(told.stdout))
    return median(times)


def load_rdflib(record: bytes) -> object:
    import rdflib

    dataset = rdflib.Dataset(default_union=True)
    dataset.parse(data=record, format="nquads")
    return dataset


def report(record: bytes, queries: dict[str, str], with_rdflib: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home, file, plain = Home(Path(folder) / "home"), Path(folder) / "bare.nq", str(Path(folder) / "bare")
        file.write_bytes(record)
        build = once(lambda: build_home(home, record))
        bare_load = once(lambda: ox.Store(plain).bulk_load(path=file, format=ox.RdfFormat.N_QUADS))
        ratio = f"{build / bare_load:.2f} x"
        quads = record.count(b"\n")
        print(f"{quads:,} quads; build {build:.2f} s, bare bulk load {bare_load:.2f} s ({ratio})")
        print(f"cold open and first answer {cold_open(home.path) * 1000:.0f} ms")
        graph = load_rdflib(record) if with_rdflib else None
        with home.open_store() as store, OxigraphStore.in_memory(store.default_graphs) as memory:
            memory.load(record)
            compare(store, memory, ox.Store.read_only(plain), graph, queries)


def build_home(home: Home, record: bytes) -> None:
    with home.new_build() as build:
        with build.open_record() as file:
            file.write(record)
        build.commit([ox.NamedNode(name) for name in graph_names(record)])


def graph_names(record: bytes) -> list[str]:
    named = (quad.graph_name for quad in ox.parse(record, ox.RdfFormat.N_QUADS))
    return sorted({graph.value for graph in named if isinstance(graph, ox.NamedNode)})


def compare(store: GraphStore, memory: GraphStore, bare: ox.Store, graph: Any, queries: dict[str, str]) -> None:
    """A line a query: milliseconds of each, ours on disk over bare on disk, rdflib in memory over both of ours."""
    graphs = list(store.default_graphs)
    print(f"{'query':32}" + "".join(f"{head:>{max(13, len(head) + 3)}}" for head in HEADS))
    for name, sparql in queries.items():
        found = store.query(sparql)
        ours = timed(partial(store.query, sparql))
        direct = timed(partial(bare_answer, bare, sparql, graphs))
        line = f"{name:32}{1 if isinstance(found, bool) else len(found):13}"
        line += f"{ours * 1e3:13.3f}{direct * 1e3:13.3f}{ours / direct:13.2f}"
        if graph is not None:
            slow = timed(partial(lambda text: list(graph.query(text)), sparql), at_least=0.1)
            quick = timed(partial(memory.query, sparql))
            line += f"{slow * 1e3:13.2f}{slow / ours:13.0f}{slow / quick:16.0f}"
        print(line, flush=True)


def bare_answer(bare: ox.Store, sparql: str, graphs: list[ox.NamedNode]) -> object:
    found = bare.query(sparql, default_graph=graphs)
    return bool(found) if isinstance(found, ox.QueryBoolean) else list(found)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--record", type=Path)
    options.add_argument("--queries", type=Path)
    options.add_argument("--without-rdflib", action="store_true")
    chosen = options.parse_args()
    record = "".join(synthetic()).encode()
    if chosen.record:
        packed = chosen.record.read_bytes()
        record = gzip.decompress(packed) if chosen.record.suffix == ".gz" else packed
    queries = {name: HEAD + text for name, text in QUERIES.items()}
    if chosen.record or chosen.queries:
        queries = {
            path.stem: path.read_text()
            for path in sorted((chosen.queries or Path(__file__).parent / "queries").glob("*.rq"))
        }
    report(record, queries, not chosen.without_rdflib)


if __name__ == "__main__":
    main()
