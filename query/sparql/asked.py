"""Knows which editions a query asks: those that its FROM and GRAPH name, else the one that was chosen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from urllib.parse import urljoin

from kb.store.words import prefixes, tokens

_BEFORE_A_GRAPH = frozenset({"FROM", "NAMED", "GRAPH"})


def graphs_asked(sparql: str) -> Iterator[tuple[str, str]]:
    """The graphs that a query names, each after the word that stands before it; "" for a variable after GRAPH.

    The text must be a query that parses.

    >>> list(graphs_asked("PREFIX g: <http://g/> SELECT * FROM <http://a> FROM NAMED g:b { GRAPH ?g { ?s ?p ?o } }"))
    [('FROM', 'http://a'), ('NAMED', 'http://g/b'), ('GRAPH', '')]
    """
    parts = [(kind, text) for kind, text in tokens(sparql) if kind != "comment" and not text.isspace()]
    known = prefixes(sparql)
    base = ""
    for (_, word), (kind, text) in pairwise(parts):
        said = word.upper()
        if said == "BASE" and kind == "iri":
            base = text[1:-1]
        elif said in _BEFORE_A_GRAPH and kind in ("iri", "name", "variable"):
            yield said, _name(kind, text, base, known)


def _name(kind: str, text: str, base: str, known: Mapping[str, str]) -> str:
    if kind == "variable":
        return ""
    if kind == "iri":
        return urljoin(base, text[1:-1])
    prefix, _, local = text.partition(":")
    return known.get(prefix, "") + local


def editions_asked(sparql: str, chosen: str, graphs: Mapping[str, str]) -> str:
    """What to write under the answer of a query: which editions it asked, as a phrase.

    `chosen` is the edition that a query without FROM sees, `graphs` are the editions' named graphs with their dates.

    >>> graphs = {"urn:old": "2009-05-01", "urn:new": "2026-09-25"}
    >>> editions_asked("ASK {}", "2026-09-25", graphs)
    'edition of 2026-09-25'
    >>> editions_asked("ASK FROM <urn:old> {}", "2026-09-25", graphs)
    'edition of 2009-05-01'
    >>> editions_asked("ASK FROM <urn:cards> {}", "2026-09-25", graphs)
    'no edition: <urn:cards> was asked'
    >>> editions_asked("ASK { GRAPH <urn:old> {} GRAPH ?g {} }", "2026-09-25", graphs)
    'editions of 2009-05-01 and 2026-09-25, and by GRAPH all 2 in the store'
    """
    said = list(graphs_asked(sparql))
    dataset = [name for word, name in said if word != "GRAPH"]
    named = dataset or [name for word, name in said if name]
    dates = {graphs[name] for name in named if name in graphs} | (set() if dataset else {chosen})
    if not dates:
        return f"no edition: {_listed(f'<{name}>' for name in dict.fromkeys(named))} was asked"
    reaches = not dataset and any(word == "GRAPH" and not name for word, name in said) and len(graphs) > 1
    more = f", and by GRAPH all {len(graphs)} in the store" if reaches else ""
    return f"edition{'s' if len(dates) > 1 else ''} of {_listed(sorted(dates))}{more}"


def _listed(names: Iterable[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
