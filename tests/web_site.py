"""Knows how a test gets a web site of files that are served well, badly, or differently each time."""

import gzip
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from ingest.fetch import Fetched, fetch
from ingest.wire import Patience
from tests.servers import server_that

Serve = Callable[["Visit"], None]

BODY = "".join(
    f"100.{number}. Rule number {number} of a game that nobody plays.\n" for number in range(1, 400)
).encode()


@dataclass(slots=True)
class Site:
    """What each path serves, one behaviour after another (the last one stays), and the requests that came."""

    address: str
    pages: dict[str, list[Serve]] = field(default_factory=dict)
    requests: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)

    def serves(self, *behaviours: Serve, path: str = "/rules.txt") -> str:
        self.pages[path] = list(behaviours)
        return self.address + path

    def paths(self) -> list[str]:
        return [path for path, _ in self.requests]

    def __call__(self, request: BaseHTTPRequestHandler) -> None:
        self.requests.append((request.path, {name.lower(): value for name, value in request.headers.items()}))
        behaviours = self.pages.get(request.path, [])
        if not behaviours:
            return send(Visit(self, request), b"nothing here", 404)
        behaviour = behaviours.pop(0) if len(behaviours) > 1 else behaviours[0]
        behaviour(Visit(self, request))


@dataclass(frozen=True, slots=True)
class Visit:
    """One request to a site."""

    site: Site
    request: BaseHTTPRequestHandler


@contextmanager
def web_site() -> Iterator[Site]:
    site = Site("")
    with server_that(site) as address:
        site.address = address.removesuffix("/query")
        try:
            yield site
        finally:
            site.ended.set()


@dataclass(slots=True)
class Client:
    """Fetches into a cache of its own, and notes the pauses that it was asked for instead of making them."""

    cache: Path
    pauses: list[float] = field(default_factory=list)

    def patience(self, **seconds: float) -> Patience:
        settings = {"connect": 10.0, "stall": 10.0} | seconds
        return Patience(**settings, pause=self.pauses.append)  # type: ignore[arg-type]

    def fetch(self, address: str, patience: Patience | None = None, **options: object) -> Fetched:
        return fetch(address, cache=self.cache, patience=patience or self.patience(), **options)  # type: ignore[arg-type]

    def leftovers(self) -> list[Path]:
        return list(self.cache.rglob("unfinished*"))


def head(visit: Visit, status: int, headers: dict[str, str]) -> None:
    visit.request.send_response(status)
    for name, value in ({"Content-Type": "text/plain"} | headers).items():
        visit.request.send_header(name, value)
    visit.request.end_headers()


def send(visit: Visit, body: bytes = BODY, status: int = 200, **headers: str) -> None:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    head(visit, status, {"Content-Length": str(len(body))} | named)
    visit.request.wfile.write(body)


def sending(body: bytes = BODY, status: int = 200, **headers: str) -> Serve:
    return lambda visit: send(visit, body, status, **headers)


def sending_to(location: str, status: int = 302) -> Serve:
    """A redirect; `{site}` stands for the site's own address."""
    return lambda visit: send(visit, b"", status, Location=location.format(site=visit.site.address))


def sending_parts(*pieces: bytes, announced: int | None = None, then: str = "close", **headers: str) -> Serve:
    """A body in parts, of which `announced` bytes are announced; `then` the server closes, or stalls."""

    def serve(visit: Visit) -> None:
        length = {} if announced is None else {"Content-Length": str(announced)}
        head(visit, 200, length | {name.replace("_", "-"): value for name, value in headers.items()})
        for part in pieces:
            visit.request.wfile.write(part)
            visit.request.wfile.flush()
        visit.request.close_connection = True
        if then == "stall":
            visit.site.ended.wait(30)

    return serve


def stalling_at(byte: int) -> Serve:
    """A body that never comes further than a byte."""
    return sending_parts(BODY[:byte], announced=len(BODY), then="stall")


def parts(body: bytes, size: int) -> list[bytes]:
    return [body[at : at + size] for at in range(0, len(body), size)]


def packed(body: bytes) -> Serve:
    """A body that is said to be packed for the transfer."""
    return sending(body, Content_Encoding="gzip")


def chunked(*pieces: bytes, whole: bool = True) -> Serve:
    framed = [b"%x\r\n%s\r\n" % (len(part), part) for part in pieces]
    return sending_parts(*framed, *([b"0\r\n\r\n"] if whole else []), Transfer_Encoding="chunked")


def hanging_up(visit: Visit) -> None:
    """No answer at all."""
    visit.request.close_connection = True


def babbling(visit: Visit) -> None:
    """Something that is not HTTP."""
    visit.request.wfile.write(b"220 welcome to a mail server\r\n")
    visit.request.close_connection = True


def stalling(visit: Visit) -> None:
    """No answer, with the connection open."""
    visit.site.ended.wait(30)
    visit.request.close_connection = True


def validated(body: bytes, **validators: str) -> Serve:
    """A file that is sent again only to those who do not have it."""

    def serve(visit: Visit) -> None:
        asked = visit.request.headers
        known = (asked.get("If-None-Match"), asked.get("If-Modified-Since"))
        same = known == (validators.get("ETag"), validators.get("Last_Modified"))
        return send(visit, b"", 304, **validators) if same else send(visit, body, **validators)

    return serve


PACKED = gzip.compress(BODY, mtime=0)
