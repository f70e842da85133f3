"""Knows how the official files of a build are read, each in a process of its own, audited, and written as quads."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph as ox
from pyoxigraph import Quad, RdfFormat

from ingest.audit import Finding, audit
from ingest.document import read_rulebook
from ingest.revisions import write_words
from kb.catalogue import Holding, holding_of
from kb.errors import SeeruleError
from kb.graph import EditionGraph
from kb.index_source import write_passages
from kb.keyword import keywords_of
from kb.keyword_graph import keyword_quads
from kb.resolution import links
from kb.rulebook import Rulebook
from kb.vocabulary import Names
from kb.workers import workers

Progress = Callable[[str], None]
"""Told in words what the build does next."""

_SHOWN = 5  # findings named in a refusal


class BuildRefused(SeeruleError):
    """Files that are not whole editions, or contradict each other; nothing was built."""


@dataclass(frozen=True, slots=True)
class Part:
    """One edition as written by a worker: what it holds, and its quads as gzipped N-Quads in a file of their own."""

    holding: Holding
    path: Path
    source: Path

    @property
    def words(self) -> Path:
        """The file of the edition's words, for the alignment with its neighbours."""
        return self.path.with_suffix(".words")

    @property
    def passages(self) -> Path:
        """The file of the edition's passages, for the full-text index."""
        return self.path.with_suffix(".passages")


def read_editions(
    files: Sequence[Path], force: bool, names: Names, folder: Path, progress: Progress
) -> tuple[list[Part], list[str]]:
    """Every edition read and written, in as many processes as there are cores; refuses them all together."""
    tasks = [(path, folder / f"{at}.nq.gz", names.base, force) for at, path in enumerate(files)]
    parts: list[Part] = []
    refusals: list[str] = []
    for task, outcome in zip(tasks, _each(tasks), strict=True):
        if isinstance(outcome, str):
            refusals.append(outcome)
        else:
            parts.append(outcome)
            progress(f"read {task[0].name}: the edition of {outcome.holding.edition}")
    if not refusals:
        parts, same, refusals = _one_an_edition(parts, force)
    if refusals:
        raise BuildRefused("\n".join(refusals))
    return parts, same


_Task = tuple[Path, Path, str, bool]


def _each(tasks: list[_Task]) -> Iterator[Part | str]:
    """The outcome of each task, in order; of a single file the graph and the words are made side by side."""
    if not tasks:
        return
    with workers(len(tasks)) as pool:
        if len(tasks) > 1:
            yield from pool.map(_read_one, tasks)
            return
        words = pool.submit(_read_words, tasks[0])
        outcome = _read_graph(tasks[0])
        words.result()
        yield outcome


def _read_one(task: _Task) -> Part | str:
    """Reads, audits and writes one edition whole; the refusal in words where it cannot be read or trusted."""
    rulebook = _rulebook(task[0])
    if isinstance(rulebook, str):
        return rulebook
    _write_words(rulebook, task)
    return _write_graph(rulebook, task)


def _read_words(task: _Task) -> None:
    """Writes what the index and the alignment need of one edition; nothing where it cannot be read."""
    rulebook = _rulebook(task[0])
    if not isinstance(rulebook, str):
        _write_words(rulebook, task)


def _read_graph(task: _Task) -> Part | str:
    """Audits and writes the graph of one edition; the refusal in words where it cannot be read or trusted."""
    rulebook = _rulebook(task[0])
    return rulebook if isinstance(rulebook, str) else _write_graph(rulebook, task)


def _rulebook(path: Path) -> Rulebook | str:
    """The edition in a file, or in words why it cannot be read."""
    try:
        return read_rulebook(path.read_bytes(), path.name)
    except OSError as error:
        return f"{path}: {error.strerror or error}"
    except SeeruleError as error:
        return str(error)


def _write_words(rulebook: Rulebook, task: _Task) -> None:
    target = task[1]
    write_words(rulebook, target.with_suffix(".words"))
    write_passages(rulebook, target.with_suffix(".passages"))


def _write_graph(rulebook: Rulebook, task: _Task) -> Part | str:
    path, target, base, force = task
    found = list(links(rulebook))
    findings = audit(rulebook, found)
    broken = [finding for finding in findings if finding.broken]
    if broken and not force:
        return _refusal(path.name, broken)
    names = Names(base)
    quads = [*EditionGraph(rulebook, found, names).quads(), *keyword_quads(keywords_of(rulebook), names)]
    target.write_bytes(packed(quads))
    return Part(holding_of(rulebook, len(found), len(quads), (finding.kind for finding in findings)), target, path)


def _refusal(name: str, broken: Sequence[Finding]) -> str:
    said = "\n".join(f"  {finding}" for finding in broken[:_SHOWN])
    more = f"\n  and {len(broken) - _SHOWN} more" if len(broken) > _SHOWN else ""
    head = f"{name}, line {broken[0].line}: this is no whole edition of the rules:"
    return f"{head}\n{said}{more}\nGet the file again, or read it as it stands with --force."


def _one_an_edition(parts: list[Part], force: bool) -> tuple[list[Part], list[str], list[str]]:
    """Of files that give the same edition word for word the first; two that differ contradict each other."""
    kept: dict[str, Part] = {}
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


def packed(quads: Iterable[Quad]) -> bytes:
    """The quads as gzipped N-Quads; the same quads give the same bytes."""
    return gzip.compress(ox.serialize(quads, format=RdfFormat.N_QUADS) or b"", 1, mtime=0)
