"""The endpoint answers in every way of the protocol and in every form, describes itself, and only reads."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pyoxigraph as ox
import pytest
from pyoxigraph import NamedNode, QueryResultsFormat, RdfFormat
from starlette.testclient import TestClient

from kb.vocabulary import DCAT, DCTERMS, FOAF, RDF, SD, VOID
from tests.web_home import HTML, asking, outline_home

ASK = "ASK { ?rule eli:number '702.9' }"
SELECT = "SELECT ?title { ?rule eli:number '702.9' ; dcterms:title ?title }"
CONSTRUCT = "CONSTRUCT { ?rule dcterms:title ?t } WHERE { ?rule eli:number '702.9' ; dcterms:title ?t }"
EDITION = "https://seerule.example/graph/cr/2026-09-25"
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return outline_home(tmp_path_factory.mktemp("outline"))


@pytest.fixture(scope="module")
def web(home: Path) -> Iterator[TestClient]:
    with asking(home, query_seconds=6.0, query_bytes=1 << 20) as client:
        yield client


ROWS = [
    ("application/sparql-results+json", QueryResultsFormat.JSON),
    ("application/sparql-results+xml", QueryResultsFormat.XML),
    ("text/tab-separated-values", QueryResultsFormat.TSV),
    ("application/json", QueryResultsFormat.JSON),
    ("application/xml", QueryResultsFormat.XML),
]


@pytest.mark.parametrize(("accept", "format"), ROWS)
@pytest.mark.parametrize("way", ["get", "form", "direct"])
def test_rows_come_in_every_way_and_form(web: TestClient, accept: str, format: QueryResultsFormat, way: str) -> None:
    headers = {"Accept": accept}
    if way == "get":
        answer = web.get("/sparql", params={"query": SELECT}, headers=headers)
    elif way == "form":
        answer = web.post("/sparql", data={"query": SELECT}, headers=headers)
    else:
        headers |= {"Content-Type": "application/sparql-query; charset=UTF-8"}
        answer = web.post("/sparql", content=SELECT, headers=headers)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].split(";")[0] == accept
    rows = ox.parse_query_results(answer.content, format)
    assert [row["title"].value for row in rows] == ["Flying"]  # type: ignore[union-attr,index]


def test_rows_as_csv_and_truth(web: TestClient) -> None:
    assert web.get("/sparql", params={"query": SELECT}, headers={"Accept": "text/csv"}).text == "title\r\nFlying\r\n"
    assert web.get("/sparql", params={"query": ASK}).json()["boolean"] is True
    assert (
        "<boolean>true</boolean>"
        in web.get("/sparql", params={"query": ASK}, headers={"Accept": "application/sparql-results+xml"}).text
    )


@pytest.mark.parametrize(
    ("accept", "format"),
    [
        ("text/turtle", RdfFormat.TURTLE),
        ("application/n-triples", RdfFormat.N_TRIPLES),
        ("application/ld+json", RdfFormat.JSON_LD),
        ("application/rdf+xml", RdfFormat.RDF_XML),
    ],
)
def test_triples_come_in_every_form(web: TestClient, accept: str, format: RdfFormat) -> None:
    answer = web.post("/sparql", data={"query": CONSTRUCT}, headers={"Accept": accept})
    assert [quad.object.value for quad in ox.parse(answer.content, format)] == ["Flying"]  # type: ignore[union-attr]


def test_the_request_names_the_graphs(web: TestClient) -> None:
    count = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"

    def counted(**graphs: str) -> int:
        params = {"query": count} | {name.replace("_", "-"): graph for name, graph in graphs.items()}
        answer = web.get("/sparql", params=params, headers={"Accept": "text/csv"})
        return int(answer.text.split()[1])

    assert counted(default_graph_uri="https://seerule.example/graph/catalogue") < 100 < counted()
    assert counted(default_graph_uri=EDITION) == counted()
    assert counted(named_graph_uri=EDITION) == 0
    wrong = web.get("/sparql", params={"query": count, "default-graph-uri": EDITION + "x"})
    assert wrong.status_code == 403
    assert EDITION in wrong.json()["detail"]


FAULTS = [
    ("SELECT * { ?s ?p }", 400, "line 1"),
    ("SELECT * { ?s ?p ?o ", 400, "does not parse"),
    ("DELETE WHERE { ?s ?p ?o }", 403, "only read"),
    ("LOAD <http://127.0.0.1:9/x>", 403, "LOAD"),
    ("SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }", 403, "SERVICE"),
    ("SELECT * FROM <http://127.0.0.1:9/x> { ?s ?p ?o }", 403, "nothing is fetched"),
    ("SELECT * FROM <file:///etc/passwd> { ?s ?p ?o }", 403, "nothing is fetched"),
    (ENDLESS, 504, "6 s"),
]


@pytest.mark.parametrize(("query", "status", "said"), FAULTS)
def test_a_fault_says_what_to_do(web: TestClient, query: str, status: int, said: str) -> None:
    answer = web.post("/sparql", data={"query": query})
    assert answer.headers["content-type"] == "application/problem+json", answer.text[:200]
    assert answer.status_code == status == answer.json()["status"]
    assert said in answer.json()["detail"]
    page = web.get("/sparql", params={"query": query}, headers=HTML)
    assert page.status_code == status
    assert 'role="alert"' in page.text


def test_an_answer_may_be_too_large_to_send_and_still_be_shown_in_part(web: TestClient) -> None:
    answer = web.get("/sparql", params={"query": "SELECT * { ?a ?b ?c }"})
    assert (answer.status_code, "1,048,576 bytes" in answer.json()["detail"]) == (422, True)
    assert (
        "500 rows, the first of more"
        in web.get("/sparql", params={"query": "SELECT * { ?a ?b ?c }"}, headers=HTML).text
    )


def test_look_ups_and_queries_go_on_beside_endless_ones(home: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with asking(home, query_seconds=3.0, queries=1, wait_seconds=0.2) as web, ThreadPoolExecutor(1) as beside:
        assert web.post("/sparql", data={"query": ASK}).status_code == 200  # the process for queries has started
        endless = beside.submit(lambda: web.post("/sparql", data={"query": ENDLESS}))
        while web.post("/sparql", data={"query": ASK}).status_code == 200:
            assert not endless.done()
        busy = web.post("/sparql", data={"query": ASK})
        assert (busy.status_code, busy.headers["retry-after"]) == (503, "1")
        assert web.get("/cr/702.9").status_code == 200
        assert not endless.done()
        assert endless.result().status_code == 504
        assert web.post("/sparql", data={"query": ASK}).status_code == 200


def test_the_service_describes_itself(web: TestClient) -> None:
    for accept, format in (("text/turtle", RdfFormat.TURTLE), ("application/rdf+xml", RdfFormat.RDF_XML)):
        answer = web.get("/sparql", headers={"Accept": accept})
        triples = [quad.triple for quad in ox.parse(answer.content, format, base_iri="http://rules.test/sparql")]
        assert [t.object for t in triples if t.predicate == SD.endpoint] == [NamedNode("http://rules.test/sparql")]
        assert NamedNode(EDITION) in [t.object for t in triples if t.predicate == SD.name]
        assert any(t.predicate == RDF.type and t.object == SD.Service for t in triples)


def test_an_answer_of_too_many_rows_is_refused_in_words_of_the_web(home: Path) -> None:
    with asking(home, query_rows=1000) as client:
        for accept in ("text/csv", "application/sparql-results+json"):
            everything = client.get("/sparql", params={"query": "SELECT * { ?s ?p ?o }"}, headers={"Accept": accept})
            assert everything.status_code == 422
            assert "1,000 rows" in everything.json()["detail"]
            assert "LIMIT" in everything.json()["detail"]
            assert "--" not in everything.json()["detail"]
        fewer = client.get(
            "/sparql", params={"query": "SELECT * { ?s ?p ?o } LIMIT 1000"}, headers={"Accept": "text/csv"}
        )
        assert (fewer.status_code, fewer.text.count("\n")) == (200, 1001)


def test_the_data_set_is_described(web: TestClient) -> None:
    triples = {quad.triple for quad in ox.parse(web.get("/void").content, RdfFormat.TURTLE)}
    kinds = {triple.object for triple in triples if triple.predicate == RDF.type}
    assert {VOID.Dataset, DCAT.Dataset, DCAT.DataService, DCAT.Distribution, VOID.DatasetDescription} <= kinds
    dumps = [t.object.value for t in triples if t.predicate == VOID.dataDump]  # type: ignore[union-attr]
    assert len(dumps) == 2
    counts = [t.subject for t in triples if t.predicate == VOID.triples]
    assert len(counts) == len(set(counts)) == 3
    assert not [t for t in triples if t.subject == t.object and t.predicate in (VOID.subset, DCTERMS.hasPart)]
    assert {t.object for t in triples if t.predicate == VOID.subset} == set(counts) - {
        t.object for t in triples if t.predicate == FOAF.primaryTopic
    }
    for dump in dumps:
        assert web.get(dump.removeprefix("http://rules.test")).status_code == 200


def test_graphs_are_fetched_whole(web: TestClient) -> None:
    direct = web.get("/graph/cr/2026-09-25", headers={"Accept": "application/n-triples"})
    named = web.get(f"/graphs?graph={quote(EDITION, safe='')}", headers={"Accept": "application/n-triples"})
    assert sorted(direct.text.splitlines()) == sorted(named.text.splitlines())
    assert direct.text.count("\n") > 20_000
    assert web.get("/graphs?default", headers={"Accept": "text/turtle"}).status_code == 200
    assert web.get("/graphs?graph=urn:none").status_code == 404
    assert web.get("/graphs").status_code == 400
    for method in ("PUT", "POST", "DELETE", "PATCH"):
        refused = web.request(method, "/graph/cr/2026-09-25", content=b"")
        assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD")


def test_the_page_shows_answers_and_escapes_what_was_asked(web: TestClient) -> None:
    page = web.get("/sparql", params={"query": SELECT + " # <script>alert(1)</script>"}, headers=HTML)
    assert "<td>Flying</td>" in page.text
    assert "<script>alert" not in page.text
    assert "&lt;script&gt;alert" in page.text
    named = web.get("/sparql?name=cited-by", headers=HTML).text
    assert "SELECT ?source ?words" in named
    assert web.get("/sparql?name=cited", headers=HTML).status_code == 404
    rows = web.get("/sparql", params={"query": "SELECT ?rule { ?rule eli:number '702.9' }"}, headers=HTML).text
    assert '<a href="/id/cr/2026-09-25/702.9">cr/2026-09-25/702.9</a>' in rows


def test_the_named_queries_are_told(web: TestClient) -> None:
    said = web.get("/api/v1/queries").json()["items"]
    assert len(said) >= 13
    assert all(query["question"].endswith("?") for query in said)
    assert json.dumps(said)
