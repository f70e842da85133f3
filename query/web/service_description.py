"""Knows what the SPARQL service says of itself (SPARQL 1.1 Service Description), and the data set (VoID, DCAT)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import quote

import pyoxigraph as ox
from pyoxigraph import BlankNode, Literal, NamedNode, Triple
from starlette.requests import Request
from starlette.responses import Response

from kb.store import Triples
from kb.vocabulary import DCAT, DCTERMS, ELI, FOAF, FORMATS, ONTOLOGY, PREFIXES, RDF, SD, VOID, XSD
from query.sparql import formats
from query.web.answers import kept, media_types, volume_of, wanted
from query.web.volume import Volume

_RDF = media_types(formats.TRIPLES)
_RESULTS = ("SPARQL_Results_JSON", "SPARQL_Results_XML", "SPARQL_Results_CSV", "SPARQL_Results_TSV")
_GRAPHS = ("Turtle", "N-Triples", "RDF_XML", "JSON-LD")


async def service_description(request: Request) -> Response:
    """The description of the SPARQL service, as RDF."""
    return await _sent(request, _service)


async def data_set_description(request: Request) -> Response:
    """The description of the data set, as RDF: what it holds, where its dumps are, where it can be queried."""
    return await _sent(request, _data_set)


async def _sent(request: Request, said: Callable[[Volume, str], Iterator[Triple]]) -> Response:
    form, site = wanted(request, _RDF), request.app.state.setting.address

    def make() -> bytes:
        return formats.write(Triples(tuple(said(volume_of(request), site))), form, PREFIXES).body

    return await kept(request, (said.__name__, form), _RDF[form], make)


def _service(volume: Volume, site: str) -> Iterator[Triple]:
    service, data_set, default = BlankNode(), BlankNode(), BlankNode()
    yield Triple(service, RDF.type, SD.Service)
    yield Triple(service, SD.endpoint, NamedNode(f"{site}/sparql"))
    yield Triple(service, SD.supportedLanguage, SD.SPARQL11Query)
    for name in (*_RESULTS, *_GRAPHS):
        yield Triple(service, SD.resultFormat, NamedNode(FORMATS + name))
    yield Triple(service, SD.defaultDataset, data_set)
    yield Triple(data_set, RDF.type, SD.Dataset)
    yield Triple(data_set, SD.defaultGraph, default)
    yield Triple(default, RDF.type, SD.Graph)
    for graph in volume.store.default_graphs:
        yield Triple(default, DCTERMS.source, graph)
    for graph, count in volume.counts:
        named, content = BlankNode(), BlankNode()
        yield Triple(data_set, SD.namedGraph, named)
        yield Triple(named, RDF.type, SD.NamedGraph)
        yield Triple(named, SD.name, graph)
        yield Triple(named, SD.graph, content)
        yield Triple(content, RDF.type, SD.Graph)
        yield Triple(content, VOID.triples, Literal(count))


def _data_set(volume: Volume, site: str) -> Iterator[Triple]:
    whole = NamedNode(f"{volume.names.base}id/data-set")  # none of its graphs: the catalogue is one of its parts
    page, sparql = NamedNode(f"{site}/void"), NamedNode(f"{site}/sparql")
    yield Triple(page, RDF.type, VOID.DatasetDescription)
    yield Triple(page, FOAF.primaryTopic, whole)
    for kind in (VOID.Dataset, DCAT.Dataset):
        yield Triple(whole, RDF.type, kind)
    yield Triple(whole, DCTERMS.title, Literal("The Comprehensive Rules as a graph, by seerule", language="en"))
    yield Triple(whole, VOID.sparqlEndpoint, sparql)
    yield Triple(whole, VOID.uriSpace, Literal(f"{volume.names.base}id/"))
    yield Triple(whole, VOID.vocabulary, NamedNode(ONTOLOGY))
    yield Triple(whole, VOID.exampleResource, volume.names.rule(volume.current, "702.9"))
    yield Triple(whole, VOID.triples, Literal(sum(count for _, count in volume.counts)))
    yield Triple(whole, DCTERMS.modified, Literal(volume.modified.date().isoformat(), datatype=XSD.date))
    yield from _data_service(sparql, whole, NamedNode(f"{site}/openapi.json"))
    dates = {volume.names.graph(edition): edition for edition in volume.editions}
    for graph, count in volume.counts:
        yield from _part(whole, graph, count, f"{site}/graphs?graph={quote(graph.value, safe='')}")
        if graph in dates:
            yield Triple(graph, DCTERMS.title, Literal(f"Comprehensive Rules, {dates[graph]}", language="en"))
            yield Triple(graph, ELI.version_date, Literal(dates[graph], datatype=XSD.date))


def _data_service(sparql: NamedNode, whole: NamedNode, api: NamedNode) -> Iterator[Triple]:
    yield Triple(sparql, RDF.type, DCAT.DataService)
    yield Triple(sparql, DCAT.endpointURL, sparql)
    yield Triple(sparql, DCAT.endpointDescription, sparql)
    yield Triple(sparql, DCAT.servesDataset, whole)
    yield Triple(api, RDF.type, DCAT.DataService)
    yield Triple(api, DCAT.servesDataset, whole)


def _part(whole: NamedNode, graph: NamedNode, count: int, dump: str) -> Iterator[Triple]:
    file = BlankNode()
    yield Triple(whole, VOID.subset, graph)
    yield Triple(whole, DCTERMS.hasPart, graph)
    yield Triple(graph, RDF.type, VOID.Dataset)
    yield Triple(graph, RDF.type, DCAT.Dataset)
    yield Triple(graph, VOID.triples, Literal(count))
    yield Triple(graph, VOID.dataDump, NamedNode(dump))
    yield Triple(graph, DCAT.distribution, file)
    yield Triple(file, RDF.type, DCAT.Distribution)
    yield Triple(file, DCAT.downloadURL, NamedNode(dump))
    yield Triple(file, DCAT.mediaType, Literal(ox.RdfFormat.TURTLE.media_type))
