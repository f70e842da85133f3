"""Knows what every store of triples can do, whatever engine keeps it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from os import PathLike
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO, Self, cast

import pyoxigraph as ox
from pyoxigraph import BlankNode, Literal, NamedNode, Quad, RdfFormat, Triple

from kb.store.errors import WrongForm
from kb.store.results import Answer, Solutions, Term, Triples
from kb.store.words import fill, mentions

if TYPE_CHECKING:
    from rdflib import Dataset as RdflibDataset

NO_VALUES: Mapping[str, NamedNode | Literal] = {}
_BATCH = 10_000
_CHUNK = 1 << 16
_IN_MEMORY = 1 << 24


@dataclass(frozen=True, slots=True)
class Dataset:
    """The graphs that a query sees, and no others: `default` merged, and `named` under GRAPH.

    As the SPARQL 1.1 Protocol has it (section 2.1.4), a part that is empty is empty, and FROM is not heeded.
    """

    default: tuple[NamedNode, ...] = ()
    named: tuple[NamedNode, ...] = ()


class GraphStore(ABC):
    """A set of quads that answers SPARQL; every triple lives in a named graph.

    `location` is the setting that names the store. `default_graphs` are the graphs that a query without FROM
    sees when the caller names none: the builder of a store decides them (current edition, cards, rulings).
    A store is a context manager and closes at the end.
    """

    location: str
    default_graphs: tuple[NamedNode, ...] = ()

    @property
    def full_location(self) -> str:
        """The setting that opens this store in another process, password included."""
        return self.location

    def query(
        self,
        sparql: str,
        values: Mapping[str, NamedNode | Literal] = NO_VALUES,
        *,
        default_graphs: Sequence[NamedNode] | None = None,
        named_graphs: Sequence[NamedNode] = (),
        union: bool = False,
        limit: int | None = None,
        only: Dataset | None = None,
    ) -> Answer:
        """The answer to a SPARQL query: rows, triples or a truth.

        `values` fill the `$name` variables of the text. Without FROM the query sees `default_graphs` (by
        default the store's own), merged, and under GRAPH the `named_graphs` (by default all); `union` puts
        every named graph into the default graph. FROM and FROM NAMED in the text override all of these; `only`
        overrides FROM too. With a `limit` of rows or triples the rest is left out and the answer says so. Raises
        `QuerySyntaxError`, `UnknownParameter` and, from an endpoint, `EndpointError`.
        """
        text = fill(sparql, values) if values else sparql
        if only is not None:
            return self._answer(text, only.default, only.named, union=False, limit=limit)
        if mentions(text, "FROM"):
            return self._answer(text, None, None, union=False, limit=limit)
        seen = self.default_graphs if default_graphs is None else tuple(default_graphs)
        return self._answer(
            text, None if union else seen or None, tuple(named_graphs) or None, union=union, limit=limit
        )

    def select(
        self,
        sparql: str,
        values: Mapping[str, NamedNode | Literal] = NO_VALUES,
        *,
        default_graphs: Sequence[NamedNode] | None = None,
        named_graphs: Sequence[NamedNode] = (),
        union: bool = False,
    ) -> Solutions:
        """The rows of a SELECT; as `query`, and raises `WrongForm` for another form."""
        answer = self.query(sparql, values, default_graphs=default_graphs, named_graphs=named_graphs, union=union)
        if not isinstance(answer, Solutions):
            raise WrongForm("rows", "triples" if isinstance(answer, Triples) else "yes or no")
        return answer

    def ask(
        self,
        sparql: str,
        values: Mapping[str, NamedNode | Literal] = NO_VALUES,
        *,
        default_graphs: Sequence[NamedNode] | None = None,
        union: bool = False,
    ) -> bool:
        """The truth of an ASK; as `query`, and raises `WrongForm` for another form."""
        answer = self.query(sparql, values, default_graphs=default_graphs, union=union)
        if not isinstance(answer, bool):
            raise WrongForm("yes or no", "triples" if isinstance(answer, Triples) else "rows")
        return answer

    @abstractmethod
    def _answer(
        self,
        sparql: str,
        default_graphs: tuple[NamedNode, ...] | None,
        named_graphs: tuple[NamedNode, ...] | None,
        *,
        union: bool,
        limit: int | None = None,
    ) -> Answer:
        """The answer to a filled query over a dataset; None leaves that part of it to the store, `()` is nothing."""

    @abstractmethod
    def quads(
        self,
        subject: NamedNode | BlankNode | None = None,
        predicate: NamedNode | None = None,
        object: Term | None = None,
        graph: NamedNode | None = None,
    ) -> Iterator[Quad]:
        """The quads that match a pattern in the named graphs; None matches anything."""

    @abstractmethod
    def load(self, nquads: str | PathLike[str] | bytes | BinaryIO) -> None:
        """Adds the quads of an N-Quads file (by path, `.gz` unpacked), of its bytes, or of an open binary
        file.

        Raises `BadRecord` with the line where the text is not N-Quads.
        """

    @abstractmethod
    def replace_graph(self, graph: NamedNode, triples: Iterable[Triple]) -> None:
        """Makes `triples` the whole content of a named graph, or leaves it as it was when that fails."""

    @abstractmethod
    def remove_graph(self, graph: NamedNode) -> None:
        """Removes a named graph with its triples; one that does not exist is removed already."""

    @abstractmethod
    def graphs(self) -> tuple[NamedNode, ...]:
        """The named graphs that hold a triple, sorted by name."""

    @abstractmethod
    def __len__(self) -> int:
        """How many quads the named graphs hold."""

    @abstractmethod
    def close(self) -> None:
        """Lets go of files, locks and connections; closing twice is harmless."""

    def dump(
        self,
        format: RdfFormat = RdfFormat.N_QUADS,
        graphs: Sequence[NamedNode] = (),
        *,
        prefixes: Mapping[str, str] | None = None,
    ) -> Iterator[bytes]:
        """The store, or the named `graphs` of it, written in an RDF format, piece by piece.

        A format without graphs (Turtle, N-Triples, RDF/XML) merges those asked for.
        """
        chosen = tuple(graphs) or self.graphs()
        quads = (quad for graph in chosen for quad in self.quads(graph=graph))
        triples = (quad.triple for quad in quads)
        statements = cast("Iterator[Quad]", quads if format.supports_datasets else triples)
        if format in (RdfFormat.N_QUADS, RdfFormat.N_TRIPLES):
            while batch := list(islice(statements, _BATCH)):
                yield ox.serialize(batch, format=format) or b""
            return
        import tempfile

        with tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY) as spool:
            ox.serialize(statements, spool, format, prefixes=dict(prefixes or {}))
            spool.seek(0)
            while chunk := spool.read(_CHUNK):
                yield chunk

    def rdflib_graph(self) -> RdflibDataset:
        """The store as rdflib's `Dataset`, whose default graph is what a query without FROM sees.

        Reading only. rdflib is imported here and not before.
        """
        from kb.store.rdflib_view import dataset

        return dataset(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
