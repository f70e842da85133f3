"""Knows that an answer which is made anew for each request changes only with the store: so it has a tag and a date."""

from __future__ import annotations

import re
from email.utils import format_datetime

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from query.web.answers import has_already, volume_of

_MADE_ANEW = re.compile(r"/search|/api/v1(/.*)?|/openapi\.json|/robots\.txt|/sparql/?")
_EACH_TIME = re.compile(rb"(?:NOW|RAND|UUID|BNODE)\s*(?:\(|%28)", re.IGNORECASE)
"""Functions of SPARQL whose value is another one each time."""


class Dated:
    """Gives answers to GET the tag and the date of the store, and 304 to a client that has the answer already; the
    answers of a query that asks for the time or for chance excepted.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if not _is_dated(scope):
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        volume = volume_of(request)
        tag = f'W/"{volume.version}"'
        said = {"ETag": tag, "Last-Modified": format_datetime(volume.modified, usegmt=True)}
        if volume.is_warm and has_already(request, tag, volume):
            fresh = Response(status_code=304, headers={**said, "Vary": "Accept", "Cache-Control": "no-cache"})
            await fresh(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 200 and volume.is_warm:
                headers = MutableHeaders(scope=message)
                for name, value in {**said, "Cache-Control": "no-cache"}.items():
                    headers.setdefault(name, value)
                headers.add_vary_header("Accept")
            await send(message)

        await self.app(scope, receive, sent)


def _is_dated(scope: Scope) -> bool:
    """Whether a request is for an answer that only the store decides."""
    return (
        scope["type"] == "http"
        and scope["method"] == "GET"
        and _MADE_ANEW.fullmatch(scope["path"]) is not None
        and not _EACH_TIME.search(scope["query_string"])
    )
