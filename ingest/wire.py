"""Knows how to ask a web server for a file without ever waiting too long, being led astray or taking half for whole."""

from __future__ import annotations

import socket
import ssl
import sys
import time
import urllib.error
import urllib.request
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, RemoteDisconnected
from typing import Any
from urllib.parse import urlsplit

from ingest.download_errors import (
    BadRedirect,
    CutShort,
    DownloadError,
    NotTheFile,
    TimedOut,
    Unreachable,
)
from ingest.web_address import moved

Advance = Callable[[int, int | None], None]
"""Told how far a transfer is: bytes received, and bytes in all where the server says it."""

_REDIRECTS = (301, 302, 303, 307, 308)
_MOST_REDIRECTS = 8
_CHUNK = 1 << 16
_UNPACKED = 1 << 20  # at most so much of a packed chunk is unpacked at once, whatever it claims to hold


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait, in seconds: to `connect`, through a `stall` without a byte, for the `whole` file, and before
    another of at most `attempts` where the server asks for a pause (`longest_pause`). `pause` does the waiting.
    """

    connect: float = 15.0
    stall: float = 30.0
    whole: float = 3600.0
    longest_pause: float = 60.0
    attempts: int = 3
    pause: Callable[[float], None] = time.sleep


class Answer:
    """A server's answer: the final `address`, its `status` and headers, and the body still to come."""

    def __init__(self, address: str, response: HTTPResponse, patience: Patience) -> None:
        self.address, self.status, self.reason = address, response.status, response.reason
        self._response, self._patience = response, patience
        self.length: int | None = response.length
        self.packing = self.header("Content-Encoding").strip().lower()

    def header(self, name: str) -> str:
        """The value of a header, empty where it was not sent."""
        return self._response.headers.get(name) or ""

    def body(self, advance: Advance) -> Iterator[bytes]:
        """The body in pieces, unpacked; raises `TimedOut`, `CutShort` and `NotTheFile`."""
        if self.packing in ("", "identity"):
            return self._received(advance)
        if self.packing in ("gzip", "x-gzip"):
            return _unpacked(self._received(advance), self.address)
        raise NotTheFile(self.address, f"the answer is packed as {self.packing!r}, which was not asked for")

    def _received(self, advance: Advance) -> Iterator[bytes]:
        expected, done = self.length, 0
        end = time.monotonic() + self._patience.whole
        while chunk := self._next():
            done += len(chunk)
            advance(done, expected)
            yield chunk
            if time.monotonic() > end:
                raise TimedOut(self.address, f"the file did not arrive within {self._patience.whole:g} s")
        if expected is not None and done < expected:
            raise CutShort(self.address, f"the answer broke off after {done:,} of {expected:,} bytes")

    def _next(self) -> bytes:
        try:
            return self._response.read1(_CHUNK)
        except TimeoutError as error:
            raise TimedOut(self.address, f"the server sent nothing for {self._patience.stall:g} s") from error
        except (OSError, HTTPException) as error:
            raise CutShort(self.address, f"the answer broke off ({_words(error)})") from error


@contextmanager
def exchange(address: str, headers: Mapping[str, str], patience: Patience) -> Iterator[Answer]:
    """Asks for `address`, follows redirects, and gives the answer, whatever its status; the caller judges it.

    Raises `Unreachable`, `TimedOut` and `BadRedirect`.
    """
    opener, seen = _opener(patience), [address]
    while True:
        response = _ask(opener, address, headers, patience)
        try:
            if response.status not in _REDIRECTS:
                yield Answer(address, response, patience)
                return
            address = moved(address, response.headers.get("Location") or "")
        finally:
            response.close()
        if address in seen:
            raise BadRedirect(seen[0], f"the server sends in a circle, back to {address}")
        if len(seen) > _MOST_REDIRECTS:
            raise BadRedirect(seen[0], f"the server sends elsewhere more than {_MOST_REDIRECTS} times")
        seen.append(address)


