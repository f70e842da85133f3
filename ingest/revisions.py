"""Knows how the editions of a build are aligned, each with the one before it, and where their words come from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from pyoxigraph import Quad

from kb.edition import Words, changes, revision_quads, words
from kb.home import Home
from kb.read_graph import read_rulebook
from kb.rulebook import Rulebook
from kb.vocabulary import Names
from kb.workers import workers

_Task = tuple[str, Path | None, str, Path | None, Path, str]


def write_words(rulebook: Rulebook, target: Path) -> None:
    """Writes the words of an edition to a file of their own, for the alignment to read."""
    target.write_text(json.dumps({key: " ".join(said) for key, said in words(rulebook).items()}), encoding="utf-8")


def revisions(files: Mapping[str, Path | None], home: Home, names: Names) -> Iterator[list[Quad]]:
    """What became of each rule from every edition to the next, as quads, a list for each two editions.

    `files` are the words of the build's editions by date; None for one that only the home's current store holds.
    """
    ordered = sorted(files)
    tasks: list[_Task] = [(old, files[old], new, files[new], home.path, names.base) for old, new in pairwise(ordered)]
    if len(tasks) < 2:
        yield from map(_revision, tasks)
        return
    with workers(len(tasks)) as pool:
        yield from pool.map(_revision, tasks, chunksize=4)


def _revision(task: _Task) -> list[Quad]:
    old, old_file, new, new_file, home, base = task
    names = Names(base)
    found = changes(_words_of(old, old_file, home, base), _words_of(new, new_file, home, base))
    return list(revision_quads(old, new, found, names))


@lru_cache(maxsize=2)
def _words_of(edition: str, file: Path | None, home: Path, base: str) -> Words:
    """The words of an edition; the one that two neighbouring tasks share is read once."""
    if file is not None:
        return {key: tuple(said.split()) for key, said in json.loads(file.read_text(encoding="utf-8")).items()}
    with Home(home).open_store() as store:
        return words(read_rulebook(store.quads(graph=Names(base).graph(edition))))
