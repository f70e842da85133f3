"""Knows the stages of a build, in order: read, audit, write as triples, catalogue, derive the store, swap it in.

files -> Rulebook -> findings -> N-Quads -> record -> store        (a stage that fails leaves the old build)
"""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

import pyoxigraph as ox
from pyoxigraph import Quad, RdfFormat

from ingest.audit import Finding, audit
from ingest.card_build import Beside, CardBuild, CardHolding, Editions
from ingest.document import read_rulebook
from kb.catalogue import Holding, catalogue_quads, current, holding_of
from kb.errors import SeeruleError
from kb.graph import EditionGraph
from kb.home import Home
from kb.keyword import keywords_of
from kb.keyword_graph import keyword_quads
from kb.resolution import links
from kb.vocabulary import STATED, Names

Progress = Callable[[str], None]
"""Told in words what the build does next."""

_SHOWN = 5  # findings named in a refusal


class BuildRefused(SeeruleError):
    """Files that are not whole editions, or contradict each other; nothing was built."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a build is made from: official files of editions, of cards and of rulings, by path.

    `add` keeps what the home already holds, `force` reads editions whose structure is broken, `base` is the base IRI.
    """

    editions: tuple[Path, ...]
    add: bool = False
    force: bool = False
    base: str | None = None
    cards: tuple[Path, ...] = ()
    rulings: tuple[Path, ...] = ()

    def fingerprint(self) -> str:
        """The SHA-256 of everything the result depends on: the files, the options and this program."""
        digest = hashlib.sha256(f"{self.add} {self.force} {Names(self.base).base}".encode())
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


def build_home(inputs: Inputs, home: Home, progress: Progress = lambda step: None) -> BuildReport:
    """Builds the home's store from `inputs`, all or nothing, and makes it current.

    Raises `BuildRefused` with every file that is no whole edition, and what `Home.new_build` raises.
    """
    fingerprint = inputs.fingerprint()
    known = _held(home)
    if known is not None and known.fingerprint == fingerprint:
        return BuildReport(known.holdings, known.quads, unchanged=True, cards=known.cards)
    names = Names(inputs.base)
    with home.new_build() as making, TemporaryDirectory(dir=making.path) as folder:
        parts, same = _read_all(inputs, names, Path(folder), progress)
        holdings = [part.holding for part in parts]
        kept = _kept(known, holdings) if inputs.add and known is not None else []
        cards, written = _write_cards(inputs, home, known, parts, kept, names, Path(folder), progress)
        holdings += kept
        with open(making.record, "wb") as record:  # gzip files one after another are a gzip file
            _keep(home, kept, names, record)
            for path in (*(part.path for part in parts), *written):
                with open(path, "rb") as quads:
                    shutil.copyfileobj(quads, record, 1 << 20)
            record.write(packed(catalogue_quads(holdings, names)))
        progress("deriving the store from the record")
        ordered = tuple(sorted(holdings, key=lambda holding: holding.edition))
        about: dict[str, Any] = {"fingerprint": fingerprint, "base": names.base}
        about |= {"holdings": [held.as_json() for held in ordered], "cards": cards.as_json() if cards else None}
        beside = [names.collection(name) for name in STATED] if cards else []
        described = making.commit([names.graph(current(ordered).edition), *beside], about)
    return BuildReport(ordered, described.quads, same=tuple(same), cards=cards)


def _write_cards(
    inputs: Inputs,
    home: Home,
    known: _Held | None,
    parts: Sequence[_Part],
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
class _Part:
    """One edition as written by a worker: what it holds, and its quads as gzipped N-Quads in a file of their own."""

    holding: Holding
    path: Path
    source: Path


def _read_all(inputs: Inputs, names: Names, folder: Path, progress: Progress) -> tuple[list[_Part], list[str]]:
    """Every edition read and written, in as many processes as there are cores; refuses them all together."""
    tasks = [(path, folder / f"{at}.nq.gz", names.base, inputs.force) for at, path in enumerate(inputs.editions)]
    parts: list[_Part] = []
    refusals: list[str] = []
    for task, outcome in zip(tasks, _each(tasks), strict=True):
        if isinstance(outcome, str):
            refusals.append(outcome)
        else:
            parts.append(outcome)
            progress(f"read {task[0].name}: the edition of {outcome.holding.edition}")
    if not refusals:
        parts, same, refusals = _one_an_edition(parts, inputs.force)
    if refusals:
        raise BuildRefused("\n".join(refusals))
    return parts, same


_Task = tuple[Path, Path, str, bool]


def _each(tasks: list[_Task]) -> Iterator[_Part | str]:
    """The outcome of each task, in order; a single file is read in this process, since starting others takes longer."""
    if len(tasks) < 2:
        yield from map(_read_one, tasks)
        return
    with ProcessPoolExecutor(min(len(tasks), os.cpu_count() or 1)) as pool:
        yield from pool.map(_read_one, tasks)


def _read_one(task: _Task) -> _Part | str:
    """Reads, audits and writes one edition; the refusal in words where it cannot be read or trusted."""
    path, target, base, force = task
    try:
        rulebook = read_rulebook(path.read_bytes(), path.name)
    except OSError as error:
        return f"{path}: {error.strerror or error}"
    except SeeruleError as error:
        return str(error)
    found = list(links(rulebook))
    findings = audit(rulebook, found)
    broken = [finding for finding in findings if finding.broken]
    if broken and not force:
        return _refusal(path.name, broken)
    names = Names(base)
    quads = [*EditionGraph(rulebook, found, names).quads(), *keyword_quads(keywords_of(rulebook), names)]
    target.write_bytes(packed(quads))
    return _Part(holding_of(rulebook, len(found), len(quads), (finding.kind for finding in findings)), target, path)


def _refusal(name: str, broken: Sequence[Finding]) -> str:
    said = "\n".join(f"  {finding}" for finding in broken[:_SHOWN])
    more = f"\n  and {len(broken) - _SHOWN} more" if len(broken) > _SHOWN else ""
    head = f"{name}, line {broken[0].line}: this is no whole edition of the rules:"
    return f"{head}\n{said}{more}\nGet the file again, or read it as it stands with --force."


def _one_an_edition(parts: list[_Part], force: bool) -> tuple[list[_Part], list[str], list[str]]:
    """Of files that give the same edition word for word the first; two that differ contradict each other."""
    kept: dict[str, _Part] = {}
    same, refusals = [], []
    for part in parts:
        edition, name = part.holding.edition, part.holding.name
        before = kept.setdefault(edition, part)
        if before is part:
            continue
        if before.holding.digest == part.holding.digest:
            same.append(f"{name} has the words of {before.holding.name}, the edition of {edition}")
        elif force:
            kept[edition] = part
        else:
            said = f"{before.holding.name} and {name} both give themselves as the edition of {edition}, in other words"
            refusals.append(f"{said}; name one of them, or take the last with --force")
    return list(kept.values()), same, refusals


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


def packed(quads: Iterable[Quad]) -> bytes:
    """The quads as gzipped N-Quads; the same quads give the same bytes."""
    return gzip.compress(ox.serialize(quads, format=RdfFormat.N_QUADS) or b"", 1, mtime=0)


def _program() -> list[Path]:
    """The files of this program that decide what a build holds."""
    here = Path(__file__).resolve().parent
    return sorted(path for room in (here, here.parent / "kb") for path in room.rglob("*.py"))
