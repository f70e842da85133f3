"""Knows the embedded engine: an Oxigraph store in memory or in a folder, opened for reading or writing."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from os import PathLike, fspath
from pathlib import Path
from typing import BinaryIO, cast

from pyoxigraph import (
    BlankNode,
    DefaultGraph,
    NamedNode,
    Quad,
    QueryBoolean,
    QuerySolutions,
    QueryTriples,
    RdfFormat,
    Store,
    Triple,
    serialize,
)

from kb.store.errors import BadRecord, BrokenStore, NoStore, QuerySyntaxError, ReadOnlyStore, StoreError
from kb.store.graph_store import GraphStore
from kb.store.results import Answer, Solutions, Term, Triples

_PART = 150_000  # lines loaded at once: the engine keeps about a kilobyte for each until it has sorted them
_LOADERS = min(os.cpu_count() or 1, 2)
_EXPECTED = re.compile(r""""(?:[^"\\]|\\.)*"|\[[^]]*\]|\b[A-Z]{2,}\b""")
_AT = re.compile(r"error at (\d+):(\d+): ?(.*)", re.DOTALL)


class OxigraphStore(GraphStore):
    """Quads in an embedded Oxigraph; make one with `in_memory`, `reading` or `writing`.

    >>> with OxigraphStore.in_memory() as store:
    ...     store.load(b'<urn:s> <urn:p> "702.7" <urn:g> .')
    ...     store.select("SELECT ?o { ?s ?p ?o }", union=True).rows
    ((<Literal value=702.7 datatype=<NamedNode value=http://www.w3.org/2001/XMLSchema#string>>,),)
    """

    def __init__(
        self,
        engine: Store,
        location: str,
        *,
        writable: bool,
        default_graphs: Sequence[NamedNode] = (),
        on_close: Callable[[], None] | None = None,
    ) -> None:
        self.location, self.writable, self.default_graphs = location, writable, tuple(default_graphs)
        self._engine: Store | None = engine
        self._on_close = on_close

    @classmethod
    def in_memory(cls, default_graphs: Sequence[NamedNode] = ()) -> OxigraphStore:
        """An empty store that ends with the process."""
        return cls(Store(), "memory:", writable=True, default_graphs=default_graphs)

    @classmethod
    def reading(
        cls,
        folder: Path,
        default_graphs: Sequence[NamedNode] = (),
        on_close: Callable[[], None] | None = None,
    ) -> OxigraphStore:
        """The store in `folder`, which any number of processes may read at once while nobody writes it.

        Raises `NoStore` where there is none and `BrokenStore` where its files cannot be read.
        """
        if not (folder / "CURRENT").is_file():
            raise NoStore(folder, "there is no Oxigraph store")
        try:
            engine = Store.read_only(fspath(folder))
        except (OSError, ValueError, RuntimeError) as reason:
            raise BrokenStore(folder, str(reason)) from reason
        return cls(engine, str(folder), writable=False, default_graphs=default_graphs, on_close=on_close)

    @classmethod
    def writing(cls, folder: Path, default_graphs: Sequence[NamedNode] = ()) -> OxigraphStore:
        """The store in `folder`, made when there is none; one process writes it, alone.

        Raises `BrokenStore` where its files cannot be opened, or where another process writes it.
        """
        try:
            engine = Store(fspath(folder))
        except (OSError, ValueError, RuntimeError) as reason:
            raise BrokenStore(folder, str(reason)) from reason
        return cls(engine, str(folder), writable=True, default_graphs=default_graphs)

    @property
    def engine(self) -> Store:
        """The open pyoxigraph store."""
        if self._engine is None:
            raise ValueError(f"the store {self.location} is closed")
        return self._engine

    def _for_writing(self) -> Store:
        if not self.writable:
            raise ReadOnlyStore(self.location)
        return self.engine

    def _answer(
        self,
        sparql: str,
        default_graphs: tuple[NamedNode, ...] | None,
        named_graphs: tuple[NamedNode, ...] | None,
        *,
        union: bool,
        limit: int | None = None,
    ) -> Answer:
        try:
            found = self.engine.query(
                sparql,
                use_default_graph_as_union=union,
                default_graph=None if default_graphs is None else list(default_graphs) or [DefaultGraph()],
                named_graphs=None if named_graphs is None else list(named_graphs),
            )
            return _read(found, limit)
        except SyntaxError as error:
            raise syntax_error(error, sparql) from None
        except (OSError, RuntimeError) as error:
            raise StoreError(f"{self.location} cannot answer: {error}") from error

    def quads(
        self,
        subject: NamedNode | BlankNode | None = None,
        predicate: NamedNode | None = None,
        object: Term | None = None,
        graph: NamedNode | None = None,
    ) -> Iterator[Quad]:
        """As `GraphStore.quads`, from the index that fits the pattern."""
        found = self.engine.quads_for_pattern(subject, predicate, object, graph)
        if graph is not None:
            return found
        unnamed = DefaultGraph()
        return (quad for quad in found if quad.graph_name != unnamed)

    def load(self, nquads: str | PathLike[str] | bytes | BinaryIO) -> None:
        """As `GraphStore.load`; memory needed does not grow with the file."""
        engine = self._for_writing()
        try:
            if isinstance(nquads, str | PathLike) and fspath(nquads).endswith(".gz"):
                import gzip

                with gzip.open(nquads) as unpacked:
                    _load_in_parts(engine, cast(BinaryIO, unpacked))
            elif isinstance(nquads, str | PathLike):
                with open(nquads, "rb") as plain:
                    _load_in_parts(engine, plain)
            else:
                engine.bulk_load(nquads, RdfFormat.N_QUADS)
        except (SyntaxError, ValueError) as error:
            place = fspath(nquads) if isinstance(nquads, str | PathLike) else "the given N-Quads"
            raise BadRecord(place, str(error)) from error

    def replace_graph(self, graph: NamedNode, triples: Iterable[Triple]) -> None:
        """As `GraphStore.replace_graph`, in one transaction; blank nodes get new labels."""
        written = (serialize(triples, format=RdfFormat.N_TRIPLES) or b"").decode()
        engine = self._for_writing()
        engine.update(f"CLEAR SILENT GRAPH {graph} ; INSERT DATA {{ GRAPH {graph} {{\n{written}}} }}")

    def remove_graph(self, graph: NamedNode) -> None:
        """As `GraphStore.remove_graph`."""
        self._for_writing().remove_graph(graph)

    def graphs(self) -> tuple[NamedNode, ...]:
        """As `GraphStore.graphs`."""
        engine = self.engine
        named = (graph for graph in engine.named_graphs() if isinstance(graph, NamedNode))
        held = (graph for graph in named if next(engine.quads_for_pattern(None, None, None, graph), None))
        return tuple(sorted(held, key=lambda graph: graph.value))

    def __len__(self) -> int:
        unnamed = sum(1 for _ in self.engine.quads_for_pattern(None, None, None, DefaultGraph()))
        return len(self.engine) - unnamed

    def optimize(self) -> None:
        """Compacts the files after much loading, for the readers that follow."""
        self._for_writing().optimize()

    def close(self) -> None:
        """As `GraphStore.close`; what was written is on disk afterwards."""
        if self._engine is not None and self.writable:
            self._engine.flush()
        self._engine = None
        if self._on_close is not None:
            on_close, self._on_close = self._on_close, None
            on_close()


