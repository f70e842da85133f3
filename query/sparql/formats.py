"""Knows how an answer is written: the W3C's results formats for rows, RDF for triples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pyoxigraph as ox
from pyoxigraph import Literal, NamedNode, QueryBoolean, QueryResultsFormat, QuerySolutions, RdfFormat

from kb.store.errors import QueryError
from kb.store.results import Answer, Solutions, Triples
from kb.vocabulary import RDF, XSD

ROWS = {
    "json": QueryResultsFormat.JSON,
    "csv": QueryResultsFormat.CSV,
    "tsv": QueryResultsFormat.TSV,
    "xml": QueryResultsFormat.XML,
}
"""The formats of SELECT and ASK, by the name that the command line gives them."""

TRIPLES = {
    "turtle": RdfFormat.TURTLE,
    "ntriples": RdfFormat.N_TRIPLES,
    "jsonld": RdfFormat.JSON_LD,
    "rdfxml": RdfFormat.RDF_XML,
}
"""The formats of CONSTRUCT and DESCRIBE."""


_UNWRITTEN = frozenset((XSD.string, XSD.integer, XSD.decimal, XSD.double, XSD.boolean, RDF.langString))
"""The datatypes of literals that Turtle writes without them."""


class WrongFormat(QueryError):
    """The answer has no form in the format that was asked for."""

    def __init__(self, format: str, answer: str, fitting: Mapping[str, object]) -> None:
        super().__init__(f"{answer} cannot be written as {format}; use {', '.join(fitting)}")


@dataclass(frozen=True, slots=True)
class Written:
    """An answer in bytes: its format's name and media type, and whether rows were left out at the limit."""

    format: str
    media_type: str
    body: bytes
    truncated: bool = False


def write(answer: Answer, format: str, prefixes: Mapping[str, str] | None = None) -> Written:
    """The answer in a format of `ROWS` or `TRIPLES`; `prefixes` shorten the names of Turtle and RDF/XML.

    Raises `WrongFormat` where the format does not fit the answer.

    >>> write(True, "csv").body
    b'true'
    """
    if isinstance(answer, Triples):
        if format not in TRIPLES:
            raise WrongFormat(format, "the triples of a CONSTRUCT or DESCRIBE", TRIPLES)
        chosen = TRIPLES[format]
        body = ox.serialize(answer.triples, format=chosen, prefixes=_used(prefixes or {}, answer)) or b""
        return Written(format, chosen.media_type, body, answer.truncated)
    if format not in ROWS:
        raise WrongFormat(format, "the rows of a SELECT and the truth of an ASK", ROWS)
    table = ROWS[format]
    cut = isinstance(answer, Solutions) and answer.truncated
    found = ox.parse_query_results(_tabular(answer), QueryResultsFormat.TSV)
    return Written(format, table.media_type, found.serialize(format=table) or b"", cut)


def _used(prefixes: Mapping[str, str], answer: Triples) -> dict[str, str]:
    """The prefixes that some name in the triples can be shortened with."""
    terms = {term for triple in answer for term in (triple.subject, triple.predicate, triple.object)}
    datatypes = {term.datatype for term in terms if isinstance(term, Literal)} - _UNWRITTEN
    names = (
        *(datatype.value for datatype in datatypes),
        *(term.value for term in terms if isinstance(term, NamedNode)),
    )
    return {prefix: start for prefix, start in prefixes.items() if any(name.startswith(start) for name in names)}


def read(written: Written) -> Answer:
    """The answer that `write` wrote as `tsv` or `ntriples`."""
    if written.format == "ntriples":
        triples = tuple(quad.triple for quad in ox.parse(written.body, RdfFormat.N_TRIPLES))
        return Triples(triples, written.truncated)
    found = ox.parse_query_results(written.body, QueryResultsFormat.TSV)
    if isinstance(found, QueryBoolean):
        return bool(found)
    assert isinstance(found, QuerySolutions)
    names = tuple(variable.value for variable in found.variables)
    return Solutions(names, tuple(map(tuple, found)), written.truncated)


def _tabular(answer: Solutions | bool) -> bytes:
    """The answer as SPARQL's TSV, in which a term stands as in N-Triples."""
    if isinstance(answer, bool):
        return b"true" if answer else b"false"
    lines = ["\t".join(f"?{name}" for name in answer.variables)]
    lines += ("\t".join("" if term is None else str(term) for term in row) for row in answer)
    return "".join(f"{line}\n" for line in lines).encode()