def user_agent() -> str:
    """How this program names itself to servers, as some of them ask."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        own = version("seerule")
    except PackageNotFoundError:
        own = "0"
    return f"seerule/{own} Python/{sys.version_info.major}.{sys.version_info.minor}"


class _PlainConnection(HTTPConnection):
    """A connection that waits for its server as long as it may stall, once it is made."""

    def __init__(self, host: str, *, stall: float, **options: Any) -> None:
        super().__init__(host, **options)
        self._stall = stall

    def connect(self) -> None:
        super().connect()
        self.sock.settimeout(self._stall)


class _SecureConnection(HTTPSConnection):
    """The same over TLS; the handshake is part of connecting."""

    def __init__(self, host: str, *, stall: float, **options: Any) -> None:
        super().__init__(host, **options)
        self._stall = stall

    def connect(self) -> None:
        super().connect()
        self.sock.settimeout(self._stall)


class _Plain(urllib.request.HTTPHandler):
    def __init__(self, stall: float) -> None:
        super().__init__()
        self._stall = stall

    def http_open(self, req: urllib.request.Request) -> HTTPResponse:
        return self.do_open(partial(_PlainConnection, stall=self._stall), req)


class _Secure(urllib.request.HTTPSHandler):
    def __init__(self, stall: float) -> None:
        super().__init__()
        self._stall = stall

    def https_open(self, req: urllib.request.Request) -> HTTPResponse:
        return self.do_open(partial(_SecureConnection, stall=self._stall), req)


def _opener(patience: Patience) -> urllib.request.OpenerDirector:
    """An opener that knows http, https and the user's proxies; neither files nor redirects, which are judged here."""
    opener = urllib.request.OpenerDirector()
    for handler in (urllib.request.ProxyHandler(), _Plain(patience.stall), _Secure(patience.stall)):
        opener.add_handler(handler)
    return opener


def _ask(
    opener: urllib.request.OpenerDirector, address: str, headers: Mapping[str, str], patience: Patience
) -> HTTPResponse:
    request = urllib.request.Request(address, headers=dict(headers))
    try:
        response = opener.open(request, timeout=patience.connect)
    except TimeoutError as error:
        raise TimedOut(address, f"the server did not answer within {patience.stall:g} s") from error
    except (OSError, HTTPException) as error:
        raise _failure(error, address, patience) from error
    assert isinstance(response, HTTPResponse)
    return response


def _failure(error: OSError | HTTPException, address: str, patience: Patience) -> DownloadError:
    """What kept a connection from being made or answered, in words."""
    cause = error.reason if isinstance(error, urllib.error.URLError) else error
    host = urlsplit(address).hostname
    match cause:
        case TimeoutError():
            return TimedOut(address, f"no connection within {patience.connect:g} s")
        case ssl.SSLCertVerificationError():
            trust = "correct this machine's clock or its trusted certificates (SSL_CERT_FILE)"
            return Unreachable(address, f"the server's certificate is not trusted ({cause.verify_message})", trust)
        case ssl.SSLError():
            return Unreachable(address, f"no secure connection ({cause.reason or cause})")
        case socket.gaierror():
            return Unreachable(address, f"no network, or no host {host} ({cause.strerror})")
        case RemoteDisconnected() | ConnectionResetError():
            return CutShort(address, "the server closed the connection without an answer")
        case HTTPException():
            return Unreachable(address, f"the server does not speak HTTP ({_words(cause)})")
        case _:
            return Unreachable(address, f"{host} cannot be reached ({_words(cause)})")


def _words(cause: str | BaseException) -> str:
    said = (cause.strerror if isinstance(cause, OSError) else None) or str(cause)
    return " ".join(said.split()) or type(cause).__name__


def _unpacked(chunks: Iterable[bytes], address: str) -> Iterator[bytes]:
    """What gzipped `chunks` hold, in pieces of bounded size; raises `CutShort` where they are damaged or break off."""
    unpacker = zlib.decompressobj(wbits=31)
    try:
        for chunk in chunks:
            while chunk:
                if unpacker.eof:  # files packed one after another are a packed file
                    unpacker = zlib.decompressobj(wbits=31)
                yield unpacker.decompress(chunk, _UNPACKED)
                chunk = unpacker.unconsumed_tail or unpacker.unused_data
        while rest := unpacker.decompress(b"", _UNPACKED):
            yield rest
    except zlib.error as error:
        raise CutShort(address, f"the packed answer is damaged ({error})") from error
    if not unpacker.eof:
        raise CutShort(address, "the packed answer broke off before its end")
