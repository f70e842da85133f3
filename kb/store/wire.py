"""Knows how to ask an HTTP server without ever waiting too long or swallowing too much."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kb.errors import SeeruleError
from kb.store.addresses import without_password
from kb.store.errors import (
    AnswerTooLarge,
    EndpointRefused,
    EndpointTimedOut,
    EndpointUnreachable,
    MalformedAnswer,
)

if TYPE_CHECKING:
    import httpx

_SAID = 400
"""How much of a server's complaint is shown, in characters."""


@dataclass(frozen=True, slots=True)
class Received:
    """An answer of status 2xx: its media type without parameters, and its body."""

    media_type: str
    body: bytes


@dataclass(slots=True)
class Deadline:
    """A moment after which an exchange is over, whatever phase it is in.

    The time-outs of HTTP clients start again with every byte; a server that sends one byte a second never
    meets them. At the deadline the connection is shut, which wakes whoever waits for it.
    """

    seconds: float
    ends: float = field(init=False)
    passed: bool = False

    def __post_init__(self) -> None:
        self.ends = time.monotonic() + self.seconds

    @contextmanager
    def shutting(self, line: Line) -> Iterator[None]:
        """Shuts the line's connection at the deadline, unless the block has ended by then."""

        def shut() -> None:
            self.passed = True
            line.shut()

        alarm = threading.Timer(self.ends - time.monotonic(), shut)
        alarm.daemon = True
        alarm.start()
        try:
            yield
        finally:
            alarm.cancel()


class Line:
    """One thread's connection to a server, kept between questions.

    `timeout` is in seconds for a whole exchange, `largest` the cap of an answer in bytes.
    """

    def __init__(self, timeout: float, largest: int) -> None:
        try:
            import httpx
        except ImportError as missing:
            raise SeeruleError("a SPARQL endpoint needs httpx: pip install 'seerule[remote]'") from missing
        self.timeout, self.largest = timeout, largest
        self._httpx = httpx
        limits = httpx.Limits(max_connections=1, max_keepalive_connections=1)
        self._client = httpx.Client(timeout=timeout, limits=limits, follow_redirects=False)
        self._socket: socket.socket | None = None

    def ask(
        self,
        method: str,
        address: str,
        *,
        accept: str = "*/*",
        form: Mapping[str, str | list[str]] | None = None,
        parameters: Mapping[str, str] | None = None,
        content: Iterable[bytes] | bytes | None = None,
        content_type: str = "",
        timeout: float | None = None,
    ) -> Received:
        """One exchange; raises a subclass of `EndpointError` when it fails in any way."""
        headers = {"Accept": accept} | ({"Content-Type": content_type} if content_type else {})
        seconds = timeout or self.timeout
        extensions = {"trace": self._trace, "timeout": dict.fromkeys(_PHASES, seconds)}
        request = self._client.build_request(
            method,
            address,
            headers=headers,
            params=parameters,
            data=form,
            content=content,
            extensions=extensions,
        )
        shown, deadline = without_password(address), Deadline(seconds)
        try:
            with deadline.shutting(self):
                return self._exchange(request, shown)
        except self._httpx.TransportError as error:
            if deadline.passed or isinstance(error, self._httpx.TimeoutException):
                raise EndpointTimedOut(shown, f"no whole answer within {seconds:g} s") from error
            raise self._failure(error, shown) from error

    def _exchange(self, request: httpx.Request, shown: str) -> Received:
        response = self._client.send(request, stream=True)
        try:
            body = bytearray()
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > self.largest:
                    raise AnswerTooLarge(shown, f"the answer is larger than {self.largest:,} bytes")
        finally:
            response.close()
        if not response.is_success:
            raise EndpointRefused(shown, response.status_code, _said(response, bytes(body)))
        return Received(response.headers.get("content-type", "").partition(";")[0].strip().lower(), bytes(body))

    def _failure(self, error: httpx.TransportError, shown: str) -> Exception:
        if isinstance(error, self._httpx.ConnectError | self._httpx.UnsupportedProtocol):
            return EndpointUnreachable(shown, f"cannot be reached: {error}")
        if isinstance(error, self._httpx.RemoteProtocolError | self._httpx.DecodingError):
            return MalformedAnswer(shown, f"the answer is cut short or is not HTTP: {error}")
        return EndpointUnreachable(shown, f"the connection broke: {error or type(error).__name__}")

    def _trace(self, event: str, info: dict[str, Any]) -> None:
        """Remembers the connection's socket, which `shut` needs."""
        if event.startswith("connection.") and event.endswith(".complete") and "return_value" in info:
            self._socket = info["return_value"].get_extra_info("socket")

    def shut(self) -> None:
        """Breaks the connection off, from any thread."""
        if self._socket is not None:
            try:
                self._socket.shutdown(socket.SHUT_RDWR)
            except OSError:
                return  # the other side was faster

    def close(self) -> None:
        """Ends the connection."""
        self._client.close()


_PHASES = ("connect", "read", "write", "pool")


def _said(response: httpx.Response, body: bytes) -> str:
    """A server's complaint in a line: its text, or where a redirect points."""
    if response.is_redirect:
        return f"moved to {response.headers.get('location', 'nowhere')}; give that address instead"
    if "html" in response.headers.get("content-type", ""):
        return response.reason_phrase
    text = " ".join(body.decode("utf-8", "replace").split())
    return text if len(text) <= _SAID else text[:_SAID] + "…"
