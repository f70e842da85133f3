"""Knows why a query of somebody else's is not answered: refused, out of time, too large."""

from __future__ import annotations

from kb.store.errors import QueryError


class QueryRefused(QueryError):
    """The query asks for something that is not allowed; `what` names it in SPARQL's words."""

    def __init__(self, what: str, reason: str) -> None:
        super().__init__(f"{what} is refused: {reason}")
        self.what = what


class QueryTimedOut(QueryError):
    """The query did not end within its limit; it has been ended."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"the query did not end within {seconds:g} s and was ended; narrow it or raise --timeout")
        self.seconds = seconds


class ResultTooLarge(QueryError):
    """The answer, or what it takes to find it, is larger than the cap."""

    def __init__(self, size: str) -> None:
        super().__init__(f"the query needs more than {size}; narrow it, or ask for fewer rows with --limit")


class QueryFailed(QueryError):
    """The engine gave up on the query."""


class UnknownQuery(QueryError):
    """No named query has this name."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        import difflib

        close = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(close)}?" if close else f"there are: {', '.join(known) or 'none'}"
        super().__init__(f"there is no named query {name!r}; {hint}")


class BadParameter(QueryError):
    """A parameter of a named query is missing, unknown, or no value of its kind."""


class BadNamedQuery(QueryError):
    """A file of a named query is not written as it must be."""
