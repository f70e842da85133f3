"""Knows at which addresses the engines in use take queries, updates and whole graphs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from kb.store.errors import UnknownLocation

# path as given -> paths of query, update and data; the first that matches counts.
_LAYOUTS = (
    # RDF4J, GraphDB
    (re.compile(r"(.*/repositories/[^/]+)"), r"\1", r"\1/statements", r"\1/rdf-graphs/service"),
    # Virtuoso
    (re.compile(r"(.*/sparql-auth)"), r"\1", r"\1", r"/sparql-graph-crud-auth"),
    (re.compile(r"/sparql"), r"/sparql", r"/sparql", r"/sparql-graph-crud"),
    # Oxigraph
    (re.compile(r"()"), r"/query", r"/update", r"/store"),
    (re.compile(r"/query"), r"/query", r"/update", r"/store"),
    # Fuseki: the data set, or its query address
    (re.compile(r"(/[^/]+)/(query|sparql)"), r"\1/\2", r"\1/update", r"\1/data"),
    (re.compile(r"(/[^/]+)"), r"\1/query", r"\1/update", r"\1/data"),
)


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where one endpoint takes queries, updates and, by the Graph Store Protocol, graphs.

    >>> Addresses.of("http://127.0.0.1:7878").data
    'http://127.0.0.1:7878/store'
    >>> Addresses.of("http://127.0.0.1:3030/rules/sparql").update
    'http://127.0.0.1:3030/rules/update'
    >>> Addresses.of("http://h/q http://h/u http://h/d").update
    'http://h/u'
    """

    query: str
    update: str
    data: str

    @classmethod
    def of(cls, location: str) -> Addresses:
        """The addresses that a location means: one address, completed by the layout of a known engine, or
        three with blanks between them, as they are (query, update, data).

        Raises `UnknownLocation` for anything else.
        """
        given = location.split()
        if len(given) not in (1, 3) or not all(re.match(r"https?://[^/]", address) for address in given):
            raise UnknownLocation(without_password(location))
        if len(given) == 3:
            return cls(*given)
        parts = urlsplit(given[0])
        path = parts.path.rstrip("/")
        for layout, *places in _LAYOUTS:
            if layout.fullmatch(path):
                query, update, data = (layout.sub(place, path, count=1) for place in places)
                return cls(*(urlunsplit((*parts[:2], place, parts.query, "")) for place in (query, update, data)))
        return cls(given[0], given[0], given[0])


def without_password(address: str) -> str:
    """The address as it may be shown and logged.

    >>> without_password("https://judge:secret@example.org/sparql")
    'https://judge@example.org/sparql'
    """
    return re.sub(r"(https?://[^/\s:@]*):[^/\s@]*@", r"\1@", address)
