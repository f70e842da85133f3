"""Knows how one setting names a store: memory, a folder, or the address of an endpoint."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from pyoxigraph import NamedNode

from kb.store.errors import UnknownLocation
from kb.store.graph_store import GraphStore
from kb.store.oxigraph import OxigraphStore

MEMORY = "memory:"


def open_store(
    location: str | os.PathLike[str] | None = None,
    *,
    default_graphs: Sequence[NamedNode] | None = None,
    writable: bool = False,
) -> GraphStore:
    """The store that `location` names; None means `$SEERULE_STORE`, or else the default home.

    - `memory:` is an empty store that ends with the process;
    - a folder is a home, whose current build is opened for reading, or an Oxigraph store of its own, which
      `writable` opens for one writer and makes when missing;
    - `http://...` or `https://...` is a SPARQL 1.1 endpoint (`kb.store.addresses.Addresses`).

    `default_graphs`, when given, replace those of the build. Raises `UnknownLocation`, `NoStore`,
    `BrokenStore`.

    >>> open_store("memory:").graphs()
    ()
    """
    named = os.fspath(location) if location is not None else os.environ.get("SEERULE_STORE", "")
    store = _opened(named, writable)
    if default_graphs is not None:
        store.default_graphs = tuple(default_graphs)
    return store


def _opened(named: str, writable: bool) -> GraphStore:
    if named == MEMORY:
        return OxigraphStore.in_memory()
    if re.match(r"https?:", named):
        from kb.store.endpoint import EndpointStore

        return EndpointStore(named)
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]+:", named):
        raise UnknownLocation(named)
    return _in_folder(Path(named).expanduser() if named else None, writable)


def _in_folder(folder: Path | None, writable: bool) -> GraphStore:
    from kb.home import Home

    if folder is not None and writable:
        return OxigraphStore.writing(folder)
    if folder is not None and (folder / "CURRENT").is_file():
        return OxigraphStore.reading(folder)
    return (Home(folder) if folder is not None else Home.default()).open_store()
