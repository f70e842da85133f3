"""Knows the SPARQL 1.1 Graph Store HTTP Protocol as far as a store that only reads answers it: GET and HEAD."""

from __future__ import annotations

import re
from urllib.parse import quote

from pyoxigraph import NamedNode
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from query.sparql import formats
from query.web.answers import content_type, media_types, volume_of, wanted
from query.web.dump import dumped
from query.web.problem import BadRequest, NoSuchGraph
from query.web.volume import Volume

_RDF = media_types(formats.TRIPLES)
_SUFFIXES = {"ttl": "turtle", "nt": "ntriples", "jsonld": "jsonld", "rdf": "rdfxml"}
_FORM = re.compile(rf"(.+)\.({'|'.join(_SUFFIXES)})")


async def graphs(request: Request) -> Response:
    """A graph named beside the address: `/graphs?graph=IRI`, `/graphs?default` for what a query without FROM sees."""
    asked = request.query_params.getlist("graph")
    default = "default" in request.query_params
    if len(asked) + default != 1:
        raise BadRequest("name one graph: /graphs?graph=IRI, or /graphs?default")
    return await _graph(request, None if default else _named(asked[0]))


async def graph(request: Request) -> Response:
    """A graph by its own address, `/graph/cr/2026-09-25`, and in one form, `/graph/cr/2026-09-25.ttl`."""
    path, volume = request.path_params["path"], volume_of(request)
    name, suffixed = _addressed(volume, path), _FORM.fullmatch(path)
    if suffixed is None or name in await _counts(volume):
        return await _graph(request, name)
    return await _graph(request, _addressed(volume, suffixed[1]), _SUFFIXES[suffixed[2]])


def _addressed(volume: Volume, path: str) -> NamedNode:
    return NamedNode(f"{volume.names.base}graph/{quote(path, safe='/~')}")


async def _counts(volume: Volume) -> dict[NamedNode, int]:
    return await run_in_threadpool(lambda: dict(volume.counts))


def _named(name: str) -> NamedNode:
    try:
        return NamedNode(name)
    except ValueError:
        raise BadRequest(f"{name!r} is no absolute IRI, which the name of a graph must be") from None


async def _graph(request: Request, name: NamedNode | None, form: str | None = None) -> Response:
    volume, form = volume_of(request), form or wanted(request, _RDF)
    counts = await _counts(volume)
    if name is not None and name not in counts:
        raise NoSuchGraph(name.value, [graph.value for graph in counts])
    chosen = volume.store.default_graphs if name is None else (name,)
    headers = {"Content-Type": content_type(_RDF[form]), "Vary": "Accept"}
    return StreamingResponse(dumped(volume.store, chosen, form), headers=headers)
