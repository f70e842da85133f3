"""Knows how an answer is sent: conditionally, packed, kept, and with what a cache must know of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from email.utils import format_datetime, parsedate_to_datetime
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from query.web.kept import Packed
from query.web.negotiation import best
from query.web.problem import NoSuchForm
from query.web.rendering import page
from query.web.volume import Volume


def volume_of(request: Request) -> Volume:
    """The open store, lent to this request."""
    lent: Volume = request.scope["state"]["volume"]
    return lent


def wanted(request: Request, offered: Mapping[str, str]) -> str:
    """The name of the form, of `offered` names with their media types, that the client likes best.

    Raises `NoSuchForm`.
    """
    found = best(request.headers.get("accept", ""), list(offered.values()))
    if found is None:
        raise NoSuchForm(list(offered.values()))
    return next(name for name, kind in offered.items() if kind == found)


def wants_html(request: Request) -> bool:
    """Whether the client is a browser: likes HTML best and says so."""
    accept = request.headers.get("accept", "")
    return "text/html" in accept and best(accept, ["application/json", "text/html"]) == "text/html"


async def kept(
    request: Request,
    name: Hashable,
    media_type: str,
    make: Callable[[], bytes],
    headers: Mapping[str, str] | None = None,
) -> Response:
    """The answer called `name`, made once for each build of the store, or 304 where the client has it already.

    In the first second, before everything is read that a page can show, nobody keeps it.
    """
    volume = volume_of(request)
    tag = f'W/"{volume.version}"'
    said = {
        "ETag": tag,
        "Last-Modified": format_datetime(volume.modified, usegmt=True),
        "Cache-Control": "public, max-age=60, stale-while-revalidate=600",
        "Vary": "Accept, Accept-Encoding",
        **(headers or {}),
    }
    if not volume.is_warm:
        packed = await run_in_threadpool(lambda: Packed.of(media_type, make()))
        return _unpacked_for(request, packed, {**said, "Cache-Control": "no-store"})
    if has_already(request, tag, volume):
        return Response(status_code=304, headers=said)
    found = volume.pages.get(name)
    if found is None:
        found = await run_in_threadpool(lambda: Packed.of(media_type, make()))
        volume.pages.put(name, found)
    return _unpacked_for(request, found, said)


async def shown(request: Request, template: str, status: int = 200, **names: Any) -> Response:
    """A page that is made anew for each request, since it answers what somebody wrote."""
    body = await run_in_threadpool(lambda: page(template, volume_of(request), **names))
    return Response(body, status, media_type="text/html", headers={"Vary": "Accept", "Cache-Control": "no-cache"})


def has_already(request: Request, tag: str, volume: Volume) -> bool:
    """Whether the client's copy is of this build (RFC 9110, section 13.2.2)."""
    tags = request.headers.get("if-none-match")
    if tags is not None:
        return tags.strip() == "*" or tag in [given.strip() for given in tags.split(",")]
    since = request.headers.get("if-modified-since")
    try:
        return since is not None and parsedate_to_datetime(since) >= volume.modified
    except (ValueError, TypeError):
        return False  # a date that cannot be read is not there


def content_type(media_type: str) -> str:
    """A media type as a header has it: of a text, with its charset.

    >>> content_type("text/csv; charset=utf-8"), content_type("application/json")
    ('text/csv; charset=utf-8', 'application/json')
    """
    kind = media_type.partition(";")[0]
    return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind


def media_types(kinds: Mapping[str, Any]) -> dict[str, str]:
    """The media types of the engine's formats, by name, without parameters."""
    return {name: kind.media_type.partition(";")[0] for name, kind in kinds.items()}


def _unpacked_for(request: Request, packed: Packed, headers: Mapping[str, str]) -> Response:
    kind = {"Content-Type": content_type(packed.media_type)}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed.gzipped, headers={**headers, **kind, "Content-Encoding": "gzip"})
    return Response(packed.body, headers={**headers, **kind})
