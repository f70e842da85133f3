"""Knows the stages of a build, in order: read, audit, write as triples, catalogue, derive the store, swap it in.

files -> Rulebook -> findings -> N-Quads -> record -> store        (a stage that fails leaves the old build)
"""

from __future__ import annotations

import gzip
import hashlib
import shutil
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

from ingest.card_build import Beside, CardBuild, CardHolding, Editions
from ingest.editions import BuildRefused as BuildRefused
from ingest.editions import Part, Progress, packed, read_editions
from ingest.revisions import revisions
from kb.catalogue import Holding, catalogue_quads, current
from kb.errors import SeeruleError
from kb.home import Home
from kb.store import GraphStore
from kb.vocabulary import STATED, Names


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a build is made from: official files of editions, of cards and of rulings, by path.

    `add` keeps what the home already holds, `force` reads editions whose structure is broken, `base` is the base IRI;
    `inference` names what `infer` of `build_home` does, so that another inference makes another build.
    """

    editions: tuple[Path, ...]
    add: bool = False
    force: bool = False
    base: str | None = None
    cards: tuple[Path, ...] = ()
    rulings: tuple[Path, ...] = ()
    inference: str = ""

    def fingerprint(self) -> str:
        """The SHA-256 of everything the result depends on: the files, the options and this program."""
        digest = hashlib.sha256(f"{self.add} {self.force} {Names(self.base).base} {self.inference}".encode())
        for kind in (self.editions, self.cards, self.rulings, _program()):
            for path in kind:
                with open(path, "rb") as file:
                    digest.update(path.name.encode() + b"\0" + hashlib.file_digest(file, "sha256").digest())
            digest.update(b"\0")
        return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build made: every edition the home now holds, which is current, and what was left as it was.

    `unchanged` says that the home already held just this; `same` names files that repeat an edition word for word.
    """

    holdings: tuple[Holding, ...]
    quads: int
    unchanged: bool = False
    same: tuple[str, ...] = ()
    cards: CardHolding | None = None

    @property
    def current(self) -> str:
        """The edition that a query sees when it names none."""
        return current(self.holdings).edition


Inference = Callable[[GraphStore, Path, Names, str, Progress], Iterable[bytes]]
"""What is inferred from a store and its index by its current edition, as gzipped N-Quads, piece by piece."""


def build_home(
    inputs: Inputs, home: Home, progress: Progress = lambda step: None, infer: Inference | None = None
) -> BuildReport:
    """Builds the home's store from `inputs`, all or nothing, and makes it current; what `infer` finds is added last.

    Raises `BuildRefused` with every file that is no whole edition, and what `Home.new_build` raises.
    """
    fingerprint = inputs.fingerprint()
    known = _held(home)
    if known is not None and known.fingerprint == fingerprint:
        return BuildReport(known.holdings, known.quads, unchanged=True, cards=known.cards)
    names = Names(inputs.base)
    with home.new_build() as making, TemporaryDirectory(dir=making.path) as folder:
        parts, same = read_editions(inputs.editions, inputs.force, names, Path(folder), progress)
        holdings = [part.holding for part in parts]
        kept = _kept(known, holdings) if inputs.add and known is not None else []
        cards, written = _write_cards(inputs, home, known, parts, kept, names, Path(folder), progress)
        holdings += kept
        with open(making.record, "wb") as record:  # gzip files one after another are a gzip file
            _keep(home, kept, names, record)
            for path in (*(part.path for part in parts), *written):
                with open(path, "rb") as quads:
                    shutil.copyfileobj(quads, record, 1 << 20)
            progress("finding what became of each rule from edition to edition")
            _write_revisions(parts, kept, home, names, record)
            record.write(packed(catalogue_quads(holdings, names)))
        progress("deriving the store from the record")
        ordered = tuple(sorted(holdings, key=lambda holding: holding.edition))
        about: dict[str, Any] = {"fingerprint": fingerprint, "base": names.base}
        about |= {"holdings": [held.as_json() for held in ordered], "cards": cards.as_json() if cards else None}
        beside = [names.collection(name) for name in STATED] if cards else []
        newest = current(ordered).edition
        asked = None if infer is None else partial(_inferred, infer, names, newest, progress)
        passages = {part.holding.edition: part.passages for part in parts}
        described = making.commit([names.graph(newest), *beside], about, asked, passages)
    return BuildReport(ordered, described.quads, same=tuple(same), cards=cards)


def _write_revisions(
    parts: Sequence[Part], kept: Sequence[Holding], home: Home, names: Names, record: BinaryIO
) -> None:
    """Aligns every edition, new or kept, with the one before it."""
    texts = {held.edition: None for held in kept} | {part.holding.edition: part.words for part in parts}
    for revised in revisions(texts, home, names):
        record.write(packed(revised))


def _inferred(
    infer: Inference, names: Names, edition: str, progress: Progress, store: GraphStore, index: Path
) -> Iterable[bytes]:
    return infer(store, index, names, edition, progress)


def _write_cards(
    inputs: Inputs,
    home: Home,
    known: _Held | None,
    parts: Sequence[Part],
    kept: Sequence[Holding],
    names: Names,
    folder: Path,
    progress: Progress,
) -> tuple[CardHolding | None, list[Path]]:
    """Cards and rulings, from files or as the old build has them, read by the newest edition of the new build."""
    current_build = home.current()
    old = current_build.record if inputs.add and current_build is not None else None
    making = CardBuild(inputs.cards, inputs.rulings, old, known.cards if known and old else None, names)
    if not making.wanted:
        return None, []
    progress("reading cards and rulings")
    files = {part.holding.edition: part.source for part in parts}
    editions = Editions(files, old, [holding.edition for holding in kept], names)
    with Beside(making.write, editions, folder) as beside:  # its memory is free again when the store is derived
        holding, written = beside.result()
    return holding, written


@dataclass(frozen=True, slots=True)
class _Held:
    """What the home's current build says of itself."""

    fingerprint: str
    holdings: tuple[Holding, ...]
    quads: int
    cards: CardHolding | None


def _held(home: Home) -> _Held | None:
    """What the home's current build holds, if there is one that can be read."""
    folder = home.current()
    if folder is None:
        return None
    with suppress(SeeruleError):
        described = folder.description()
        holdings = tuple(Holding.from_json(said) for said in described.about.get("holdings", ()))
        cards = described.about.get("cards")
        return _Held(
            str(described.about.get("fingerprint")),
            holdings,
            described.quads,
            CardHolding.from_json(cards) if cards else None,
        )
    return None


def _kept(known: _Held, new: Sequence[Holding]) -> list[Holding]:
    """The editions of the old build that the new one does not replace; an outline never stays beside the official
    text.
    """
    editions = {holding.edition for holding in new}
    return [holding for holding in known.holdings if holding.edition not in editions and not holding.outline]


def _keep(home: Home, kept: Sequence[Holding], names: Names, record: BinaryIO) -> None:
    """Copies the named graphs of the editions that stay from the old record."""
    stays = tuple(f"{names.graph(holding.edition)} .\n".encode() for holding in kept)
    folder = home.current()
    if folder is not None and stays:
        with gzip.open(folder.record) as lines, gzip.GzipFile("", "wb", 1, record, mtime=0) as packed_record:
            packed_record.writelines(line for line in lines if line.endswith(stays))


def _program() -> list[Path]:
    """The files of this program that decide what a build holds."""
    here = Path(__file__).resolve().parent
    return sorted(path for room in (here, here.parent / "kb") for path in room.rglob("*.py"))
