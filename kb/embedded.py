"""Knows how the embedded outline becomes the content of a home in which nothing has been built."""

from __future__ import annotations

import gzip
import os

import pyoxigraph as ox
from pyoxigraph import Quad, RdfFormat

from kb.catalogue import Holding, catalogue_quads, holding_of
from kb.errors import SeeruleError
from kb.graph import EditionGraph
from kb.home import Home, UnusableHome
from kb.outline import embedded_outline, read_outline
from kb.store import GraphStore, OxigraphStore
from kb.store.errors import NoStore
from kb.vocabulary import Names

_MARK = "outline"  # how the fingerprint of an outline's build begins; that of a real build is a hash


def outline_quads(names: Names) -> tuple[list[Quad], Holding]:
    """The embedded outline as quads, with its catalogue, and what the catalogue says of it."""
    rulebook, links = read_outline(embedded_outline().read_text(encoding="utf-8"))
    quads = list(EditionGraph(rulebook, links, names).quads())
    holding = holding_of(rulebook, len(links), len(quads))
    return [*quads, *catalogue_quads([holding], names)], holding


def open_home(home: Home) -> GraphStore:
    """The store of a home; where nothing has been built yet, the embedded outline.

    The outline is derived once and kept in the home, as a build that the first real one replaces; where the home
    cannot be written or somebody is building in it, it is read into memory. That a home has lost its build, or can
    hold none, is said as a warning of the logger `seerule`: on standard error, unless the program sets it otherwise.
    """
    if home.current() is not None and not _outlived(home):
        return home.open_store()
    if fault := home.fault():
        _warn(fault)
    quads, holding = outline_quads(Names())
    default = [Names().graph(holding.edition)]
    about = {"fingerprint": _fingerprint(), "base": Names().base, "holdings": [holding.as_json()]}
    try:
        if fault:
            raise NoStore(home.path, fault)  # what is left of a lost build is not overwritten by an outline
        with home.new_build() as making:
            making.record.write_bytes(gzip.compress(ox.serialize(quads, format=RdfFormat.N_QUADS) or b"", 1, mtime=0))
            making.commit(default, about)
        return home.open_store()
    except (OSError, SeeruleError) as error:
        if isinstance(error, UnusableHome):
            _warn(str(error))
        store = OxigraphStore.in_memory(default)
        store.engine.bulk_extend(quads)
        return store


def _warn(fault: str) -> None:
    import logging

    logging.getLogger("seerule").warning("seerule: %s. The embedded outline answers, without the text.", fault)


def holds_outline(home: Home) -> bool:
    """Whether the home's current build is an embedded outline."""
    return _described(home).startswith(_MARK)


def _outlived(home: Home) -> bool:
    """Whether the home holds an outline, and not the one that ships with this version or under this base."""
    return holds_outline(home) and _described(home) != _fingerprint()


def _described(home: Home) -> str:
    """The fingerprint of the home's current build; empty where there is none."""
    folder = home.current()
    return str(folder.description().about.get("fingerprint")) if folder is not None else ""


def _fingerprint() -> str:
    """What an outline's build is recognised by: the file it is made from, and the base IRI."""
    path = embedded_outline()
    return f"{_MARK} {path.name} {os.path.getsize(path)} {Names().base}"
