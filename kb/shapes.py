"""Knows how one edition is validated with SHACL: pySHACL over `shapes.ttl`, its report as the results of the checks.

The same meaning as `kb.validation.validate`, by other means: slower, and by the standard that others can run too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyoxigraph import NamedNode, RdfFormat

from kb.errors import SeeruleError
from kb.store import GraphStore
from kb.validation import SHAPES, Check, ValidationResult, checks, graph_of
from kb.vocabulary import CHECKS, SH, Names

if TYPE_CHECKING:
    from rdflib import Graph
    from rdflib.term import Node, URIRef


class ShaclMissing(SeeruleError):
    """pySHACL is not installed."""


def validate_shapes(store: GraphStore, edition: str, names: Names | None = None) -> tuple[ValidationResult, ...]:
    """What the SHACL shapes say is wrong with an edition's graph, the gravest first.

    `edition` is a date as YYYY-MM-DD. Raises `UnknownEdition`, and `ShaclMissing` without the extra `shapes`.
    """
    names = names or Names()
    graph = graph_of(store, edition, names)
    try:
        import pyshacl
    except ImportError as missing:
        raise ShaclMissing("shapes need pySHACL: pip install 'seerule[shapes]'") from missing
    from rdflib import Graph

    data, shapes = Graph(), Graph()
    data.parse(data=b"".join(store.dump(RdfFormat.N_TRIPLES, (graph,))), format="nt")
    shapes.parse(SHAPES, format="turtle")
    _, report, _ = pyshacl.validate(data, shacl_graph=shapes, inplace=True)
    return _results(report, shapes, names, edition)


def _results(report: Graph, shapes: Graph, names: Names, edition: str) -> tuple[ValidationResult, ...]:
    """The results of a report, each once: one property may fail in several ways, and is one result."""
    named = {check.name: check for check in checks()}
    found = set()
    for result in report.subjects(_uri(SH.focusNode)):
        shape = report.value(result, _uri(SH.sourceShape))
        check = named[str(shapes.value(shape, _uri(SH.group)) or shape).removeprefix(CHECKS)]
        found.add(_result(report, result, check, names, edition))
    return tuple(sorted(found, key=lambda result: result.order))


def _result(report: Graph, result: Node, check: Check, names: Names, edition: str) -> ValidationResult:
    """One result of a report; a query's values are the nodes it found, and its message tells the detail."""
    focus, value = report.value(result, _uri(SH.focusNode)), report.value(result, _uri(SH.value))
    if report.value(result, _uri(SH.sourceConstraint)) is None:
        path = report.value(result, _uri(SH.resultPath))
        detail = path if check.name == "properties" else value
        return check.failure(names, edition, str(focus), None if detail is None else str(detail))
    said = str(report.value(result, _uri(SH.resultMessage)))
    before, _, after = check.message.partition("{?detail}")
    return check.failure(names, edition, str(value), said.removeprefix(before).removesuffix(after))


def _uri(term: NamedNode) -> URIRef:
    from rdflib.term import URIRef

    return URIRef(term.value)
