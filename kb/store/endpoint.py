"""Knows the SPARQL 1.1 Protocol and the Graph Store HTTP Protocol, from the client's side."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from os import PathLike, fspath
from tempfile import SpooledTemporaryFile
from typing import BinaryIO, cast

import pyoxigraph as ox
from pyoxigraph import (
    BlankNode,
    Literal,
    NamedNode,
    Quad,
    QueryResultsFormat,
    QuerySolutions,
    RdfFormat,
    Triple,
)

from kb.store.addresses import Addresses, without_password
from kb.store.errors import (
    BadRecord,
    EndpointRefused,
    MalformedAnswer,
    StoreError,
)
from kb.store.graph_store import GraphStore
from kb.store.oxigraph import syntax_error
from kb.store.results import Answer, Solutions, Term, Triples, canonical
from kb.store.wire import Line, Received
from kb.store.words import form, mentions

_ROWS = "application/sparql-results+json"
_TRIPLES = "application/n-triples, text/turtle;q=0.9"
_IN_MEMORY = 1 << 22
_SHOWN = 120


class EndpointStore(GraphStore):
    """Quads behind a SPARQL 1.1 endpoint.

    `location` is one address or three (see `Addresses.of`). `timeout` (seconds) ends a query,
    `load_timeout` one graph's transfer, `largest` (bytes) caps an answer.
    """

    def __init__(
        self,
        location: str,
        default_graphs: Sequence[NamedNode] = (),
        *,
        timeout: float = 30.0,
        load_timeout: float = 600.0,
        largest: int = 512 << 20,
    ) -> None:
        self.addresses = Addresses.of(location)
        self.location, self.default_graphs = without_password(location), tuple(default_graphs)
        self.timeout, self.load_timeout, self.largest = timeout, load_timeout, largest
        self._lines: list[Line] = []
        self._own = threading.local()

    @property
    def full_location(self) -> str:
        """As `GraphStore.full_location`."""
        return f"{self.addresses.query} {self.addresses.update} {self.addresses.data}"

    @property
    def _line(self) -> Line:
        """This thread's connection."""
        line: Line | None = getattr(self._own, "line", None)
        if line is None:
            line = self._own.line = Line(self.timeout, self.largest)
            self._lines.append(line)
        return line

    def _answer(
        self,
        sparql: str,
        default_graphs: tuple[NamedNode, ...] | None,
        named_graphs: tuple[NamedNode, ...] | None,
        *,
        union: bool,
        limit: int | None = None,
    ) -> Answer:
        default = self.graphs() if union else default_graphs or ()
        if default and named_graphs is None and mentions(sparql, "GRAPH"):
            named_graphs = self.graphs()  # by the protocol, naming default graphs alone leaves none to GRAPH
        fields: dict[str, str | list[str]] = {"query": sparql}
        if default:
            fields["default-graph-uri"] = [graph.value for graph in default]
        if named_graphs:
            fields["named-graph-uri"] = [graph.value for graph in named_graphs]
        accept = _TRIPLES if form(sparql) in ("CONSTRUCT", "DESCRIBE") else _ROWS
        try:
            received = self._line.ask("POST", self.addresses.query, accept=accept, form=fields)
        except EndpointRefused as refused:
            if refused.status == 400:
                raise syntax_error(SyntaxError(refused.said), sparql) from refused
            raise
        answer = self._read_triples(received) if accept == _TRIPLES else self._read_rows(received)
        return answer if isinstance(answer, bool) else answer.first(limit)

    def _read_rows(self, received: Received) -> Solutions | bool:
        self._expect(received, (_ROWS, "application/json"))
        try:
            found = ox.parse_query_results(received.body, QueryResultsFormat.JSON)
            if not isinstance(found, QuerySolutions):
                return bool(found)
            names = tuple(variable.value for variable in found.variables)
            return Solutions(names, tuple(tuple(map(canonical, row)) for row in found))
        except (SyntaxError, ValueError, OSError) as error:
            raise self._malformed(f"the answer is cut short or is not SPARQL results: {error}") from error

    def _read_triples(self, received: Received) -> Triples:
        self._expect(received, ("application/n-triples", "text/turtle", "text/plain"))
        try:
            return Triples(tuple(quad.triple for quad in self._parsed(received)))
        except SyntaxError as error:
            raise self._malformed(f"the answer is cut short or is not RDF: {error}") from error

    def _parsed(self, received: Received) -> Iterator[Quad]:
        for quad in ox.parse(received.body, RdfFormat.TURTLE, base_iri=self.addresses.data):
            value = quad.object
            yield (
                Quad(quad.subject, quad.predicate, canonical(value) or value) if isinstance(value, Literal) else quad
            )

    def _expect(self, received: Received, media_types: tuple[str, ...]) -> None:
        if received.media_type not in media_types:
            start = " ".join(received.body[:_SHOWN].decode("utf-8", "replace").split())
            got = received.media_type or "no media type"
            raise self._malformed(f"expected {media_types[0]}, got {got}: {start}")

    def _malformed(self, reason: str) -> MalformedAnswer:
        return MalformedAnswer(without_password(self.addresses.query), reason)

    def update(self, sparql: str) -> None:
        """Runs a SPARQL update."""
        self._line.ask("POST", self.addresses.update, form={"update": sparql}, timeout=self.load_timeout)

    def quads(
        self,
        subject: NamedNode | BlankNode | None = None,
        predicate: NamedNode | None = None,
        object: Term | None = None,
        graph: NamedNode | None = None,
    ) -> Iterator[Quad]:
        """As `GraphStore.quads`; raises `StoreError` for a blank node, which a query cannot name."""
        if isinstance(subject, BlankNode) or isinstance(object, BlankNode):
            raise StoreError(f"{self.location}: an endpoint cannot be asked for a blank node by its label")
        asked = {"s": subject, "p": predicate, "o": object, "g": graph}
        free = [name for name, term in asked.items() if term is None] or ["found"]
        s, p, o, g = (f"?{name}" if term is None else str(term) for name, term in asked.items())
        always = "" if free != ["found"] else " BIND(true AS ?found)"
        found = self._answer(
            f"SELECT ?{' ?'.join(free)} {{ GRAPH {g} {{ {s} {p} {o} }}{always} }}", None, None, union=False
        )
        for row in found if isinstance(found, Solutions) else ():
            terms = asked | dict(zip(free, row, strict=True))
            yield Quad(*(terms[name] for name in "spog"))  # type: ignore[arg-type]

    def load(self, nquads: str | PathLike[str] | bytes | BinaryIO) -> None:
        """As `GraphStore.load`: one transfer a graph, so that a blank node stays one node within its
        graph.
        """
        with ExitStack() as opened:
            spools: dict[str, BinaryIO] = {}
            for quad in _parsed_record(nquads, opened):
                name = quad.graph_name.value if isinstance(quad.graph_name, NamedNode) else ""
                if name not in spools:
                    fresh = opened.enter_context(SpooledTemporaryFile(max_size=_IN_MEMORY))
                    spools[name] = cast(BinaryIO, fresh)
                spools[name].write(f"{quad.triple} .\n".encode())
            for name, spool in spools.items():
                spool.seek(0)
                self._transfer("POST", name, spool)

    def _transfer(self, method: str, graph: str, content: Iterable[bytes] | None = None) -> None:
        self._line.ask(
            method,
            self.addresses.data,
            parameters={"graph": graph} if graph else {"default": ""},
            content=content,
            content_type="application/n-triples" if content is not None else "",
            timeout=self.load_timeout,
        )

    def replace_graph(self, graph: NamedNode, triples: Iterable[Triple]) -> None:
        """As `GraphStore.replace_graph`, by one PUT; blank nodes get new labels."""
        self._transfer("PUT", graph.value, (f"{triple} .\n".encode() for triple in triples))

    def remove_graph(self, graph: NamedNode) -> None:
        """As `GraphStore.remove_graph`."""
        try:
            self._transfer("DELETE", graph.value)
        except EndpointRefused as refused:
            if refused.status != 404:
                raise

    def graphs(self) -> tuple[NamedNode, ...]:
        """As `GraphStore.graphs`."""
        found = self._answer("SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }", None, None, union=False)
        rows = found if isinstance(found, Solutions) else ()
        return tuple(sorted((row[0] for row in rows if isinstance(row[0], NamedNode)), key=lambda g: g.value))

    def __len__(self) -> int:
        found = self._answer("SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }", None, None, union=False)
        count = found.rows[0][0] if isinstance(found, Solutions) and found.rows else None
        if not isinstance(count, Literal):
            raise self._malformed("expected a count, got none")
        return int(count.value)

    def close(self) -> None:
        """As `GraphStore.close`."""
        for line in self._lines:
            line.close()
        self._lines.clear()
        self._own = threading.local()


def _parsed_record(nquads: str | PathLike[str] | bytes | BinaryIO, opened: ExitStack) -> Iterator[Quad]:
    """The quads of a record, whatever form it is given in."""
    place = "the given N-Quads"
    source: BinaryIO
    if isinstance(nquads, str | PathLike):
        import gzip

        place = fspath(nquads)
        unpack = gzip.open if place.endswith(".gz") else open
        source = opened.enter_context(unpack(place, "rb"))  # type: ignore[assignment]
    else:
        source = io.BytesIO(nquads) if isinstance(nquads, bytes) else nquads
    try:
        yield from ox.parse(source, RdfFormat.N_QUADS)
    except SyntaxError as error:
        raise BadRecord(place, str(error)) from error
