"""Knows how to read the W3C's protocol tests: the requests of each in order, and what each must be answered with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rdflib import Graph, Namespace
from rdflib.collection import Collection
from rdflib.namespace import RDF, RDFS
from rdflib.term import Node

from tests.official import DATA

W3C = DATA / "w3c"
HT, MF = (
    Namespace("http://www.w3.org/2011/http#"),
    Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"),
)
UT, CNT = Namespace("http://www.w3.org/2009/sparql/tests/test-update#"), Namespace("http://www.w3.org/2011/content#")
_CODES = {"OK": 200, "Created": 201, "NoContent": 204, "NotFound": 404}


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request, and what its answer must be: one of `statuses` (a number, or a class such as "2xx"), and where the
    test says so a truth, a format (`boolean`, `tabular`, `RDF`), a body.
    """

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    statuses: frozenset[str]
    truth: bool | None = None
    format: str | None = None
    answer: str | None = None

    def allows(self, status: int) -> bool:
        """Whether the answer may bear this status."""
        return bool({str(status), f"{status // 100}xx"} & self.statuses)


@dataclass(frozen=True, slots=True)
class ProtocolTest:
    """A test: its name in the manifest, the graphs that must be there (name, file), its exchanges in order."""

    name: str
    graphs: tuple[tuple[str, Path], ...]
    exchanges: tuple[Exchange, ...]


def protocol_tests(manifest: str) -> list[ProtocolTest]:
    """The tests of a manifest below `shared/data/w3c`, in its order."""
    path = W3C / manifest
    graph = Graph().parse(path, publicID=path.as_uri())
    entries = next(graph.objects(None, MF.entries))
    return [_test(graph, node, path) for node in Collection(graph, entries)]


def _test(graph: Graph, node: Node, path: Path) -> ProtocolTest:
    graphs = tuple(
        (str(graph.value(data, RDFS.label)), path.parent / str(graph.value(data, UT.graph)).rpartition("/")[2])
        for data in graph.objects(node, UT.graphData)
    )
    action = graph.value(node, MF.action)
    requests = graph.value(action, HT.requests) if action else None
    exchanges = tuple(_exchange(graph, one) for one in Collection(graph, requests)) if requests else ()
    return ProtocolTest(str(node).rpartition("#")[2], graphs, exchanges)


def _exchange(graph: Graph, node: Node) -> Exchange:
    answer = graph.value(node, HT.resp)
    truth, format = graph.value(answer, MF.expectedBoolean), graph.value(answer, MF.expectedFormat)
    return Exchange(
        method=str(graph.value(node, HT.methodName)),
        path=str(graph.value(node, HT.absolutePath)),
        headers=dict(_headers(graph, node)),
        body=_body(graph, node),
        statuses=frozenset(_status(code) for code in graph.objects(answer, MF.expectedStatus)),
        truth=None if truth is None else str(truth) == "true",
        format=None if format is None else str(format),
        answer=(_body(graph, answer).decode() or None) if answer else None,
    )


def _headers(graph: Graph, node: Node) -> Iterator[tuple[str, str]]:
    listed = graph.value(node, HT.headers)
    for header in Collection(graph, listed) if listed else ():
        yield str(graph.value(header, HT.fieldName)), str(graph.value(header, HT.fieldValue))


def _body(graph: Graph, node: Node) -> bytes:
    body = graph.value(node, HT.body)
    if body is None:
        return b""
    encoding = str(graph.value(body, CNT.characterEncoding) or "utf-8")
    return str(graph.value(body, CNT.chars) or "").encode(encoding)


def _status(code: Node) -> str:
    name = str(code).rpartition("#")[2].removeprefix("StatusCode")
    return str(_CODES.get(name, name))


def service_tests() -> list[str]:
    """The names of the service description tests, whose requests the specification tells and the manifest does not."""
    path = W3C / "service-description" / "manifest.ttl"
    graph = Graph().parse(path)
    return sorted(str(node).rpartition("#")[2] for node in graph.subjects(RDF.type, MF.ServiceDescriptionTest))


def isomorphic(one: str, other: str, base: str) -> bool:
    """Whether two Turtle texts are the same graph, up to the names of blank nodes."""
    from rdflib.compare import isomorphic as same

    return bool(same(Graph().parse(data=one, publicID=base), Graph().parse(data=other, publicID=base)))
