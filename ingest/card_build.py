"""Knows how a build takes in cards and rulings: which come from files and which from the old record, in two processes.

files | old record -> Collection -> two gzipped N-Quads files -> record
"""

from __future__ import annotations

import gzip
import hashlib
import multiprocessing
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pyoxigraph as ox
from pyoxigraph import NamedNode, Quad, RdfFormat

from ingest.card_parts import Part, write_facts, write_statements
from ingest.cards import Collection, read_cards, read_rulings
from ingest.document import read_rulebook
from kb.card_graph import read_cards as cards_from_graph
from kb.errors import SeeruleError
from kb.read_graph import read_rulebook as rulebook_from_graph
from kb.rulebook import Rulebook
from kb.ruling_graph import read_rulings as rulings_from_graph
from kb.vocabulary import Names
from kb.workers import end_with_parent


@dataclass(frozen=True, slots=True)
class CardHolding:
    """What a build holds of cards and rulings.

    `edition` is the one whose keywords and glossary were looked for; `sources` are the files by name with their
    SHA-256; `broken` tells the records that were skipped; `orphans` counts rulings on cards that no file has.
    """

    edition: str
    cards: int
    rulings: int
    sources: tuple[tuple[str, str], ...]
    parts: tuple[tuple[str, int], ...]
    broken: tuple[str, ...] = ()
    tokens: int = 0
    orphans: int = 0

    def as_json(self) -> dict[str, Any]:
        """The holding as it stands in `build.json`."""
        return asdict(self)

    @classmethod
    def from_json(cls, said: dict[str, Any]) -> CardHolding:
        """The holding that `as_json` wrote."""
        pairs = {name: tuple(map(tuple, said[name])) for name in ("sources", "parts")}
        return cls(**{**said, **pairs, "broken": tuple(said["broken"])})


class Editions(Mapping[str, Rulebook]):
    """The rulebooks of a build by edition, each read when it is asked for: from its file, or from the old record."""

    def __init__(self, files: Mapping[str, Path], record: Path | None, kept: Sequence[str], names: Names) -> None:
        self._files, self._record, self._kept, self._names = dict(files), record, tuple(kept), names
        self._read: dict[str, Rulebook] = {}

    def __getitem__(self, edition: str) -> Rulebook:
        if edition not in self._read:
            if edition in self._files:
                path = self._files[edition]
                self._read[edition] = read_rulebook(path.read_bytes(), path.name)
            elif edition in self._kept and self._record is not None:
                graph = self._names.graph(edition)
                self._read[edition] = rulebook_from_graph(quads_of(self._record, [graph]))
            else:
                raise KeyError(edition)
        return self._read[edition]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*self._files, *self._kept}))

    def __len__(self) -> int:
        return len({*self._files, *self._kept})


class CardBuild:
    """Writes the named graphs of cards and rulings for one build.

    `card_files` and `ruling_files` are read; with `old`, the record of the build before, what it holds of the kind
    that no file gives is kept.
    """

    def __init__(
        self,
        card_files: Sequence[Path],
        ruling_files: Sequence[Path],
        old: Path | None,
        held: CardHolding | None,
        names: Names,
    ) -> None:
        self.names = names
        self.card_files, self.ruling_files = tuple(card_files), tuple(ruling_files)
        self.old = old if held is not None else None
        self.held = held if old is not None else None

    @property
    def wanted(self) -> bool:
        """Whether there is anything to write."""
        return bool(self.card_files or self.ruling_files or self.held)

    @cached_property
    def collection(self) -> Collection:
        """The cards and rulings of the files, and of the old record where no file gives that kind."""
        found = Collection()
        for path in self.card_files:
            read_cards(path, found)
        for path in self.ruling_files:
            read_rulings(path, found)
        if self.old is not None and not self.card_files:
            found.cards = {card.key: card for card in cards_from_graph(self._old("cards"), self.names)}
        if self.old is not None and not found.rulings:
            found.rulings = {ruling.key: ruling for ruling in rulings_from_graph(self._old("rulings"), self.names)}
        return found

    def _old(self, name: str) -> Iterator[Quad]:
        assert self.old is not None
        return quads_of(self.old, [self.names.collection(name)])

    def write(self, editions: Editions, folder: Path) -> tuple[CardHolding, list[Path]]:
        """Writes the named graphs into files of `folder`, and tells what they hold.

        Raises `SeeruleError` where a file is refused or no edition's text is at hand.
        """
        found = self.collection
        if not editions or editions[max(editions)].outline:
            raise SeeruleError(
                "cards need the official text of the rules, whose keywords are looked for in theirs: "
                "name an edition's file too, or build one first and add the cards with --add"
            )
        current = editions[max(editions)]
        kept = [ruling for ruling in found.rulings.values() if ruling.card in found.cards]
        cards = list(found.cards.values())
        paths = [folder / "cards.nq.gz", folder / "rulings.nq.gz"]
        with Beside(write_statements, kept, cards, editions, self.names, paths[1]) as beside:
            parts = write_facts(cards, current, self.names, paths[0])
            parts += beside.result()
        return self._holding(found, current.edition, parts, len(found.rulings) - len(kept)), paths

    def _holding(self, found: Collection, edition: str, parts: list[Part], orphans: int) -> CardHolding:
        files = (*self.card_files, *self.ruling_files)
        sources = tuple((path.name, _sha256(path)) for path in files)
        before = self.held.sources if self.held and not (self.card_files and self.ruling_files) else ()
        return CardHolding(
            edition=edition,
            cards=len(found.cards),
            rulings=len(found.rulings) - orphans,
            sources=tuple(dict.fromkeys((*before, *sources))),
            parts=tuple((part.name, part.quads) for part in parts),
            broken=tuple(found.broken),
            tokens=found.tokens,
            orphans=orphans,
        )


class Beside:
    """A function that runs in a process of its own while the block runs here; forked, so that nothing large is
    copied.
    """

    def __init__(self, function: Any, *arguments: Any) -> None:
        context = multiprocessing.get_context("fork")
        self._here, there = context.Pipe(duplex=False)
        self._process = context.Process(target=_report, args=(there, function, arguments))
        self._process.start()
        there.close()

    def __enter__(self) -> Beside:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if error is not None:
            self._process.terminate()
            self._process.join()

    def result(self) -> Any:
        """What the function gave; raises what it raised."""
        try:
            outcome = self._here.recv()
        except EOFError:
            outcome = SeeruleError("the process that reads rulings was ended from outside; build again")
        self._process.join()
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome


def _report(there: Connection, function: Any, arguments: tuple[Any, ...]) -> None:
    end_with_parent()
    try:
        outcome = function(*arguments)
    except Exception as error:  # it is raised again where the result is asked for
        outcome = error
    there.send(outcome)
    there.close()


def quads_of(record: Path, graphs: Sequence[NamedNode]) -> Iterator[Quad]:
    """The quads of some named graphs of a record, in its order."""
    ends = tuple(f"{graph} .\n".encode() for graph in graphs)
    with gzip.open(record) as lines:
        chosen = b"".join(line for line in lines if line.endswith(ends))
    return iter(ox.parse(chosen, format=RdfFormat.N_QUADS))


def _sha256(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
