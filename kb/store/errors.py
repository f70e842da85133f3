"""Knows the ways in which a store or a query fails, each as a sentence that says what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kb.errors import SeeruleError


class StoreError(SeeruleError):
    """A store cannot do what it was asked."""


class NoStore(StoreError):
    """There is no store at the place that was named."""

    def __init__(self, place: Path | str, found: str = "there is no built store") -> None:
        super().__init__(f"{place}: {found}; `seerule build` makes one")
        self.place = place


class UnknownLocation(StoreError):
    """The setting that names the store names nothing that a store can be."""

    def __init__(self, location: str) -> None:
        super().__init__(
            f"{location!r} is no place for a store: expected memory:, a folder, or the http(s) address of a"
            " SPARQL endpoint"
        )


class ReadOnlyStore(StoreError):
    """The store was opened for reading only."""

    def __init__(self, place: Path | str) -> None:
        super().__init__(f"{place} is open for reading only; open it with writable=True, or build a new one")


class BrokenStore(StoreError):
    """The files of a store cannot be read."""

    def __init__(self, place: Path | str, reason: str) -> None:
        super().__init__(f"{place} cannot be opened: {reason}")
        self.place, self.reason = place, reason


class QueryError(SeeruleError):
    """A query cannot be answered."""


class QuerySyntaxError(QueryError):
    """The query is not SPARQL; `line` and `column` count from 1 and are 0 where the engine does not tell
    them.
    """

    def __init__(self, reason: str, sparql: str = "", line: int = 0, column: int = 0) -> None:
        self.reason, self.line, self.column = reason, line, column
        lines = sparql.split("\n")
        if not 0 < line <= len(lines):
            super().__init__(f"the query does not parse: {reason}")
            return
        shown = lines[line - 1].replace("\t", " ").rstrip("\r")
        mark = " " * (column - 1) + "^"
        super().__init__(f"line {line}, column {column}: the query does not parse\n  {shown}\n  {mark}\n{reason}")


class WrongForm(QueryError):
    """The query answers with something else than was asked for, such as triples instead of rows."""

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(f"expected a query that answers with {expected}; this one answers with {got}")


class UnknownParameter(QueryError):
    """A value was given for a name that the query does not have."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        has = ", ".join(known) or "none"
        super().__init__(f"the query has no parameter {name!r}; its parameters: {has}")


class EndpointError(StoreError):
    """A SPARQL endpoint did not answer as it should; `address` is the one asked, without its password."""

    def __init__(self, address: str, reason: str) -> None:
        super().__init__(f"{address}: {reason}")
        self.address, self.reason = address, reason


class EndpointUnreachable(EndpointError):
    """No connection to the endpoint: refused, no such host, no network."""


class EndpointTimedOut(EndpointError):
    """The endpoint did not finish its answer in time."""


class AnswerTooLarge(EndpointError):
    """The endpoint's answer is larger than the cap."""


class EndpointRefused(EndpointError):
    """The endpoint answered with an HTTP status of failure; `status` is its number, `said` the server's
    words.
    """

    def __init__(self, address: str, status: int, said: str) -> None:
        super().__init__(address, f"the endpoint answers with HTTP status {status}: {said or 'no message'}")
        self.status, self.said = status, said


class MalformedAnswer(EndpointError):
    """The endpoint's answer is cut short or is not what SPARQL's protocol prescribes."""


class BadRecord(StoreError):
    """A text that should be N-Quads is not."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place} is not N-Quads: {reason}")
        self.place, self.reason = place, reason
