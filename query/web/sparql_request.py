"""Knows how a query comes over HTTP: the three ways of the SPARQL 1.1 Protocol (section 2.1), and no other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl

from pyoxigraph import NamedNode
from starlette.requests import Request

from kb.store import Dataset
from query.sparql.errors import QueryRefused
from query.web.problem import BadRequest

QUERY = "application/sparql-query"
UPDATE = "application/sparql-update"
FORM = "application/x-www-form-urlencoded"
_MOST_FIELDS = 200


@dataclass(frozen=True, slots=True)
class SparqlRequest:
    """A query, and the data set to ask over where the request names one."""

    query: str
    only: Dataset | None


async def read_request(request: Request) -> SparqlRequest | None:
    """The query of a request; None for a GET without one, which asks for the service's description.

    Raises `BadRequest` for what the protocol does not know, and `QueryRefused` for an update.
    """
    fields = _fields(request.scope["query_string"])
    if request.method == "POST":
        return _posted(_media_type(request), await request.body(), fields)
    if _values(fields, "update"):
        raise BadRequest("an update does not come by GET, and this endpoint answers none")
    return _asked(fields) if _values(fields, "query") else None


def _posted(media_type: str, body: bytes, fields: list[tuple[str, str]]) -> SparqlRequest:
    if media_type == FORM:
        posted = _fields(body)
        if _values(posted, "update"):
            raise _refused_update()
        return _asked([*fields, *posted])
    if media_type == QUERY:
        return _asked([*[field for field in fields if field[0] != "query"], ("query", _text(body))])
    if media_type == UPDATE:
        raise _refused_update()
    sent = media_type or "none"
    raise BadRequest(f"a query is posted as {FORM} or {QUERY}; the Content-Type was {sent}", 415)


def _refused_update() -> QueryRefused:
    return QueryRefused("an update", "this endpoint only reads; the content of the store comes from `seerule build`")


def _media_type(request: Request) -> str:
    """The media type of the body; raises `BadRequest` for a charset other than UTF-8, which SPARQL is written in."""
    kind, *parameters = (part.strip().lower() for part in request.headers.get("content-type", "").split(";"))
    charset = next((part[8:].strip('"') for part in parameters if part.startswith("charset=")), "utf-8")
    if charset not in ("utf-8", "utf8", "us-ascii"):
        raise BadRequest(f"SPARQL is sent in UTF-8; the charset was {charset}", 415)
    return kind


def _fields(encoded: bytes) -> list[tuple[str, str]]:
    try:
        text = encoded.decode("ascii")
        return parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=_MOST_FIELDS)
    except UnicodeDecodeError:
        raise BadRequest("the fields of the request are not percent-encoded UTF-8") from None
    except ValueError as error:
        raise BadRequest(f"the fields of the request cannot be read: {error}") from None


def _text(body: bytes) -> str:
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadRequest(f"the query is not UTF-8: {error.reason} at byte {error.start}") from None


def _values(fields: Sequence[tuple[str, str]], name: str) -> list[str]:
    return [value for field, value in fields if field == name]


def _asked(fields: Sequence[tuple[str, str]]) -> SparqlRequest:
    queries = _values(fields, "query")
    if len(queries) != 1:
        raise BadRequest(f"a request holds exactly one query; this one has {len(queries)}")
    default, named = (tuple(map(_graph, _values(fields, f"{kind}-graph-uri"))) for kind in ("default", "named"))
    return SparqlRequest(queries[0], Dataset(default, named) if default or named else None)


def _graph(name: str) -> NamedNode:
    try:
        return NamedNode(name)
    except ValueError:
        raise BadRequest(f"{name!r} is no absolute IRI, which the name of a graph must be") from None
