"""Knows what one build of the graph consists of: a record, the store derived from it, the index, a
description.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from gzip import decompress
from pathlib import Path
from typing import Any, BinaryIO, cast

from pyoxigraph import NamedNode

from kb.errors import SeeruleError
from kb.locks import Lock
from kb.store.errors import BrokenStore, NoStore
from kb.store.oxigraph import OxigraphStore

Infer = Callable[[OxigraphStore, Path], Iterable[bytes]]
"""What follows from a store and its index, as gzipped N-Quads, piece by piece."""

FORMAT = 1
"""The version of this layout; a build of another version is not opened."""


@dataclass(frozen=True, slots=True)
class Description:
    """What `build.json` says: when it was built (UTC), the quads and SHA-256 of the record, the graphs that a
    query without FROM sees, and what the builder has to say about it (`about`: any JSON object).
    """

    created: str
    quads: int
    record_sha256: str
    default_graphs: tuple[str, ...]
    about: Mapping[str, Any]


class BuildFolder:
    """A folder with the files of one build."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.path)!r})"

    @property
    def record(self) -> Path:
        """The graph as gzipped N-Quads: what everything else is derived from."""
        return self.path / "graph.nq.gz"

    @property
    def store(self) -> Path:
        """The Oxigraph store derived from the record."""
        return self.path / "store"

    @property
    def index(self) -> Path:
        """The full-text index (`kb.index`)."""
        return self.path / "index.sqlite"

    @property
    def description_file(self) -> Path:
        """`build.json`, written last: a folder without it is no whole build."""
        return self.path / "build.json"

    @contextmanager
    def open_record(self) -> Iterator[BinaryIO]:
        """The record, open for writing N-Quads as bytes; the same quads give the same file."""
        import gzip

        with (
            open(self.record, "wb") as file,
            gzip.GzipFile("", "wb", compresslevel=1, fileobj=file, mtime=0) as packed,
        ):
            yield cast(BinaryIO, packed)

    def describe(self, default_graphs: Sequence[NamedNode], about: Mapping[str, Any], quads: int) -> Description:
        """Writes and gives back the description of a build whose record and store are whole."""
        import hashlib

        with open(self.record, "rb") as record:
            digest = hashlib.file_digest(record, "sha256").hexdigest()
        created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        names = tuple(graph.value for graph in default_graphs)
        said = {"format": FORMAT, "created": created, "quads": quads, "record_sha256": digest}
        text = json.dumps(said | {"default_graphs": names, "about": dict(about)}, indent=1, ensure_ascii=False)
        self.description_file.write_text(text + "\n", encoding="utf-8")
        return Description(created, quads, digest, names, dict(about))

    def description(self) -> Description:
        """What `build.json` says; raises `BrokenStore` where it is missing, unreadable or of another
        layout.
        """
        try:
            said = json.loads(self.description_file.read_text(encoding="utf-8"))
            if said["format"] != FORMAT:
                raise BrokenStore(self.path, f"its layout is {said['format']!r}, this version reads {FORMAT}")
            graphs = tuple(said["default_graphs"])
            return Description(said["created"], said["quads"], said["record_sha256"], graphs, said["about"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BrokenStore(self.path, f"build.json cannot be read ({error}); build again") from error

    def derive(self, infer: Infer | None = None, passages: Mapping[str, Path] | None = None) -> int:
        """Makes the store and the index from the record, in place of any that are there; the number of its quads.

        What `infer` gives is added to both; the record is gzip files one after another. `passages` are as
        `kb.index_source.derive_index` takes them.
        """
        import shutil

        from kb.index_source import derive_index

        fresh, stale = self.path / "store.new", self.path / "store.old"
        shutil.rmtree(fresh, ignore_errors=True)
        with OxigraphStore.writing(fresh) as store:
            store.load(self.record)
            derive_index(store, self.index, passages)
            self._add(store, infer(store, self.index) if infer is not None else ())
            store.optimize()
            quads = len(store)
        flush_tree(fresh)
        shutil.rmtree(stale, ignore_errors=True)
        if self.store.exists():
            os.rename(self.store, stale)
        os.rename(fresh, self.store)
        shutil.rmtree(stale, ignore_errors=True)
        return quads

    def _add(self, store: OxigraphStore, parts: Iterable[bytes]) -> None:
        """Adds gzipped N-Quads to the record and the store."""
        for part in parts:
            with open(self.record, "ab") as record:
                record.write(part)
            store.load(decompress(part))

    def open_store(self, lock: Lock) -> OxigraphStore:
        """The store, open for reading; the store holds `lock` until it is closed.

        A store that is missing or that this version of the engine cannot open is derived from the record
        again: on disk, or in memory where the folder cannot be written.
        """
        graphs = [NamedNode(graph) for graph in self.description().default_graphs]
        try:
            return OxigraphStore.reading(self.store, graphs, lock.release)
        except (NoStore, BrokenStore):
            if not self.record.is_file():
                raise
        return self._rederived(graphs, lock)

    def _rederived(self, graphs: Sequence[NamedNode], lock: Lock) -> OxigraphStore:
        try:
            mending = Lock.signed(self.path / "mending.lock", wait=True)
        except OSError:
            return self._in_memory(graphs, lock)
        try:
            return OxigraphStore.reading(self.store, graphs, lock.release)  # mended while we waited
        except (NoStore, BrokenStore):
            self.derive()
            return OxigraphStore.reading(self.store, graphs, lock.release)
        finally:
            if mending is not None:
                mending.release()

    def _in_memory(self, graphs: Sequence[NamedNode], lock: Lock) -> OxigraphStore:
        store = OxigraphStore.in_memory(graphs)
        store.load(self.record)
        store.writable = False
        lock.release()
        return store


class UnfinishedBuild(SeeruleError):
    """A build was committed without a record."""


def flush_tree(folder: Path) -> None:
    """Returns once the folder's files and their names are on the disk, not only in the system's memory."""
    for parent, _, names in os.walk(folder):
        for name in names:
            flush(os.path.join(parent, name))
        flush(parent)


def flush(path: str | Path) -> None:
    """Returns once one file, or the names in one folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
