"""Knows where the full-text index of a store lies, and how to do without one."""

from __future__ import annotations

import tempfile
from pathlib import Path

from kb.index import Index, NoIndex
from kb.index_source import derive_index
from kb.store import GraphStore, OxigraphStore


def open_index(store: GraphStore, *, derive: bool = True) -> Index:
    """The index beside an embedded store, or one derived for this process where there is none.

    Raises `NoIndex` for the store of a remote engine, and where there is none and `derive` is false.
    """
    if not isinstance(store, OxigraphStore):
        raise NoIndex("a remote store has no full-text index: search in a home (--home DIR), or ask by SPARQL")
    beside = Path(store.location).with_name("index.sqlite")
    if beside.is_file():
        return Index(beside)
    if not derive:
        raise NoIndex(f"there is no full-text index at {beside}")
    with tempfile.TemporaryDirectory() as folder:  # open files outlive their names
        path = Path(folder, "index.sqlite")
        derive_index(store, path)
        return Index(path)


def vectors_folder(store: GraphStore) -> Path | None:
    """Where the meaning of rules is kept: in the home, outside its builds; None for a store without a home."""
    if not isinstance(store, OxigraphStore):
        return None
    builds = Path(store.location).parent.parent
    return builds.parent / "meaning" if builds.name == "builds" else None
