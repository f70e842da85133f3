"""Knows the SPARQL endpoint `/sparql`: queries in, answers in the form the client wants, a page for people."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from pyoxigraph import Literal, NamedNode
from starlette.requests import Request
from starlette.responses import Response

from kb.errors import SeeruleError
from kb.store import Answer, Dataset, Triples
from kb.store.results import Term
from kb.store.words import declared, form, prefixes, tokens
from kb.vocabulary import PREFIXES
from query.sparql import formats
from query.sparql.errors import ResultTooLarge
from query.sparql.evaluate import Evaluator
from query.sparql.named import named_queries, named_query
from query.sparql.table import cell
from query.web.answers import content_type, media_types, shown, volume_of, wanted, wants_html
from query.web.problem import BadRequest, Problem, problem_of
from query.web.service_description import service_description
from query.web.sparql_request import SparqlRequest, read_request

MOST_ROWS = 500
"""How many rows the page shows; the other forms are whole."""

_ABSOLUTE = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]*:")
_ROWS = media_types(formats.ROWS)
_TRIPLES = media_types(formats.TRIPLES)
_ALSO_JSON = {"json also": "application/json"}
_ALSO_XML = {"xml also": "application/xml"}


async def sparql(request: Request) -> Response:
    """Answers a query, describes the service, or shows the page on which queries are written."""
    if wants_html(request) and "as" not in request.query_params:
        return await _page(request)
    asked = await read_request(request)
    if asked is None:
        return await service_description(request)
    form_wanted = _form_wanted(request, offered(asked.query))
    query = _complete(asked.query, request)

    most = request.app.state.setting.query_rows

    def written(evaluator: Evaluator) -> formats.Written:
        return evaluator.written(query, form_wanted, limit=most, only=asked.only)

    found = await volume_of(request).queries.ask(written)
    if found.truncated:  # part of an answer would look like the whole
        raise ResultTooLarge(f"{most:,} rows for its answer")
    return _sent(found, request)


def _form_wanted(request: Request, forms: Mapping[str, str]) -> str:
    """The form that the address names by `as`, for those who follow a link, or the one that the client likes best.

    Raises `BadRequest` and `NoSuchForm`.
    """
    chosen = request.query_params.get("as")
    if chosen is None:
        return wanted(request, forms).removesuffix(" also")
    if chosen not in forms:
        names = ", ".join(name for name in forms if " " not in name)
        raise BadRequest(f"as={chosen}: this query can be answered as {names}")
    return chosen


def _sent(found: formats.Written, request: Request) -> Response:
    """An answer under the very name that the client gave to its form, where that is a plainer one."""
    accept = request.headers.get("accept", "")
    plain = {"json": "application/json", "xml": "application/xml"}.get(found.format, "")
    media_type = plain if plain and plain in accept and found.media_type not in accept else found.media_type
    return Response(found.body, headers={"Content-Type": content_type(media_type), "Vary": "Accept"})


def offered(query: str) -> Mapping[str, str]:
    """The forms in which a query can be answered, the first the one for a client that does not care.

    >>> list(offered("ASK {}"))[0], list(offered("DESCRIBE <urn:x>"))[0]
    ('json', 'turtle')
    """
    if form(query) in ("CONSTRUCT", "DESCRIBE"):
        return _TRIPLES
    return _ROWS | _ALSO_JSON | _ALSO_XML


async def _page(request: Request) -> Response:
    """The page with the query, its answer as a table, and the named queries."""
    problem, asked, answer = None, None, None
    try:
        asked = await read_request(request)
        if asked is not None:
            answer = await volume_of(request).queries.ask(_reading(_complete(asked.query, request), asked.only))
    except SeeruleError as error:
        problem = problem_of(error)
    names = _names(request, asked, answer, problem)
    return await shown(request, "sparql.html", problem.status if problem else 200, here="/sparql", **names)


def _reading(query: str, only: Dataset | None) -> Callable[[Evaluator], Answer]:
    def read(evaluator: Evaluator) -> Answer:
        return evaluator.answer(query, limit=MOST_ROWS, only=only)

    return read


def _complete(query: str, request: Request) -> str:
    """A query with the prefixes that it uses undeclared; one with relative IRIs gets the address that it was sent to
    as their base (RFC 3986, section 5.1.3).
    """
    relative = any(kind == "iri" and not _ABSOLUTE.match(text) for kind, text in tokens(query))
    base = f"BASE <{request.app.state.setting.address}/sparql> " if relative else ""
    return base + declared(query, PREFIXES)


def _names(
    request: Request, asked: SparqlRequest | None, answer: Answer | None, problem: Problem | None
) -> dict[str, Any]:
    text = asked.query if asked is not None else request.query_params.get("query", _named(request))
    head, rows = _table(answer, PREFIXES | prefixes(text), volume_of(request).names.base)
    forms = _TRIPLES if isinstance(answer, Triples) else _ROWS
    return {
        "query": text,
        "answer": answer,
        "head": head,
        "rows": rows,
        "truncated": answer is not None and not isinstance(answer, bool) and answer.truncated,
        "most_rows": MOST_ROWS,
        "problem": problem,
        "forms": forms,
        "named": tuple(named_queries().values()),
        "prefixes": PREFIXES,
    }


def _named(request: Request) -> str:
    """The named query that the page is to begin with, with its defaults filled in where all have one."""
    name = request.query_params.get("name")
    if not name:
        return ""
    query = named_query(name)
    if all(parameter.default is not None for parameter in query.parameters):
        return query.filled({})
    return query.sparql


def _table(
    answer: Answer | None, shortening: Mapping[str, str], base: str
) -> tuple[list[str], list[list[tuple[str, str]]]]:
    """The head and the rows of a table; each cell is its text, and the address that it leads to or nothing."""
    if answer is None or isinstance(answer, bool):
        return [], []
    if isinstance(answer, Triples):
        head, rows = ["subject", "predicate", "object"], [(t.subject, t.predicate, t.object) for t in answer]
        return head, [[_cell(term, shortening, base) for term in row] for row in rows]
    return list(answer.variables), [[_cell(term, shortening, base) for term in row] for row in answer]


def _cell(term: Term | None, shortening: Mapping[str, str], base: str) -> tuple[str, str]:
    """A cell; what is named under this site's own base leads to its page."""
    text = cell(term, shortening)
    if isinstance(term, Literal):
        return text, ""
    own = isinstance(term, NamedNode) and term.value.startswith(f"{base}id/")
    if own and isinstance(term, NamedNode):
        rest = term.value.removeprefix(base)
        return rest.removeprefix("id/"), f"/{rest}"
    return text, ""
