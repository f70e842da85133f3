"""A query of somebody else's is answered, refused or ended; its process outlives none of that."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Triple, parse

from kb.home import Home
from kb.store import GraphStore, OxigraphStore, Solutions, Triples, open_store
from kb.store.errors import EndpointUnreachable, QuerySyntaxError
from kb.store.results import canonical
from query.sparql.errors import QueryFailed, QueryRefused, QueryTimedOut, ResultTooLarge
from query.sparql.evaluate import Evaluator
from query.sparql.formats import ROWS, TRIPLES, WrongFormat, read, write
from tests.servers import free_port, oxigraph_server

ROOT = Path(__file__).parent.parent
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
GRAPH = NamedNode("urn:graph:a")
RECORD = b"".join(b'<urn:s:%d> <urn:number> "%d" <urn:graph:a> .\n' % (n, n) for n in range(1000))


@pytest.fixture(params=["memory", "home", "endpoint"], scope="module")
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphStore]:
    folder = tmp_path_factory.mktemp("store")
    if request.param == "endpoint":
        with oxigraph_server(folder) as address, open_store(address) as opened:
            opened.load(RECORD)
            yield opened
        return
    if request.param == "home":
        with Home(folder).new_build() as build:
            with build.open_record() as record:
                record.write(RECORD)
            build.commit()
        with open_store(folder) as opened:
            yield opened
        return
    with open_store("memory:") as opened:
        opened.load(RECORD)
        yield opened


@pytest.fixture(scope="module")
def evaluator(store: GraphStore) -> Iterator[Evaluator]:
    with Evaluator(store) as opened:
        yield opened


@pytest.fixture
def small() -> Iterator[OxigraphStore]:
    with OxigraphStore.in_memory() as opened:
        opened.load(RECORD)
        yield opened


def test_rows_triples_and_truth(evaluator: Evaluator) -> None:
    rows = evaluator.answer('SELECT ?s { ?s <urn:number> "7" }')
    assert rows == Solutions(("s",), ((NamedNode("urn:s:7"),),))
    assert evaluator.answer('ASK { ?s <urn:number> "7" }') is True
    built = evaluator.answer('CONSTRUCT { ?s <urn:n> ?n } { ?s <urn:number> ?n FILTER(?n = "7") }')
    assert built == Triples((Triple(NamedNode("urn:s:7"), NamedNode("urn:n"), Literal("7")),))


def test_the_limit_cuts_and_says_so(evaluator: Evaluator) -> None:
    cut = evaluator.answer("SELECT ?s { ?s ?p ?o }", limit=10)
    assert isinstance(cut, Solutions)
    assert (len(cut), cut.truncated) == (10, True)
    whole = evaluator.answer("SELECT ?s { ?s ?p ?o }", limit=1000)
    assert isinstance(whole, Solutions)
    assert (len(whole), whole.truncated) == (1000, False)
    built = evaluator.answer("CONSTRUCT WHERE { ?s ?p ?o }", limit=3)
    assert isinstance(built, Triples)
    assert (len(built), built.truncated) == (3, True)
    assert evaluator.written("SELECT ?s { ?s ?p ?o }", "csv", limit=2).truncated


def test_the_graphs_that_a_query_sees(evaluator: Evaluator) -> None:
    seven = 'ASK { ?s <urn:number> "7" }'
    assert evaluator.answer(seven, default_graphs=[GRAPH]) is True
    assert evaluator.answer(seven, default_graphs=[NamedNode("urn:graph:b")]) is False
    assert evaluator.answer('ASK FROM <urn:graph:a> { ?s <urn:number> "7" }') is True


def test_what_is_refused_is_told_as_itself(evaluator: Evaluator) -> None:
    with pytest.raises(QueryRefused, match="SERVICE is refused") as refused:
        evaluator.answer("SELECT * { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }")
    assert refused.value.what == "SERVICE"
    with pytest.raises(QueryRefused, match="the store has no such graph"):
        evaluator.answer("SELECT * FROM <urn:graph:z> { ?s ?p ?o }")
    with pytest.raises(QuerySyntaxError) as wrong:
        evaluator.answer("SELECT ?s {\n ?s ?p }")
    assert (wrong.value.line, wrong.value.column) == (2, 9)
    assert evaluator.answer("ASK {}") is True


def test_an_endless_query_ends(small: OxigraphStore) -> None:
    with Evaluator(small) as evaluator:
        evaluator.start()
        began = time.monotonic()
        with pytest.raises(QueryTimedOut, match=r"did not end within 0\.3 s and was ended"):
            evaluator.answer(ENDLESS, timeout=0.3)
        assert time.monotonic() - began < 20, "ended by the limit; by itself it would take years"
        assert evaluator.answer("ASK {}") is True


def running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def gone(pid: int) -> bool:
    end = time.monotonic() + 20
    while running(pid) and time.monotonic() < end:
        time.sleep(0.02)
    return not running(pid)


def test_no_process_is_left(small: OxigraphStore) -> None:
    with Evaluator(small) as evaluator:
        first = evaluator.start().pid
        with pytest.raises(QueryTimedOut):
            evaluator.answer(ENDLESS, timeout=0.2)
        second = evaluator.start().pid
        assert second != first
        assert gone(first)
        assert running(second)
    assert gone(second)
    evaluator.close()


def test_a_worker_does_not_outlive_its_parent() -> None:
    script = f"""
