"""Knows the files that a page needs beside itself, by a name that changes with their content."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

FOLDER = Path(__file__).parent
STATIC = FOLDER / "static"
TEMPLATES = FOLDER / "templates"
VENDOR = STATIC / "vendor"
"""The browser parts from npm, which the build of the wheel puts here; every page works without them."""

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}


@dataclass(frozen=True)
class Asset:
    """A file as it is sent: its media type, its content, and the start of its SHA-256."""

    media_type: str
    body: bytes
    digest: str

    @cached_property
    def gzipped(self) -> bytes:
        """The content, packed when it is first asked for."""
        return gzip.compress(self.body, mtime=0)


@cache
def assets() -> dict[str, Asset]:
    """Every file by its path below `/static/`; whatever else is asked for does not exist.

    >>> sorted(name for name in assets() if not name.startswith("vendor/"))
    ['graph.js', 'icon.svg', 'site.css', 'site.js', 'sparql.js', 'swagger.js']
    """
    found = {}
    for path in sorted(STATIC.rglob("*")):
        if path.is_file() and path.suffix in TYPES:
            body = path.read_bytes()
            digest = hashlib.sha256(body).hexdigest()[:10]
            found[path.relative_to(STATIC).as_posix()] = Asset(TYPES[path.suffix], body, digest)
    return found


def address(name: str) -> str:
    """The address of a file, with the start of its hash, so that it may be kept for ever."""
    return f"/static/{name}?v={assets()[name].digest}"


def has(name: str) -> bool:
    """Whether there is a file of that name."""
    return name in assets()


@cache
def fingerprint() -> str:
    """A hash of everything that pages are made with beside the data."""
    said = hashlib.sha256()
    for path in sorted((*TEMPLATES.glob("*"), *FOLDER.glob("*.py"))):
        said.update(path.name.encode() + path.read_bytes())
    for name, asset in assets().items():
        said.update(f"{name} {asset.digest}".encode())
    return said.hexdigest()
