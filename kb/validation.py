"""Knows how the graph of an edition is held to its contract: the checks, and what they find, asked in plain SPARQL.

`shapes.ttl` names each check, its severity and its message; `checks/<name>.rq` asks it of one named graph. The same
meaning as SHACL shapes is `kb.shapes`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

from pyoxigraph import BlankNode, Literal, NamedNode, QuerySolutions, RdfFormat, Store

from kb.errors import SeeruleError
from kb.store import GraphStore
from kb.vocabulary import CHECKS, PREFIXES, Names

SHAPES = Path(__file__).with_name("shapes.ttl")
"""The SHACL shapes of an edition's graph, in Turtle."""

SEVERITIES = ("violation", "warning", "info")
"""The severities of SHACL, the gravest first; `shapes.ttl` says what each means here."""

_NAMED = f"""
SELECT ?name ?severity ?message WHERE {{
  ?check sh:severity ?grade .
  {{ ?check sh:message ?message }} UNION {{ ?check sh:sparql/sh:message ?message }}
  FILTER (STRSTARTS(STR(?check), "{CHECKS}"))
  BIND (STRAFTER(STR(?check), "#") AS ?name)
  BIND (LCASE(STRAFTER(STR(?grade), "#")) AS ?severity)
}}"""


@dataclass(frozen=True, slots=True)
class Check:
    """One demand on an edition's graph: its name, its severity (of `SEVERITIES`), and what is said where it fails.

    `message` has `{?detail}` where the detail of a failure goes.
    """

    name: str
    severity: str
    message: str

    @property
    def query(self) -> str:
        """The SPARQL query that gives each failing `?node` and, mostly, a `?detail`."""
        return SHAPES.with_name("checks").joinpath(f"{self.name}.rq").read_text(encoding="utf-8")

    def failure(self, names: Names, edition: str, node: str, detail: str | None) -> ValidationResult:
        """The result of this check for a node, by its IRI."""
        said = self.message.replace("{?detail}", names.short(detail or ""))
        place = names.short(node).removeprefix(f"{edition}/")
        return ValidationResult(self.name, self.severity, edition, node, place, said)


@dataclass(frozen=True, slots=True)
class ValidationResult:
    """A node of an edition's graph that fails a check: the edition's date, the node's IRI, what is wrong with it.

    `place` is the node as a reader calls it: its IRI without what all IRIs of the edition begin with.

    >>> print(ValidationResult("parent", "violation", "2026-09-25", "https://x.example/702.7", "702.7", "it is lost"))
    violation: 702.7: it is lost (parent)
    """

    check: str
    severity: str
    edition: str
    node: str
    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.severity}: {self.place}: {self.message} ({self.check})"

    @property
    def order(self) -> tuple[object, ...]:
        """The sort key: the gravest first, then by check, numbers in the node's IRI counted as numbers."""
        node = [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", self.node)]
        return (SEVERITIES.index(self.severity), self.check, node, self.message)


class UnknownEdition(SeeruleError):
    """The store holds no graph of the edition that was asked for."""

    def __init__(self, edition: str, known: tuple[str, ...], location: str) -> None:
        held = f"it holds {', '.join(known)}" if known else "it holds none"
        super().__init__(f"{location} has no edition {edition!r}; {held}")


@cache
def checks() -> tuple[Check, ...]:
    """Every check that `shapes.ttl` names, by name.

    >>> [check.severity for check in checks() if check.name == "number-gap"]
    ['warning']
    """
    shapes = Store()
    shapes.load(path=str(SHAPES), format=RdfFormat.TURTLE)
    found = shapes.query(_NAMED, prefixes=PREFIXES)
    rows = {tuple(_text(term) or "" for term in row) for row in cast(QuerySolutions, found)}
    return tuple(Check(name, severity, message) for name, severity, message in sorted(rows))


def editions(store: GraphStore, names: Names | None = None) -> tuple[str, ...]:
    """The dates of the editions that have a named graph in the store, oldest first."""
    before = (names or Names()).graph("").value
    held = (graph.value for graph in store.graphs())
    return tuple(sorted(graph.removeprefix(before) for graph in held if graph.startswith(before)))


def validate(store: GraphStore, edition: str | None = None, names: Names | None = None) -> tuple[ValidationResult, ...]:
    """What is wrong with an edition's graph, the gravest first, or with all of them, edition by edition.

    `edition` is a date as YYYY-MM-DD. Raises `UnknownEdition`.
    """
    names = names or Names()
    asked = editions(store, names) if edition is None else (edition,)
    return tuple(result for each in asked for result in sorted(_failures(store, each, names), key=lambda r: r.order))


def graph_of(store: GraphStore, edition: str, names: Names) -> NamedNode:
    """The named graph of an edition that the store holds; raises `UnknownEdition`."""
    known = editions(store, names)
    if edition not in known:
        raise UnknownEdition(edition, known, store.location)
    return names.graph(edition)


def _failures(store: GraphStore, edition: str, names: Names) -> Iterator[ValidationResult]:
    graph = graph_of(store, edition, names)
    for check in checks():
        for node, *detail in store.select(check.query, default_graphs=(graph,)):
            if isinstance(node, NamedNode):
                yield check.failure(names, edition, node.value, _text(detail[0]) if detail else None)


def _text(term: object) -> str | None:
    return term.value if isinstance(term, (NamedNode, Literal, BlankNode)) else None
