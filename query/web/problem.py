"""Knows how a fault is told over HTTP: its status, and a problem document (RFC 9457) with what was perhaps meant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from http import HTTPStatus
from typing import Any

from kb.errors import SeeruleError
from kb.store.errors import EndpointError, EndpointTimedOut, QueryError, StoreError
from query.errors import (
    AmbiguousCard,
    AmbiguousName,
    NoCards,
    UnknownCard,
    UnknownEdition,
    UnknownEntry,
    UnknownKeyword,
)
from query.follow import NoPath
from query.sparql.errors import QueryFailed, QueryRefused, QueryTimedOut, ResultTooLarge, UnknownQuery
from query.web.addresses import card_page, document, keyword_page
from query.web.query_pool import TooManyQueries

MEDIA_TYPE = "application/problem+json"


class NotBuilt(SeeruleError):
    """The store has no data of this kind."""

    def __init__(self, what: str, how: str) -> None:
        super().__init__(f"{what} are not in this store. {how}")


class NoSuchGraph(SeeruleError):
    """The store has no graph of that name."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        from difflib import get_close_matches

        close = get_close_matches(name, known, 3) or list(known[-3:])
        super().__init__(f"there is no graph <{name}>; there are such as {', '.join(f'<{graph}>' for graph in close)}")


class NoSuchForm(SeeruleError):
    """There is no form of the answer that the client would take; `offered` are those there are."""

    def __init__(self, offered: Sequence[str]) -> None:
        super().__init__(f"there is no form of this that your Accept header allows; there are: {', '.join(offered)}")
        self.offered = tuple(offered)


class BadRequest(SeeruleError):
    """The request is not one that this address answers; `status` says in which way."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that was perhaps meant: what it is called and the address of its page."""

    label: str
    address: str


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault: `type` names its kind and leads to its explanation, `detail` says what happened and what to do next."""

    type: str
    title: str
    status: int
    detail: str
    did_you_mean: tuple[Choice, ...] = ()
    retry_after: int | None = None

    def as_json(self) -> dict[str, Any]:
        """The problem as a JSON object, without what it does not say."""
        return {name: value for name, value in asdict(self).items() if value not in ((), None)}


_STATUS: tuple[tuple[type[Exception], int], ...] = (
    (UnknownEntry, 404),
    (NoCards, 404),
    (AmbiguousCard, 300),
    (UnknownEdition, 404),
    (UnknownQuery, 404),
    (NotBuilt, 404),
    (NoSuchGraph, 404),
    (NoPath, 404),
    (AmbiguousName, 300),
    (NoSuchForm, 406),
    (QueryRefused, 403),
    (QueryTimedOut, 504),
    (ResultTooLarge, 422),
    (QueryFailed, 422),
    (TooManyQueries, 503),
    (EndpointTimedOut, 504),
    (EndpointError, 502),
    (QueryError, 400),
    (StoreError, 503),
    (SeeruleError, 400),
)
"""The status of each kind of fault; the first kind that fits decides."""


_WHERE: tuple[tuple[tuple[type[Exception], ...], Callable[[str], str]], ...] = (
    ((UnknownCard, AmbiguousCard), card_page),
    ((UnknownKeyword,), keyword_page),
)
"""Where the pages are of what a fault offers, if they are none of the rules and the glossary."""


def problem_of(error: SeeruleError) -> Problem:
    """What is told of a fault that the user can act on.

    >>> problem_of(UnknownEntry("no rule is called 'flyin'", ["flying"])).as_json()["did_you_mean"]
    ({'label': 'flying', 'address': '/cr/flying'},)
    """
    status = getattr(error, "status", None) or next(status for kind, status in _STATUS if isinstance(error, kind))
    kind = "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in type(error).__name__).strip("-")
    title = (type(error).__doc__ or "A fault").partition(".")[0].partition(";")[0]
    close = [*getattr(error, "close", ()), *getattr(error, "keys", ())]
    where = next((where for kinds, where in _WHERE if isinstance(error, kinds)), document)
    choices = tuple(Choice(name, where(name)) for name in close)
    choices += tuple(_place(key, edition) for key, edition in getattr(error, "places", ()))
    return Problem(
        f"/problem/{kind}", title, status, _for_the_web(str(error)), choices, getattr(error, "retry_after", None)
    )


_OPTIONS = (
    ("narrow it or raise --timeout", "narrow it, or ask for less with LIMIT"),
    ("ask for fewer rows with --limit", "ask for fewer rows with LIMIT"),
    ("needs --parameter ", "needs "),
    (". Add one with: seerule build --add FILE", ""),
)


def _for_the_web(sentence: str) -> str:
    """A sentence of the command line without its options, which those who ask over the web do not have.

    >>> _for_the_web("it was ended; narrow it or raise --timeout")
    'it was ended; narrow it, or ask for less with LIMIT'
    """
    for said, meant in _OPTIONS:
        sentence = sentence.replace(said, meant)
    return sentence


def _place(key: str, edition: str | None) -> Choice:
    """An entry of an edition, by default the newest one."""
    called = key if key[0].isdigit() else key.removeprefix("term/").replace("-", " ")
    return Choice(f"{called}, edition of {edition}" if edition else f"{called}, today", document(key, edition))


def problem_of_status(status: int, detail: str = "") -> Problem:
    """What is told where only the status is known.

    >>> problem_of_status(405).title
    'Method Not Allowed'
    """
    phrase = HTTPStatus(status).phrase
    return Problem("about:blank", phrase, status, detail or HTTPStatus(status).description or phrase)
