"""Knows how long a connection may stay without a whole request head, and how large that head may be; the server itself
limits neither.
"""

from __future__ import annotations

import asyncio
import json
from functools import cache

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from query.web.problem import MEDIA_TYPE, problem_of_status
from query.web.setting import Setting

LONGEST_TARGET = 32 << 10
"""How many bytes an address may have; a query of SPARQL in it is the longest."""

LARGEST_HEAD = 64 << 10
"""How many bytes the head of a request may have: its first line and its headers."""

_REFUSALS = {
    414: f"the address is longer than {LONGEST_TARGET:,} bytes; send a long query by POST",
    431: f"the head of the request is larger than {LARGEST_HEAD:,} bytes",
}


@cache
def _patience() -> float:
    """Seconds that a client has for the head of its request."""
    return Setting.from_environment().patience


class Connection(HttpToolsProtocol):
    """uvicorn's protocol, which hangs up on a client that does not send the whole head of its request in time, and
    refuses a head that is too large (RFC 9110, section 15.5.15; RFC 6585, section 5) without keeping it.
    """

    _alarm: asyncio.TimerHandle | None = None
    _waiting = True
    _read = 0
    _refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has come; its first request must follow."""
        super().connection_made(transport)
        self._await_head()

    def data_received(self, data: bytes) -> None:
        """Something has come: of a head that is not whole yet, no more than it may have."""
        if self._refused:
            return
        self._read += len(data)
        super().data_received(data)
        if self._waiting and self._read > LARGEST_HEAD:
            self._refuse(414 if not self.headers and len(self.url or b"") > LONGEST_TARGET else 431)

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._waiting, self._read = True, 0
        self._await_head()

    def on_headers_complete(self) -> None:
        """The head is whole."""
        self._calm()
        self._waiting, self._read = False, 0
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if len(self.url) > LONGEST_TARGET or size > LARGEST_HEAD:
            self._refuse(414 if len(self.url) > LONGEST_TARGET else 431)
        if not self._refused:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A part of the body has come; that of a refused request is nobody's."""
        if not self._refused:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is whole; the head of the next one begins from nothing."""
        self._waiting, self._read = True, 0
        if not self._refused:
            super().on_message_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone."""
        self._calm()
        super().connection_lost(exc)

    def _await_head(self) -> None:
        self._calm()
        self._alarm = self.loop.call_later(_patience(), self._hang_up)

    def _calm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _refuse(self, status: int) -> None:
        """Says why, once, and hangs up; what has been asked before on this connection is not answered any more."""
        self._calm()
        if self._refused or self.transport is None or self.transport.is_closing():
            return
        self._refused = True
        problem = problem_of_status(status, _REFUSALS[status])
        body = json.dumps(problem.as_json()).encode()
        head = (
            f"HTTP/1.1 {status} {problem.title}\r\ncontent-type: {MEDIA_TYPE}\r\n"
            f"content-length: {len(body)}\r\nx-content-type-options: nosniff\r\nconnection: close\r\n\r\n"
        )
        if self.cycle is None or self.cycle.response_complete:
            self.transport.write(head.encode() + body)
        self.transport.close()

    def _hang_up(self) -> None:
        if self.transport is not None and not self.transport.is_closing():
            self.transport.close()
