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
from typing import BinaryIO

import pyoxigraph as ox
from pyoxigraph import Quad, RdfFormat

from ingest.audit import Finding, audit
from ingest.document import read_rulebook
from kb.catalogue import Holding, catalogue_quads, current, holding_of
from kb.errors import SeeruleError
from kb.graph import EditionGraph
from kb.home import Home
from kb.resolution import links
from kb.vocabulary import Names

Progress = Callable[[str], None]
"""Told in words what the build does next."""

_SHOWN = 5  # findings named in a refusal


class BuildRefused(SeeruleError):
    """Files that are not whole editions, or contradict each other; nothing was built."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a build is made from: official files of editions, by path.

    `add` keeps what the home already holds, `force` reads editions whose structure is broken, `base` is the base IRI.
    """

    editions: tuple[Path, ...]
    add: bool = False
    force: bool = False
    base: str | None = None

    def fingerprint(self) -> str:
        """The SHA-256 of everything the result depends on: the files, the options and this program."""
        digest = hashlib.sha256(f"{self.add} {self.force} {Names(self.base).base}".encode())
        for path in (*self.editions, *_program()):
            digest.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
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
    if known is not None and known[0] == fingerprint:
        return BuildReport(known[1], known[2], unchanged=True)
    names = Names(inputs.base)
    with home.new_build() as making, TemporaryDirectory(dir=making.path) as folder:
        parts, same = _read_all(inputs, names, Path(folder), progress)
        holdings = [part.holding for part in parts]
        with open(making.record, "wb") as record:  # gzip files one after another are a gzip file
            if inputs.add and known is not None:
                holdings += _keep(home, known[1], holdings, names, record)
            for part in parts:
                with open(part.path, "rb") as quads:
                    shutil.copyfileobj(quads, record, 1 << 20)
            record.write(packed(catalogue_quads(holdings, names)))
        progress("deriving the store from the record")
        ordered = tuple(sorted(holdings, key=lambda holding: holding.edition))
        about = {"fingerprint": fingerprint, "base": names.base, "holdings": [held.as_json() for held in ordered]}
        described = making.commit([names.graph(current(ordered).edition)], about)
    return BuildReport(ordered, described.quads, same=tuple(same))


@dataclass(frozen=True, slots=True)
class _Part:
    """One edition as written by a worker: what it holds, and its quads as gzipped N-Quads in a file of their own."""

    holding: Holding
    path: Path


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
    quads = list(EditionGraph(rulebook, found, Names(base)).quads())
    target.write_bytes(packed(quads))
    return _Part(holding_of(rulebook, len(found), len(quads), (finding.kind for finding in findings)), target)


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


def _held(home: Home) -> tuple[str, tuple[Holding, ...], int] | None:
    """The fingerprint, holdings and number of quads of the home's current build, if there is one that can be read."""
    folder = home.current()
    if folder is None:
        return None
    with suppress(SeeruleError):
        described = folder.description()
        holdings = tuple(Holding.from_json(said) for said in described.about.get("holdings", ()))
        return str(described.about.get("fingerprint")), holdings, described.quads
    return None


def _keep(home: Home, held: Sequence[Holding], new: Sequence[Holding], names: Names, record: BinaryIO) -> list[Holding]:
    """Copies from the old record every named graph that the new build does not replace."""
    editions = {holding.edition for holding in new}
    kept = [holding for holding in held if holding.edition not in editions and not holding.outline]
    replaced = {names.graph(edition) for edition in {held.edition for held in held} - {held.edition for held in kept}}
    ends = tuple(f"{graph} .\n".encode() for graph in (*replaced, names.catalogue))
    folder = home.current()
    if folder is not None:
        with gzip.open(folder.record) as lines, gzip.GzipFile("", "wb", 1, record, mtime=0) as packed_record:
            packed_record.writelines(line for line in lines if not line.endswith(ends))
    return kept


def packed(quads: Iterable[Quad]) -> bytes:
    """The quads as gzipped N-Quads; the same quads give the same bytes."""
    return gzip.compress(ox.serialize(quads, format=RdfFormat.N_QUADS) or b"", 1, mtime=0)


def _program() -> list[Path]:
    """The files of this program that decide what a build holds."""
    here = Path(__file__).resolve().parent
    return sorted(path for room in (here, here.parent / "kb") for path in room.rglob("*.py"))
