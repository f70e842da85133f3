"""Knows how files of cards and of rulings are read: which kind a file is, what of it is broken, and when it is
refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ingest.fields import BadField, date_of
from ingest.mtgjson import card_of
from ingest.records import BrokenRecord, Record, Scanner, UnreadableRecords, opened
from ingest.scryfall import cards_of, ruling_of
from kb.card import Card
from kb.ruling import Ruling

TOLERATED = 0.01
"""The share of broken records above which a file is refused."""

_SHOWN = 5
_DATE_IN_NAME = re.compile(r"(20\d\d)-?(\d\d)-?(\d\d)")


@dataclass(slots=True)
class Collection:
    """What files of cards and rulings hold: by key, so that what several files repeat is held once.

    `broken` are the records that were skipped, `read` how many there were, `tokens` how many were no cards of the game.
    """

    cards: dict[str, Card] = field(default_factory=dict)
    rulings: dict[str, Ruling] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)
    read: int = 0
    tokens: int = 0


def read_cards(path: Path, into: Collection) -> None:
    """Reads a file of cards: Scryfall's oracle-cards as an array or one object a line, or MTGJSON's AtomicCards;
    plain or gzipped.

    Raises `UnreadableRecords` for a file of another kind, cut short, or with more than `TOLERATED` broken records.
    """
    with opened(path) as text:
        scanner = Scanner(text, path.name)
        count = _Count(path.name)
        if scanner.peek() == "{" and (atomic := _atomic(scanner)) is not None:
            _read_atomic(atomic, count, into)
        else:
            for record in _records(scanner, count, "card", "ruling"):
                _add_cards(record, count, into)
        count.close(into)


def read_rulings(path: Path, into: Collection) -> None:
    """Reads a file of rulings: Scryfall's rulings as an array or one object a line, plain or gzipped.

    Raises `UnreadableRecords` as `read_cards` does.
    """
    with opened(path) as text:
        scanner = Scanner(text, path.name)
        count = _Count(path.name)
        for record in _records(scanner, count, "ruling", "card"):
            try:
                ruling = ruling_of(record.value)
            except BadField as error:
                count.broken.append(BrokenRecord(record.line, str(error)))
            else:
                into.rulings.setdefault(ruling.key, ruling)
        count.close(into)


@dataclass(slots=True)
class _Count:
    """The records of one file, and those that were broken."""

    name: str
    read: int = 0
    broken: list[BrokenRecord] = field(default_factory=list)

    def close(self, into: Collection) -> None:
        """Refuses the file if too much of it is broken; else adds what was broken to the collection's report."""
        said = "\n".join(f"  {record}" for record in self.broken[:_SHOWN])
        if not self.read:
            raise UnreadableRecords(f"{self.name}: there is no record in the file")
        if len(self.broken) > TOLERATED * self.read:
            raise UnreadableRecords(
                f"{self.name}: {len(self.broken):,} of {self.read:,} records are broken, "
                f"more than {TOLERATED:.0%}:\n{said}\n"
                "Nothing was built; get the file again."
            )
        into.read += self.read
        into.broken += [f"{self.name}, {record}" for record in self.broken]


def _objects(scanner: Scanner, count: _Count) -> Iterator[Record]:
    """The records that are objects; everything else is broken, and a file that begins otherwise is no file of
    records.
    """
    if scanner.peek() not in ("[", "{", ""):
        raise scanner.refusal("this is not JSON; give Scryfall's bulk file or MTGJSON's AtomicCards, plain or gzipped")
    for found in scanner.records():
        count.read += 1
        if isinstance(found, BrokenRecord):
            count.broken.append(found)
        elif not isinstance(found.value, dict):
            count.broken.append(BrokenRecord(found.line, "the record is no object"))
        else:
            yield found


def _records(scanner: Scanner, count: _Count, wanted: str, other: str) -> Iterator[Record]:
    """The objects that give themselves as of the wanted kind; a file of the other kind is refused."""
    for record in _objects(scanner, count):
        kind = record.value.get("object", wanted)
        where = f"{count.name}, line {record.line}"
        if kind == other:
            raise UnreadableRecords(f"{where}: this is a file of {other}s; give it with --{other}s")
        if kind in ("list", "bulk_data", "error", "set", "catalog"):
            raise UnreadableRecords(f"{where}: this is Scryfall's {kind} object, not its bulk file of {wanted}s")
        if kind == wanted:
            yield record
        else:
            count.broken.append(BrokenRecord(record.line, f"the record is of the kind {str(kind)[:40]!r}, no {wanted}"))


def _add_cards(record: Record, count: _Count, into: Collection) -> None:
    try:
        cards = cards_of(record.value, _date_of_file(count.name))
    except BadField as error:
        count.broken.append(BrokenRecord(record.line, str(error)))
        return
    into.tokens += not cards
    for card in cards:
        into.cards.setdefault(card.key, card)


def _date_of_file(name: str) -> str | None:
    """The date that a bulk file bears in its name, as Scryfall's do."""
    found = _DATE_IN_NAME.search(name)
    try:
        return date_of({"date": "-".join(found.groups())}, "date") if found else None
    except BadField:
        return None


@dataclass(frozen=True, slots=True)
class _Atomic:
    """An AtomicCards file whose cards come next, and the date that it bears."""

    scanner: Scanner
    as_of: str | None


def _atomic(scanner: Scanner) -> _Atomic | None:
    """The file as AtomicCards if its first object is of that form; None, with nothing passed over, if it is not."""
    if not scanner.looks_like(r'\{\s*"(?:meta|data)"\s*:\s*\{'):
        return None
    scanner.take("{")
    as_of = None
    while scanner.peek() == '"':
        name = scanner.value()
        scanner.take(":")
        if name == "data":
            return _Atomic(scanner, as_of)
        meta: Any = scanner.value()
        as_of = date_of(meta, "date") if isinstance(meta, dict) else None
        scanner.take(",")
    raise scanner.refusal('there is no "data" in the file: this is not MTGJSON\'s AtomicCards')


def _read_atomic(file: _Atomic, count: _Count, into: Collection) -> None:
    for entry in file.scanner.entries():
        count.read += 1
        if isinstance(entry, BrokenRecord):
            count.broken.append(entry)
            continue
        try:
            card, rulings = card_of(entry.name, entry.value, file.as_of)
        except BadField as error:
            count.broken.append(BrokenRecord(entry.line, str(error)))
            continue
        into.tokens += card is None
        if card is not None:
            into.cards.setdefault(card.key, card)
            into.rulings.update((ruling.key, ruling) for ruling in rulings)
