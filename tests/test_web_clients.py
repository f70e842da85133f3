"""Clients that others have written get what they ask for from a running server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from rdflib import Graph, Literal, URIRef
from rdflib.plugins.stores.sparqlstore import SPARQLStore
from SPARQLWrapper import CSV, GET, JSON, N3, POST, POSTDIRECTLY, RDFXML, TSV, TURTLE, URLENCODED, XML, SPARQLWrapper
from SPARQLWrapper.SPARQLExceptions import QueryBadFormed

from kb.store import open_store
from tests.web_home import Served, outline_home, serving

NUMBER = URIRef("http://data.europa.eu/eli/ontology#number")
TITLE = URIRef("http://purl.org/dc/terms/title")
SELECT = f"SELECT ?title {{ ?rule <{NUMBER}> '702.9' ; <{TITLE}> ?title }}"
CONSTRUCT = f"CONSTRUCT {{ ?rule <{TITLE}> ?title }} WHERE {{ ?rule <{NUMBER}> '702.9' ; <{TITLE}> ?title }}"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("clients")
    with serving(outline_home(folder / "home"), folder) as server:
        yield server


@pytest.mark.parametrize("method", [GET, POST])
@pytest.mark.parametrize("way", [URLENCODED, POSTDIRECTLY])
@pytest.mark.parametrize("form", [JSON, XML, CSV, TSV])
def test_sparqlwrapper_asks_for_rows(served: Served, method: str, way: str, form: str) -> None:
    client = SPARQLWrapper(f"{served.address}/sparql")
    client.setMethod(method)
    client.setRequestMethod(way)
    client.setReturnFormat(form)
    client.setQuery(SELECT)
    found = client.query().convert()
    if form == JSON:
        assert [row["title"]["value"] for row in found["results"]["bindings"]] == ["Flying"]
    else:
        assert "Flying" in (found.toxml() if form == XML else found.decode())


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")  # SPARQLWrapper's own
@pytest.mark.parametrize("form", [TURTLE, N3, RDFXML])
def test_sparqlwrapper_asks_for_triples(served: Served, form: str) -> None:
    client = SPARQLWrapper(f"{served.address}/sparql")
    client.setReturnFormat(form)
    client.setQuery(CONSTRUCT)
    found = client.query().convert()
    graph = found if isinstance(found, Graph) else Graph().parse(data=found, format="turtle")
    assert list(graph.objects(None, TITLE)) == [Literal("Flying")]


def test_sparqlwrapper_is_told_what_is_wrong(served: Served) -> None:
    client = SPARQLWrapper(f"{served.address}/sparql")
    client.setQuery("SELECT * { ?s ?p }")
    with pytest.raises(QueryBadFormed, match="does not parse"):
        client.query()


def test_rdflib_reads_the_endpoint_as_a_graph(served: Served) -> None:
    graph = Graph(SPARQLStore(f"{served.address}/sparql"))
    rule = next(graph.subjects(NUMBER, Literal("702.9")))
    assert graph.value(rule, TITLE) == Literal("Flying")
    assert [str(row.title) for row in graph.query(SELECT)] == ["Flying"]  # type: ignore[union-attr]
    assert len(graph) > 20_000


def test_the_projects_own_client(served: Served) -> None:
    with open_store(f"{served.address}/sparql") as store:
        assert store.select(SELECT).column("title")[0].value == "Flying"  # type: ignore[union-attr]
        assert any(graph.value.endswith("/graph/cr/2026-09-25") for graph in store.graphs())


def test_a_served_site_can_be_served_from(served: Served, tmp_path: Path) -> None:
    with serving(f"{served.address}/sparql", tmp_path) as second:
        status, body = second.get("/cr/702.9", Accept="text/html")
        assert (status, b"Flying" in body) == (200, True)
