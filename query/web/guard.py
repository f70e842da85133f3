"""Knows what keeps a public server safe: headers that bind the browser, limits on bodies, an end to slow clients."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from query.web.setting import Setting

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
"""What a page of this site may do: nothing that is not from this site, and no script or style inside a page."""

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}

_PIECE = 1 << 16


class TooSlow(Exception):
    """A client did not send or take the next part in time."""


class SafeHeaders:
    """Adds the headers to every answer, and answers HEAD as GET without the body (RFC 9110, section 9.3.2)."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        head = scope["method"] == "HEAD"

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            elif head and message["type"] == "http.response.body":
                message = {"type": "http.response.body", "body": b"", "more_body": message.get("more_body", False)}
            await send(message)

        if head:
            scope["method"] = "GET"
        await self.app(scope, receive, sent)


class Patience:
    """Ends what takes too long or is too large: a body beyond `body_bytes`, a client that stops sending or taking.

    A body is read whole before it is looked at, so that a slow one costs a connection and nothing else.
    """

    def __init__(self, app: ASGIApp, setting: Setting) -> None:
        self.app, self.setting = app, setting

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        try:
            refused, body = await self._read(scope, receive)
        except TooSlow:
            refused, body = 408, b""
        if refused:
            await _refuse(send, refused)
            return
        given = False

        async def received() -> Message:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def sent(message: Message) -> None:
            for piece in _pieces(message):
                await self._in_time(send(piece))

        await self.app(scope, received, sent)

    async def _read(self, scope: Scope, receive: Receive) -> tuple[int, bytes]:
        """The whole body, or the status of a refusal."""
        said = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
        if said.isdigit() and int(said) > self.setting.body_bytes:
            return 413, b""
        body = bytearray()
        ends = asyncio.get_running_loop().time() + self.setting.patience
        while True:
            try:
                async with asyncio.timeout_at(ends):
                    message = await receive()
            except TimeoutError:
                raise TooSlow from None
            body += message.get("body", b"")
            if len(body) > self.setting.body_bytes:
                return 413, b""
            if message["type"] == "http.disconnect" or not message.get("more_body"):
                return 0, bytes(body)

    async def _in_time(self, sending: Awaitable[None]) -> None:
        try:
            await asyncio.wait_for(sending, self.setting.patience)
        except TimeoutError:
            raise TooSlow from None


def _pieces(message: Message) -> list[Message]:
    """A message whose body is cut into pieces, each of which a client must take in time."""
    body = message.get("body", b"") if message["type"] == "http.response.body" else b""
    if len(body) <= _PIECE:
        return [message]
    cut = [body[at : at + _PIECE] for at in range(0, len(body), _PIECE)]
    last = message.get("more_body", False)
    return [
        {"type": message["type"], "body": piece, "more_body": last or at < len(cut) - 1} for at, piece in enumerate(cut)
    ]


async def _refuse(send: Send, status: int) -> None:
    import json

    from query.web.problem import MEDIA_TYPE, problem_of_status

    said = {408: "the request did not arrive in time", 413: "the request is larger than this site takes"}[status]
    body = json.dumps(problem_of_status(status, said).as_json()).encode()
    headers = [
        (b"content-type", MEDIA_TYPE.encode()),
        (b"content-length", b"%d" % len(body)),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
