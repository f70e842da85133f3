"""The W3C's tests of the SPARQL Protocol, the Graph Store Protocol and the Service Description, run over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pyoxigraph as ox
import pytest
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Triple
from starlette.testclient import TestClient

from kb.catalogue import catalogue_quads, holding_of
from kb.graph import EditionGraph
from kb.home import Home
from kb.rulebook import Rulebook, Source
from kb.vocabulary import RDF, SD, Names
from tests.official import needs_data
from tests.w3c import W3C, Exchange, ProtocolTest, isomorphic, protocol_tests, service_tests
from tests.web_home import asking

pytestmark = needs_data
UPDATES = "an update that must succeed; this endpoint only reads, and refuses each with 403"
NOT_APPLICABLE = {
    "update_dataset_default_graph": UPDATES,
    "update_dataset_default_graphs": UPDATES,
    "update_dataset_named_graphs": UPDATES,
    "update_dataset_full": UPDATES,
    "update_post_form": UPDATES,
    "update_post_direct": UPDATES,
    "update_base_uri": UPDATES,
    "post_get_new_graph": "a graph that the server names and makes for a POST; this one makes none",
}
"""The tests that do not apply, each with the reason; what is asked of them instead is that they change nothing."""

PROTOCOL = protocol_tests("protocol/manifest.ttl") if W3C.exists() else []
STORE = [
    test
    for name in ("direct", "indirect")
    for test in (protocol_tests(f"graph-store-protocol/manifest-{name}.ttl") if W3C.exists() else [])
]
DEFAULT = NamedNode("urn:default")
BASE = "https://seerule.example/"


@contextmanager
def site(folder: Path, graphs: dict[str, list[Triple]], default: list[str] | None = None) -> Iterator[TestClient]:
    """A client of a site whose store holds `graphs` beside an edition without rules."""
    names = Names(BASE)
    quads = [Quad(t.subject, t.predicate, t.object, NamedNode(name)) for name, said in graphs.items() for t in said]
    empty = Rulebook(date(2026, 1, 1), Source("empty.txt", 0, "0" * 64, "utf-8"), *[()] * 10)
    quads += [*EditionGraph(empty, [], names).quads(), *catalogue_quads([holding_of(empty, 0, 0)], names)]
    with Home(folder).new_build() as making:
        with making.open_record() as record:
            record.write(ox.serialize(quads, format=RdfFormat.N_QUADS) or b"")
        making.commit([NamedNode(name) for name in default or [names.catalogue.value]])
    with asking(folder) as client:
        yield client


def send(client: TestClient, exchange: Exchange, path: str):  # type: ignore[no-untyped-def]
    return client.request(exchange.method, path, headers=exchange.headers, content=exchange.body, follow_redirects=True)


def test_no_test_is_lost() -> None:
    assert (len(PROTOCOL), len(STORE), len(service_tests())) == (34, 13, 3)
    assert NOT_APPLICABLE.keys() <= {test.name for test in (*PROTOCOL, *STORE)}


@pytest.mark.parametrize("test", PROTOCOL, ids=lambda test: test.name)
def test_protocol(test: ProtocolTest, tmp_path: Path) -> None:
    graphs = {
        name: [quad.triple for quad in ox.parse(path=path, format=RdfFormat.N_TRIPLES)] for name, path in test.graphs
    }
    for exchange in test.exchanges:  # a graph that a request names and the manifest does not supply has some triple
        for graph in parse_qs(urlsplit(exchange.path).query).get("default-graph-uri", []):
            graphs.setdefault(graph, [Triple(NamedNode("urn:s"), NamedNode("urn:p"), Literal("o"))])
    with site(tmp_path, graphs) as client:
        for exchange in test.exchanges:
            answer = send(client, exchange, exchange.path)
            if test.name in NOT_APPLICABLE and is_update(exchange):
                assert answer.status_code == 403, answer.text
                continue
            if test.name in NOT_APPLICABLE:
                continue  # asks for what the refused update would have written
            assert exchange.allows(answer.status_code), (answer.status_code, answer.text, exchange)
            check_answer(exchange, answer)


def is_update(exchange: Exchange) -> bool:
    posted = parse_qs(exchange.body.decode(), keep_blank_values=True)
    return "update" in posted or exchange.headers.get("content-type") == "application/sparql-update"


def check_answer(exchange: Exchange, answer) -> None:  # type: ignore[no-untyped-def]
    kind = answer.headers["content-type"].split(";")[0]
    if exchange.truth is not None:
        assert json.loads(answer.text)["boolean"] is exchange.truth
    if exchange.format == "boolean":
        assert kind in ("application/sparql-results+json", "application/sparql-results+xml")
    elif exchange.format == "tabular":
        assert kind in ("application/sparql-results+json", "application/sparql-results+xml", "text/csv")
    elif exchange.format == "RDF":
        assert kind in ("text/turtle", "application/rdf+xml", "application/n-triples", "application/ld+json")


WRITES = ("PUT", "POST", "DELETE", "PATCH")


@pytest.mark.parametrize("test", STORE, ids=lambda test: test.name)
def test_graph_store(test: ProtocolTest, tmp_path: Path) -> None:
    """Writes are refused as not allowed; reads are answered over a store that holds what they would have written."""
    graphs: dict[str, list[Triple]] = {}
    for at, exchange in enumerate(test.exchanges):
        where = urlsplit(exchange.path)
        path = f"/graph{where.path.removeprefix('/gsp')}" if where.path != "/gsp" else f"/graphs?{where.query}"
        name = graph_name(path)
        with site(tmp_path / str(at), graphs, [DEFAULT.value]) as client:
            answer = send(client, exchange, path)
            if exchange.method in WRITES:
                assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")
                write(graphs, name, exchange)
                continue
            if test.name in NOT_APPLICABLE:
                continue
            assert exchange.allows(answer.status_code), answer.text
            if exchange.answer and exchange.method == "GET":
                assert isomorphic(answer.text, exchange.answer, name)


def graph_name(path: str) -> str:
    """The graph that an address names, as the store knows it."""
    query = parse_qs(urlsplit(path).query, keep_blank_values=True)
    if "graph" in query:
        return query["graph"][0]
    return DEFAULT.value if "default" in query else f"{BASE}{path.lstrip('/')}"


def write(graphs: dict[str, list[Triple]], name: str, exchange: Exchange) -> None:
    """What a server that writes would have done."""
    if exchange.method in ("PUT", "DELETE"):
        graphs.pop(name, None)
    if exchange.method != "DELETE":
        text = exchange.body
        if not text:
            return
        boundary = exchange.headers.get("content-type", "").partition("boundary=")[2]
        parts = text.split(f"--{boundary}".encode())[1:-1] if boundary else [b"\r\n\r\n" + text]
        for part in parts:
            triples = ox.parse(part.partition(b"\r\n\r\n")[2], RdfFormat.TURTLE, base_iri=name)
            graphs.setdefault(name, []).extend(quad.triple for quad in triples)


@pytest.mark.parametrize("name", ["has-endpoint-triple", "returns-rdf", "conforms-to-schema"])
def test_service_description(name: str, tmp_path: Path) -> None:
    assert name in service_tests()
    with site(tmp_path, {"urn:g": [Triple(NamedNode("urn:s"), NamedNode("urn:p"), Literal("o"))]}) as client:
        answer = client.get("/sparql", headers={"Accept": "text/turtle"})
        triples = [quad.triple for quad in ox.parse(answer.content, RdfFormat.TURTLE)]
    if name == "returns-rdf":
        assert len(triples) > 10
    elif name == "has-endpoint-triple":
        assert [t.object for t in triples if t.predicate == SD.endpoint] == [NamedNode("http://rules.test/sparql")]
    else:
        conforms(triples)


def conforms(triples: list[Triple]) -> None:
    """The ranges and cardinalities of the Service Description's schema that the description makes use of."""
    kinds = {triple.subject: triple.object for triple in triples if triple.predicate == RDF.type}
    ranges = {
        SD.defaultDataset: SD.Dataset,
        SD.defaultGraph: SD.Graph,
        SD.namedGraph: SD.NamedGraph,
        SD.graph: SD.Graph,
    }
    for triple in triples:
        if triple.predicate in ranges:
            assert kinds[triple.object] == ranges[triple.predicate]  # type: ignore[index]
    services = [node for node, kind in kinds.items() if kind == SD.Service]
    named = [node for node, kind in kinds.items() if kind == SD.NamedGraph]
    assert len(services) == 1
    assert all(sum(t.subject == node and t.predicate == SD.name for t in triples) == 1 for node in named)
    known = {term.value for term in (getattr(SD, name) for name in SD.terms)}
    used = {t.predicate.value for t in triples if t.predicate.value.startswith(SD.namespace)}
    assert used <= known
