"""Knows how long a connection may stay without a whole request head, which the server itself does not limit."""

from __future__ import annotations

import asyncio
from functools import cache

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from query.web.setting import Setting


@cache
def _patience() -> float:
    """Seconds that a client has for the head of its request."""
    return Setting.from_environment().patience


class Connection(HttpToolsProtocol):
    """uvicorn's protocol, which hangs up on a client that does not send the whole head of its request in time."""

    _alarm: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has come; its first request must follow."""
        super().connection_made(transport)
        self._await_head()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._await_head()

    def on_headers_complete(self) -> None:
        """The head is whole."""
        self._calm()
        super().on_headers_complete()

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

    def _hang_up(self) -> None:
        if self.transport is not None and not self.transport.is_closing():
            self.transport.close()
