"""Knows where the things that the data names are told of: each address under `/id` leads to a document (303), and what
has no page of its own (methods, tags, formats) is shown as the graphs describe it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote

from pyoxigraph import Literal, NamedNode, Quad
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from kb.store import Triples
from kb.vocabulary import COLLECTIONS, DCTERMS, OA, PREFIXES, RDF, SKOS, SR
from query.errors import UnknownEntry
from query.sparql.formats import write
from query.sparql.table import cell
from query.web.addresses import FORMS
from query.web.answers import kept, volume_of, wanted
from query.web.problem import BadRequest
from query.web.rendering import page
from query.web.volume import Volume

KINDS = frozenset({"card", "cr", "data-set", "format", "keyword", "method", "ruling", "source", "tag", "term"})
_ELSEWHERE = {"source": "/about#sources", "data-set": "/void"}
_RDF = {"ttl": "turtle", "nt": "ntriples", "jsonld": "jsonld"}
DESCRIBED = {form: FORMS[form] for form in ("html", *_RDF)}
"""The forms of a description."""

_FORM = re.compile(rf"(.+)\.({'|'.join(DESCRIBED)})")
_OF_RULING = re.compile(r"([^/]+)/(?:citation|mention|reference)/\d+(?:/evidence/\d+)?")
_OF_FACE = re.compile(r"(.+)/face/(\d+)(?:/use/\d+)?")
_OF_BOOK = re.compile(r"(\d{4}-\d\d-\d\d)/(?:introduction|front|credits|contents|heads)/\d+")


async def thing(request: Request) -> Response:
    """The address of a thing leads to the document about it (303), in the form that the client wants."""
    kind, rest = request.path_params["kind"], request.path_params.get("path", "")
    if kind not in KINDS:
        raise BadRequest(f"there is nothing of the kind {kind!r}; there are: {', '.join(sorted(KINDS))}", 404)
    return RedirectResponse(told_at(kind, rest), 303)


def told_at(kind: str, rest: str) -> str:
    """The address of the document that tells of a thing; a part of a thing is told of where the thing is.

    >>> told_at("cr", "702.19b"), told_at("ruling", "0123/citation/1/evidence/2"), told_at("card", "k/face/2/use/1")
    ('/cr/702.19b', '/ruling/0123', '/card/k#face-2')
    """
    if kind in _ELSEWHERE:
        return _ELSEWHERE[kind]
    place = ""
    if kind == "ruling" and (part := _OF_RULING.fullmatch(rest)):
        rest = part[1]
    elif kind == "card" and (part := _OF_FACE.fullmatch(rest)):
        rest, place = part[1], f"#face-{part[2]}"
    elif kind == "cr" and (part := _OF_BOOK.fullmatch(rest)):
        rest = part[1]
    return quote(f"/{kind}/{rest}".rstrip("/"), safe="/~") + place


async def described(request: Request) -> Response:
    """What the graphs say of a method, a tag or a format."""
    given, form = request.path_params["path"], None
    if suffixed := _FORM.fullmatch(given):
        given, form = suffixed.groups()
    kind, volume = request.scope["route"].path.split("/")[1], volume_of(request)
    group, _, label = given.rpartition("/") if kind != "tag" else given.partition("/")
    node = NamedNode(f"{volume.names.base}id/{kind}/{f'{quote(group)}/' if group else ''}{quote(label, safe='')}")
    quads = await run_in_threadpool(lambda: _said(volume, node))
    if not quads:
        raise UnknownEntry(f"no graph here says anything of a {kind} {given!r}")
    return await as_description(request, (kind, given), form, quads, lambda: _html(request, node, quads))


async def as_description(
    request: Request, name: tuple[str, str], form: str | None, quads: list[Quad], html: Callable[[], bytes]
) -> Response:
    """What is said of a thing, in the form that is asked for by the end of the address or by the Accept header."""
    chosen = form or wanted(request, DESCRIBED)

    def rdf() -> bytes:
        found = Triples(tuple(dict.fromkeys(quad.triple for quad in quads)))
        return write(found, _RDF[chosen], PREFIXES).body

    return await kept(request, ("thing", *name, chosen), FORMS[chosen], html if chosen == "html" else rdf)


def _said(volume: Volume, node: NamedNode) -> list[Quad]:
    return [
        quad for name in COLLECTIONS for quad in volume.store.quads(node, None, None, volume.names.collection(name))
    ]


def said_of_ruling(volume: Volume, key: str) -> list[Quad]:
    """What the graphs say of a ruling: its words, the rules that it prints, what it names and what it rests on."""
    ruling = volume.names.ruling(key)
    found = _said(volume, ruling)
    for graph, predicate in (("rulings", OA.hasSource), ("mentions", OA.hasSource), ("citations", OA.hasTarget)):
        for quad in volume.store.quads(None, predicate, ruling, volume.names.collection(graph)):
            if isinstance(quad.subject, NamedNode):
                part = _said(volume, quad.subject)
                found += part
                for below in part:
                    if below.predicate == OA.hasSelector and isinstance(below.object, NamedNode):
                        found += _said(volume, below.object)
    return found


def _html(request: Request, node: NamedNode, quads: list[Quad]) -> bytes:
    """The page: what is said, in words of the vocabularies, and where to ask for what has to do with it."""
    base = volume_of(request).names.base
    names = [
        quad.object.value
        for predicate in (SKOS.prefLabel, SR.name, DCTERMS.title)
        for quad in quads
        if quad.predicate == predicate and isinstance(quad.object, Literal)
    ]
    kind = node.value.removeprefix(f"{base}id/").partition("/")[0]
    rows = [
        (cell(quad.predicate, PREFIXES), cell(quad.object, PREFIXES), _address(quad.object, base))
        for quad in quads
        if quad.predicate != RDF.type
    ]
    query = f"SELECT ?thing ?how {{ GRAPH ?graph {{ ?thing ?how {node} }} }} LIMIT 200"
    shown = {"kind": kind, "name": next(iter(names), node.value.rpartition("/")[2]), "rows": rows, "query": query}
    return page("thing.html", volume_of(request), iri=node.value, forms=[*_RDF], address=request.url.path, **shown)


def _address(term: object, base: str) -> str:
    own = isinstance(term, NamedNode) and term.value.startswith(f"{base}id/")
    return f"/{term.value.removeprefix(base)}" if own and isinstance(term, NamedNode) else ""