def _read(found: QuerySolutions | QueryBoolean | QueryTriples, limit: int | None) -> Answer:
    """What the engine found, no more than `limit` of it."""
    if isinstance(found, QuerySolutions):
        rows = tuple(map(tuple, islice(found, limit)))
        names = tuple(variable.value for variable in found.variables)
        return Solutions(names, rows, limit is not None and next(found, None) is not None)
    if isinstance(found, QueryBoolean):
        return bool(found)
    triples = tuple(islice(found, limit))
    return Triples(triples, limit is not None and next(found, None) is not None)


def syntax_error(error: SyntaxError, sparql: str) -> QuerySyntaxError:
    """The engine's complaint about a query, with its place and a list of what was expected that can be
    read.
    """
    place = _AT.match(str(error))
    if place is None:
        return QuerySyntaxError(str(error), sparql)
    line, column, reason = place.groups()
    return QuerySyntaxError(_shortened(reason), sparql, int(line), int(column))


def _shortened(reason: str) -> str:
    """`expected one of ...` without the character classes of the grammar."""
    head, found, rest = reason.partition("expected one of ")
    if not found:
        return reason.strip()
    words = [word for word in _EXPECTED.findall(rest) if not word.startswith("[")]
    return f"{head}expected one of {', '.join(dict.fromkeys(words))}" if words else f"{head}unexpected text here"


def _load_in_parts(engine: Store, lines: BinaryIO) -> None:
    """Loads N-Quads a part at a time, two at once: the engine loads one part on one core, and keeps it in memory.

    Raises what `Store.bulk_load` raises, with the line of the whole file.
    """
    with ThreadPoolExecutor(_LOADERS) as loaders:
        loading: deque[Future[None]] = deque()
        before = 0
        while part := list(islice(lines, _PART)):
            loading.append(loaders.submit(_load_part, engine, part, before))
            before += len(part)
            if len(loading) > _LOADERS:
                loading.popleft().result()
        for left in loading:
            left.result()


def _load_part(engine: Store, part: list[bytes], before: int) -> None:
    """Loads the lines that follow the first `before` of a file."""
    try:
        engine.bulk_load(b"".join(part), RdfFormat.N_QUADS)
    except SyntaxError as error:
        said = re.sub(r"^Parser error at line .*?: ", "", error.msg)
        raise SyntaxError(f"line {before + (error.lineno or 1)}: {said}") from None
