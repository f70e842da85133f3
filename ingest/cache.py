"""Knows how fetched files are kept: whole, under their own names, with the address and hash they came with."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from ingest.download_errors import CacheUnwritable
from ingest.web_address import file_name
from kb.locks import Lock

_RECORD = "origin.json"
_UNFINISHED = "unfinished"
_START = 512


@dataclass(frozen=True, slots=True)
class Origin:
    """What is known of a kept file: the address asked for, the server's `etag` and `modified` date (empty where it
    gave none), the file's hash and size in bytes, when it was fetched (UTC), and its place below the entry's folder.
    """

    address: str
    etag: str
    modified: str
    sha256: str
    size: int
    fetched: str
    place: str


class Entry:
    """The place in the cache of one address, or of a series of files of which the newest replaces the others.

        <cache>/<entry>/{origin.json, lock, <hash>/<the file's own name>}

    The record is written last and in one step: whenever the writer is killed, it names a whole file or the one before.
    """

    def __init__(self, cache: Path, name: str) -> None:
        self.folder = cache / hashlib.sha256(name.encode()).hexdigest()[:16]

    def kept(self) -> tuple[Path, Origin] | None:
        """The kept file and its origin; None where there is none or its bytes are no longer those that came."""
        with suppress(OSError, ValueError, TypeError):
            origin = Origin(**json.loads((self.folder / _RECORD).read_text(encoding="utf-8")))
            path = self.folder / origin.place
            with open(path, "rb") as file:
                if hashlib.file_digest(file, "sha256").hexdigest() == origin.sha256:
                    return path, origin
        return None

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Waits until nobody else fetches this file, and keeps others waiting; raises `CacheUnwritable`."""
        with _on_disk(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = Lock.signed(self.folder / "lock", wait=True)
        try:
            yield
        finally:
            if lock is not None:
                lock.release()

    @contextmanager
    def draft(self) -> Iterator[Draft]:
        """A file in the making, removed at the end unless it was kept; only within `locked`, so that what a killed
        writer left is overwritten and nothing else is.
        """
        with _on_disk(self.folder):
            path = self.folder / _UNFINISHED
            file = open(path, "wb", buffering=0)  # noqa: SIM115
        try:
            yield Draft(self, path, file)
        finally:
            with suppress(OSError):
                file.close()
            with suppress(OSError):
                path.unlink(missing_ok=True)

    def remove_all_but(self, kept: Path) -> None:
        """Removes the files that `kept` replaces, under whatever name they came."""
        for path in (*self.folder.iterdir(), *kept.parent.iterdir()):
            if path.is_dir() and path != kept.parent:
                shutil.rmtree(path, ignore_errors=True)
            elif path.parent == kept.parent and path != kept:
                path.unlink(missing_ok=True)


class Draft:
    """A file that is being received: how many bytes it has, and their SHA-256."""

    def __init__(self, entry: Entry, path: Path, file: BinaryIO) -> None:
        self._entry, self._path, self._file = entry, path, file
        self._digest = hashlib.sha256()
        self.size, self.start = 0, b""

    @property
    def sha256(self) -> str:
        """The hash of what has been written, in lower-case hexadecimal digits."""
        return self._digest.hexdigest()

    def write(self, chunk: bytes) -> None:
        """Adds to the file; raises `CacheUnwritable`."""
        with _on_disk(self._entry.folder):
            rest = memoryview(chunk)
            while rest:
                rest = rest[self._file.write(rest) :]
        if len(self.start) < _START:
            self.start += chunk[:_START]
        self._digest.update(chunk)
        self.size += len(chunk)

    def keep(self, address: str, etag: str, modified: str) -> tuple[Path, Origin]:
        """Makes this the entry's file, in one step, and removes the one that it replaces."""
        name = file_name(address)
        if name.endswith(".gz") and not self.start.startswith(b"\x1f\x8b"):
            name = name.removesuffix(".gz")  # packed for the transfer only
        folder = self.sha256[:16]
        fetched = datetime.now(UTC).isoformat(timespec="seconds")
        origin = Origin(address, etag, modified, self.sha256, self.size, fetched, f"{folder}/{name}")
        path = self._entry.folder / origin.place
        with _on_disk(self._entry.folder):
            self._file.close()
            path.parent.mkdir(exist_ok=True)
            os.replace(self._path, path)
            self._path.write_text(json.dumps(asdict(origin), indent=1), encoding="utf-8")
            os.replace(self._path, self._entry.folder / _RECORD)
            self._entry.remove_all_but(path)
        return path, origin


@contextmanager
def _on_disk(folder: Path) -> Iterator[None]:
    """Tells what the disk refuses as `CacheUnwritable`."""
    try:
        yield
    except OSError as error:
        raise CacheUnwritable(folder, error) from error
