"""Knows what a query answers with, the same for every store: rows of terms, yes or no, or triples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Store, Triple

from kb.vocabulary import XSD

Term: TypeAlias = NamedNode | BlankNode | Literal | Triple
"""A value in a row: pyoxigraph's own."""


@dataclass(frozen=True, slots=True)
class Solutions:
    """The rows of a SELECT: `variables` name the columns without question mark, an unbound cell is None.

    `truncated` says that there were more rows than the limit that was asked for.

    >>> found = Solutions(("n",), ((Literal("702.7"),), (None,)))
    >>> len(found), found.column("n")[0].value
    (2, '702.7')
    """

    variables: tuple[str, ...]
    rows: tuple[tuple[Term | None, ...], ...]
    truncated: bool = False

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[tuple[Term | None, ...]]:
        return iter(self.rows)

    def first(self, limit: int | None) -> Solutions:
        """The first `limit` rows, marked as truncated where there are more."""
        if limit is None or len(self.rows) <= limit:
            return self
        return Solutions(self.variables, self.rows[:limit], truncated=True)

    def column(self, variable: str) -> tuple[Term | None, ...]:
        """The cells of one variable, in row order; raises `KeyError` where there is no such variable."""
        if variable not in self.variables:
            raise KeyError(variable)
        at = self.variables.index(variable)
        return tuple(row[at] for row in self.rows)


@dataclass(frozen=True, slots=True)
class Triples:
    """The triples of a CONSTRUCT or DESCRIBE; `truncated` as in `Solutions`."""

    triples: tuple[Triple, ...]
    truncated: bool = False

    def __len__(self) -> int:
        return len(self.triples)

    def __iter__(self) -> Iterator[Triple]:
        return iter(self.triples)

    def first(self, limit: int | None) -> Triples:
        """The first `limit` triples, marked as truncated where there are more."""
        if limit is None or len(self.triples) <= limit:
            return self
        return Triples(self.triples[:limit], truncated=True)


Answer: TypeAlias = Solutions | Triples | bool
"""What a query answers with; a plain `bool` for ASK."""


def canonical(term: Term | None) -> Term | None:
    """The term as Oxigraph keeps it, so that terms from any engine compare equal: numbers and dates in one
    spelling.

    >>> canonical(Literal("01", datatype=NamedNode("http://www.w3.org/2001/XMLSchema#integer"))).value
    '1'
    """
    if isinstance(term, Literal) and term.datatype != XSD.string and term.datatype.value.startswith(XSD.namespace):
        return _respelt(term)
    return term


@lru_cache(maxsize=4096)
def _respelt(literal: Literal) -> Literal:
    """The literal after a passage through an engine, which is what defines the spelling."""
    passage = Store()
    node = NamedNode("urn:x")
    passage.add(Quad(node, node, literal))
    kept = next(iter(passage)).object
    return kept if isinstance(kept, Literal) else literal