from tests.test_sparql_evaluate import *
with OxigraphStore.in_memory() as store, Evaluator(store) as evaluator:
    store.load(RECORD)
    print(evaluator.start().pid, flush=True)
    evaluator.answer({ENDLESS!r}, timeout=300)
"""
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        time.sleep(0.3)
        assert running(worker)
        parent.send_signal(signal.SIGKILL)
    assert gone(worker)


def test_an_interrupted_answer_is_not_the_next_ones(small: OxigraphStore) -> None:
    with Evaluator(small) as evaluator:
        before = evaluator.start().pid

        def interrupt(signum: int, frame: object) -> None:
            raise KeyboardInterrupt

        old = signal.signal(signal.SIGALRM, interrupt)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with pytest.raises(KeyboardInterrupt):
                evaluator.answer(ENDLESS)
        finally:
            signal.signal(signal.SIGALRM, old)
        assert gone(before)
        assert evaluator.answer("ASK {}") is True


@pytest.mark.parametrize(
    "query",
    ["SELECT * { FILTER(" + "!" * 200_000 + "1) }", "SELECT * { ?s " + "^" * 200_000 + "<urn:p> ?o }"],
)
def test_a_query_that_breaks_the_engine(small: OxigraphStore, query: str) -> None:
    with Evaluator(small) as evaluator:
        with pytest.raises((QueryFailed, QuerySyntaxError)):
            evaluator.answer(query)
        assert evaluator.answer("ASK {}") is True


def test_a_worker_that_was_killed_is_replaced(small: OxigraphStore) -> None:
    with Evaluator(small) as evaluator:
        worker = evaluator.start()
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait()
        assert evaluator.answer("ASK {}") is True


def test_memory_has_a_cap(small: OxigraphStore) -> None:
    with Evaluator(small, memory=256 << 20, timeout=300) as evaluator:
        with pytest.raises(ResultTooLarge, match="bytes of memory"):
            evaluator.answer("SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?c ?f ?i")
        assert evaluator.answer("ASK {}") is True


def test_an_answer_has_a_cap(small: OxigraphStore) -> None:
    with Evaluator(small, largest=1000) as evaluator:
        with pytest.raises(ResultTooLarge, match="1,000 bytes"):
            evaluator.written("SELECT * { ?s ?p ?o }", "json")
        assert evaluator.written("SELECT * { ?s ?p ?o }", "json", limit=3).truncated


def test_an_endpoint_that_is_not_there() -> None:
    with (
        open_store(f"http://127.0.0.1:{free_port()}") as store,
        Evaluator(store) as evaluator,
        pytest.raises(EndpointUnreachable, match="cannot be reached"),
    ):
        evaluator.answer("ASK {}")


# --- formats -----------------------------------------------------------------------------------------------


def test_the_formats_of_rows(evaluator: Evaluator) -> None:
    query = 'SELECT ?s ?n ?none { ?s <urn:number> ?n FILTER(?n = "7") }'
    said = json.loads(evaluator.written(query, "json").body)
    assert said["head"] == {"vars": ["s", "n", "none"]}
    assert said["results"]["bindings"] == [
        {"s": {"type": "uri", "value": "urn:s:7"}, "n": {"type": "literal", "value": "7"}}
    ]
    assert evaluator.written(query, "csv").body == b"s,n,none\r\nurn:s:7,7,\r\n"
    assert evaluator.written(query, "tsv").body == b'?s\t?n\t?none\n<urn:s:7>\t"7"\t\n'
    assert b'<binding name="n"><literal>7</literal></binding>' in evaluator.written(query, "xml").body
    assert json.loads(evaluator.written("ASK {}", "json").body)["boolean"] is True


def test_the_formats_of_triples(evaluator: Evaluator) -> None:
    query = 'PREFIX u: <urn:> CONSTRUCT { ?s u:n ?n } { ?s u:number ?n FILTER(?n = "7") }'
    expected = {Quad(NamedNode("urn:s:7"), NamedNode("urn:n"), Literal("7"))}
    forms = {"turtle": RdfFormat.TURTLE, "ntriples": RdfFormat.N_TRIPLES, "jsonld": RdfFormat.JSON_LD}
    for name, format in forms.items():
        assert set(parse(evaluator.written(query, name).body, format)) == expected
    assert b"@prefix u: <urn:>" in evaluator.written(query, "turtle").body
    assert b"u:n" in evaluator.written(query, "turtle").body


def test_a_format_that_does_not_fit(evaluator: Evaluator) -> None:
    with pytest.raises(WrongFormat, match="cannot be written as turtle; use json, csv, tsv, xml"):
        evaluator.written("SELECT * { ?s ?p ?o } LIMIT 1", "turtle")
    with pytest.raises(WrongFormat, match="cannot be written as csv; use turtle"):
        evaluator.written("CONSTRUCT WHERE { ?s ?p ?o } LIMIT 1", "csv")
    assert {*ROWS} == {"json", "csv", "tsv", "xml"}
    assert {*TRIPLES} >= {"turtle", "ntriples", "jsonld"}


xsd = st.sampled_from(["integer", "decimal", "double", "date", "boolean", "dateTime", "gYear", "token"])
texts = st.text(st.characters(codec="utf-8"), max_size=10)
terms = st.one_of(
    st.none(),
    st.integers(0, 99).map(lambda n: NamedNode(f"urn:n:{n}")),
    texts.map(Literal),
    texts.map(lambda text: Literal(text, language="en")),
    st.builds(
        lambda text, kind: Literal(text, datatype=NamedNode(f"http://www.w3.org/2001/XMLSchema#{kind}")),
        st.one_of(texts, st.floats().map(str), st.integers().map(str)),
        xsd,
    ),
)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 3).flatmap(lambda n: st.lists(st.tuples(*[terms] * n), max_size=5).map(lambda r: (n, r))))
def test_what_is_written_is_read_again(table: tuple[int, list[tuple[object, ...]]]) -> None:
    width, rows = table
    canonical_rows = tuple(tuple(canonical(term) for term in row) for row in rows)  # type: ignore[arg-type]
    answer = Solutions(tuple(f"v{n}" for n in range(width)), canonical_rows)
    assert read(write(answer, "tsv")) == answer
    said = json.loads(write(answer, "json").body)
    assert len(said["results"]["bindings"]) == len(rows)
