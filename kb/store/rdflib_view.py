"""Knows how a store looks through rdflib's eyes: its terms, its `Dataset`, its query results."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from typing import Any

import pyoxigraph as ox
from rdflib.graph import DATASET_DEFAULT_GRAPH_ID, Dataset, Graph
from rdflib.query import Result
from rdflib.store import Store
from rdflib.term import BNode, IdentifiedNode, Identifier, Literal, Node, URIRef, Variable

from kb.store.errors import ReadOnlyStore, StoreError
from kb.store.graph_store import GraphStore
from kb.store.results import Solutions, Term, Triples, canonical
from kb.vocabulary import XSD


def to_rdflib(term: Term | ox.DefaultGraph) -> IdentifiedNode | Literal:
    """A term as rdflib writes it: a plain string has no datatype there, so that `Literal("W")` equals it."""
    match term:
        case ox.NamedNode():
            return URIRef(term.value)
        case ox.BlankNode():
            return BNode(term.value)
        case ox.Literal():
            if term.language:
                return Literal(term.value, lang=term.language)
            plain = term.datatype == XSD.string
            return Literal(term.value, datatype=None if plain else URIRef(term.datatype.value), normalize=False)
        case ox.DefaultGraph():
            return DATASET_DEFAULT_GRAPH_ID
    raise StoreError(f"rdflib has no form for the term {term}")


def from_rdflib(term: Node) -> ox.NamedNode | ox.BlankNode | ox.Literal:
    """The store's form of rdflib's term; the inverse of `to_rdflib`. Raises `StoreError` for a variable or
    graph.
    """
    match term:
        case URIRef():
            return ox.NamedNode(str(term))
        case BNode():
            return ox.BlankNode(str(term))
        case Literal():
            datatype = ox.NamedNode(str(term.datatype)) if term.datatype and not term.language else None
            literal = canonical(ox.Literal(str(term), language=term.language, datatype=datatype))
            if isinstance(literal, ox.Literal):
                return literal
    raise StoreError(f"{term!r} is no term of a triple")


def dataset(store: GraphStore) -> Dataset:
    """rdflib's `Dataset` over a store, for reading; its default graph is the store's default graphs,
    merged.
    """
    return Dataset(store=_View(store), default_union=not store.default_graphs)


_Pattern = tuple[Node | None, Node | None, Node | None]
_Statement = tuple[Node, Node, Node]


class _View(Store):
    """rdflib's storage interface over a `GraphStore`; its queries run in the store's own engine."""

    context_aware = True
    graph_aware = True

    def __init__(self, store: GraphStore) -> None:
        super().__init__()
        self._seen = store
        self._prefixes: dict[str, URIRef] = {}

    def triples(
        self, triple_pattern: Any, context: Graph | None = None
    ) -> Iterator[tuple[_Statement, Iterator[Graph | None]]]:
        """The triples of a pattern in one graph, in the default graph, or (no context) in all."""
        s, p, o = (None if term is None else from_rdflib(term) for term in triple_pattern)
        if isinstance(s, ox.Literal) or not isinstance(p, ox.NamedNode | None):
            return
        told: set[ox.Triple] = set()
        for graph in self._graphs(context):
            for quad in self._seen.quads(s, p, o, graph):
                if quad.triple not in told:
                    told.add(quad.triple)
                    yield self._statement(quad), iter((self._context(quad.graph_name),))

    def _graphs(self, context: Graph | None) -> tuple[ox.NamedNode | None, ...]:
        if context is None:
            return (None,)
        if context.identifier == DATASET_DEFAULT_GRAPH_ID:
            return self._seen.default_graphs
        named = from_rdflib(context.identifier)
        return (named,) if isinstance(named, ox.NamedNode) else ()

    @staticmethod
    def _statement(quad: ox.Quad) -> _Statement:
        return to_rdflib(quad.subject), to_rdflib(quad.predicate), to_rdflib(quad.object)

    def _context(self, name: ox.NamedNode | ox.BlankNode | ox.DefaultGraph) -> Graph:
        identifier = to_rdflib(name)
        return Graph(self, identifier if not isinstance(identifier, Literal) else None)

    def __len__(self, context: Graph | None = None) -> int:
        return sum(1 for _ in self.triples((None, None, None), context))

    def contexts(self, triple: Any = None) -> Generator[Graph, None, None]:
        """The named graphs, or those that hold a triple."""
        if triple is None or triple == (None, None, None):
            yield from (self._context(graph) for graph in self._seen.graphs())
            return
        s, p, o = (None if term is None else from_rdflib(term) for term in triple)
        if not isinstance(s, ox.Literal) and isinstance(p, ox.NamedNode | None):
            yield from (self._context(quad.graph_name) for quad in self._seen.quads(s, p, o))

    def query(
        self,
        query: Any,
        initNs: Mapping[str, Any],
        initBindings: Mapping[str, Identifier],
        queryGraph: str,
        **kwargs: Any,
    ) -> Result:
        """A query's result; a prepared query or one with initial bindings is left to rdflib's own
        evaluation.
        """
        if not isinstance(query, str) or initBindings or kwargs:
            raise NotImplementedError("left to rdflib")
        union = queryGraph == "__UNION__"
        given = "".join(f"PREFIX {prefix}: <{name}> " for prefix, name in initNs.items())
        graphs = None
        if not union and URIRef(queryGraph) != DATASET_DEFAULT_GRAPH_ID:
            graphs = (ox.NamedNode(queryGraph),)
        return self._result(self._seen.query(given + query, default_graphs=graphs, union=union))

    @staticmethod
    def _result(answer: Solutions | Triples | bool) -> Result:
        if isinstance(answer, bool):
            result = Result("ASK")
            result.askAnswer = answer
        elif isinstance(answer, Triples):
            result = Result("CONSTRUCT")
            result.graph = Graph()
            for triple in answer:
                terms = (triple.subject, triple.predicate, triple.object)
                result.graph.add(tuple(map(to_rdflib, terms)))  # type: ignore[arg-type]
        else:
            result = Result("SELECT")
            result.vars = [Variable(name) for name in answer.variables]
            cells = (zip(result.vars, row, strict=True) for row in answer)
            result.bindings = [{v: to_rdflib(term) for v, term in row if term is not None} for row in cells]
        return result

    def add(self, triple: Any, context: Any, quoted: bool = False) -> None:
        """Refused: the view is for reading."""
        raise ReadOnlyStore(f"the rdflib view of {self._seen.location}")

    def addN(self, quads: Iterable[Any]) -> None:
        """Refused: the view is for reading."""
        raise ReadOnlyStore(f"the rdflib view of {self._seen.location}")

    def remove(self, triple: Any, context: Any = None) -> None:
        """Refused: the view is for reading."""
        raise ReadOnlyStore(f"the rdflib view of {self._seen.location}")

    def add_graph(self, graph: Graph) -> None:
        """Nothing to do: a graph is there when it holds a triple."""

    def bind(self, prefix: str, namespace: URIRef, override: bool = True) -> None:
        """Remembers a prefix for writing, in this view alone."""
        if override or (prefix not in self._prefixes and namespace not in self._prefixes.values()):
            self._prefixes = {p: n for p, n in self._prefixes.items() if n != namespace} | {prefix: namespace}

    def prefix(self, namespace: URIRef) -> str | None:
        """The prefix of a namespace."""
        return next((p for p, n in self._prefixes.items() if n == namespace), None)

    def namespace(self, prefix: str) -> URIRef | None:
        """The namespace of a prefix."""
        return self._prefixes.get(prefix)

    def namespaces(self) -> Iterator[tuple[str, URIRef]]:
        """Every prefix with its namespace."""
        yield from self._prefixes.items()
