"""Knows the full-text index: its layout, how it is filled from a store, and how it is asked.

One SQLite file a build, derived from the store and swapped with it. Rules, examples and glossary entries stand in one
table with their heading, the names that people use and their text; rulings and cards in tables of their own, so that
their number does not slow down or blur the search of the rules.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from kb.errors import SeeruleError

LAYOUT = 1
"""The version of the tables below; an index of another version is derived anew."""

_TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE passage (
    id INTEGER PRIMARY KEY, edition TEXT, kind TEXT, key TEXT, place INTEGER, chapter INTEGER,
    name TEXT, heading TEXT, aliases TEXT, text TEXT, stems TEXT
);
CREATE TABLE ruling (id INTEGER PRIMARY KEY, key TEXT, card TEXT, date TEXT, text TEXT);
CREATE TABLE card (id INTEGER PRIMARY KEY, name TEXT, type_line TEXT, keywords TEXT, text TEXT);
CREATE TABLE card_name (name TEXT, card INTEGER);
CREATE TABLE word (word TEXT PRIMARY KEY, count INTEGER) WITHOUT ROWID;
CREATE VIRTUAL TABLE passage_words USING fts5(
    heading, aliases, text, content = 'passage', content_rowid = 'id', tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE ruling_words USING fts5(
    card, text, content = 'ruling', content_rowid = 'id', tokenize = 'porter unicode61 remove_diacritics 2'
);
"""
_AFTER = """
INSERT INTO passage_words(passage_words) VALUES ('rebuild');
INSERT INTO passage_words(passage_words) VALUES ('optimize');
INSERT INTO ruling_words(ruling_words) VALUES ('rebuild');
INSERT INTO ruling_words(ruling_words) VALUES ('optimize');
CREATE INDEX passage_by_name ON passage(edition, name);
CREATE INDEX passage_by_key ON passage(edition, key);
CREATE INDEX ruling_by_card ON ruling(card);
CREATE INDEX ruling_by_key ON ruling(key);
CREATE INDEX card_by_name ON card_name(name);
"""
_WORD = re.compile(r"[a-z]{3,}")
_WEIGHTS = "6.0, 4.0, 1.0"  # heading, aliases, text: a word of a title says more than one of a sentence


class NoIndex(SeeruleError):
    """There is no full-text index, or it cannot be read."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A rule, an example of one, or a glossary entry: `kind` is `rule`, `example` or `glossary`.

    `key` is the entry's key (`702.9b`, `term/flying`), an example's that of its rule; `place` its order in the book;
    `name` the title in plain form, for those that have one of their own; `heading` the titles from the chapter down;
    `aliases` what else people call it; `stems` its different words as `kb.words` has them.
    A passage of kind `name` has no text: it only says that its entry has another name.
    """

    edition: str
    kind: str
    key: str
    place: int
    name: str
    heading: str
    aliases: str
    text: str
    stems: str = ""

    @property
    def chapter(self) -> int:
        """The chapter's number, or 0 for the glossary."""
        return int(self.key[:3]) if self.key[:3].isdigit() else 0


@dataclass(frozen=True, slots=True)
class IndexedRuling:
    """A ruling with the name of its card."""

    key: str
    card: str
    date: str
    text: str


@dataclass(frozen=True, slots=True)
class IndexedCard:
    """What of a card can lead to a rule; keywords one a line."""

    name: str
    type_line: str
    keywords: str
    text: str
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Match:
    """A passage that matches, with its relevance: the larger, the better."""

    passage: Passage
    relevance: float


def write_index(
    path: Path, passages: Iterable[Passage], rulings: Iterable[IndexedRuling] = (), cards: Iterable[IndexedCard] = ()
) -> None:
    """Makes the index file; any that is there is replaced."""
    path.unlink(missing_ok=True)
    database = sqlite3.connect(path)
    try:
        database.executescript(_TABLES)
        _write_passages(database, passages)
        database.executemany(
            "INSERT INTO ruling VALUES (NULL, ?, ?, ?, ?)", ((r.key, r.card, r.date, r.text) for r in rulings)
        )
        _write_cards(database, cards)
        database.executescript(_AFTER)
        database.execute(f"PRAGMA user_version = {LAYOUT}")
        database.commit()
    finally:
        database.close()


def _write_cards(database: sqlite3.Connection, cards: Iterable[IndexedCard]) -> None:
    for at, card in enumerate(cards, 1):
        database.execute(
            "INSERT INTO card VALUES (?, ?, ?, ?, ?)", (at, card.name, card.type_line, card.keywords, card.text)
        )
        names = {card.name, *card.also}
        names |= {name.partition(", ")[0] for name in names if ", " in name}
        database.executemany("INSERT INTO card_name VALUES (?, ?)", ((name, at) for name in sorted(names)))


def _write_passages(database: sqlite3.Connection, passages: Iterable[Passage]) -> None:
    """The passages, and every word of them, so that a misspelt one can be told and mended."""
    counts: Counter[str] = Counter()

    def rows() -> Iterator[tuple[str | int, ...]]:
        for p in passages:
            counts.update(_words_in(p.heading, p.aliases, p.text))
            yield p.edition, p.kind, p.key, p.place, p.chapter, p.name, p.heading, p.aliases, p.text, p.stems

    database.executemany(f"INSERT INTO passage VALUES (NULL, {', '.join('?' * 10)})", rows())
    database.executemany("INSERT INTO word VALUES (?, ?)", counts.items())


@lru_cache(maxsize=1 << 13)  # most of an edition stands in the next one word for word
def _words_in(*texts: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(" ".join(texts).lower()))


class Index:
    """An open index, for reading."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise NoIndex(f"{path}: there is no full-text index; build again with seerule build")
        self._database = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        (layout,) = self._database.execute("PRAGMA user_version").fetchone()
        if layout != LAYOUT:
            self.close()
            raise NoIndex(f"{path}: the index has layout {layout}, this version reads {LAYOUT}; build again")

    def close(self) -> None:
        """Lets go of the file."""
        self._database.close()

    def named(self, edition: str, name: str) -> list[Passage]:
        """The passages whose own title is `name`, in plain form."""
        return list(self._passages("edition = ? AND name = ?", (edition, name)))

    def of_key(self, edition: str, key: str) -> list[Passage]:
        """The passages of an entry: a rule and its examples, or a glossary entry."""
        return list(self._passages("edition = ? AND key = ?", (edition, key)))

    def below(self, edition: str, key: str) -> list[Passage]:
        """The rules whose number begins with a rule's or chapter's, or a section's chapters, in the book's order."""
        kind = "kind = 'rule' AND edition = ? AND "
        if "." in key:  # 702.7 holds 702.7a, and not 702.70
            return list(self._passages(f"{kind} key GLOB ?", (edition, f"{key}[a-z]*")))
        if len(key) == 1:
            return list(self._passages("kind = 'chapter' AND edition = ? AND key GLOB ?", (edition, f"{key}[0-9]*")))
        return list(self._passages(f"{kind} key GLOB ?", (edition, f"{key}.*")))

    def _passages(self, where: str, values: Sequence[object]) -> Iterator[Passage]:
        columns = "edition, kind, key, place, name, heading, aliases, text, stems"
        rows = self._database.execute(f"SELECT {columns} FROM passage WHERE {where} ORDER BY place, id", values)
        return (Passage(*row) for row in rows)

    def match(self, edition: str, query: str, kinds: Sequence[str], limit: int, chapters: str = "") -> list[Match]:
        """The passages that match an FTS5 query, the most relevant first; `chapters` is the beginning of a number."""
        marks = ", ".join("?" * len(kinds))
        columns = "p.edition, p.kind, p.key, p.place, p.name, p.heading, p.aliases, p.text, p.stems"
        rows = self._database.execute(
            f"SELECT {columns}, bm25(passage_words, {_WEIGHTS}) FROM passage_words "
            "JOIN passage p ON p.id = passage_words.rowid "
            f"WHERE passage_words MATCH ? AND p.edition = ? AND p.kind IN ({marks}) AND p.key GLOB ? "
            "ORDER BY 10 LIMIT ?",
            (query, edition, *kinds, f"{chapters}*", limit),
        )
        return [Match(Passage(*row[:9]), -row[9]) for row in rows]

    def match_rulings(self, query: str, limit: int, card: str | None = None) -> list[IndexedRuling]:
        """The rulings that match an FTS5 query, the most relevant first; those of one card if it is named."""
        of_card, values = (" AND r.card = ?", [card]) if card else ("", [])
        rows = self._database.execute(
            "SELECT r.key, r.card, r.date, r.text FROM ruling_words JOIN ruling r ON r.id = ruling_words.rowid "
            f"WHERE ruling_words MATCH ?{of_card} ORDER BY bm25(ruling_words, 2.0, 1.0) LIMIT ?",
            (query, *values, limit),
        )
        return [IndexedRuling(*row) for row in rows]

    def rulings_on(self, card: str) -> list[IndexedRuling]:
        """Every ruling on a card, by its name."""
        rows = self._database.execute("SELECT key, card, date, text FROM ruling WHERE card = ? ORDER BY id", (card,))
        return [IndexedRuling(*row) for row in rows]

    def rulings(self, keys: Iterable[str]) -> dict[str, IndexedRuling]:
        """The rulings of these keys."""
        found = (
            self._database.execute("SELECT key, card, date, text FROM ruling WHERE key = ?", (key,)).fetchone()
            for key in keys
        )
        return {row[0]: IndexedRuling(*row) for row in found if row is not None}

    def all_rulings(self) -> Iterator[IndexedRuling]:
        """Every ruling."""
        rows = self._database.execute("SELECT key, card, date, text FROM ruling ORDER BY id")
        return (IndexedRuling(*row) for row in rows)

    def all_cards(self) -> Iterator[IndexedCard]:
        """Every card."""
        rows = self._database.execute("SELECT name, type_line, keywords, text FROM card ORDER BY id")
        return (IndexedCard(*row) for row in rows)

    def card_names(self) -> list[str]:
        """The full name of every card."""
        return [name for (name,) in self._database.execute("SELECT name FROM card ORDER BY name")]

    def cards(self, names: Iterable[str]) -> dict[str, IndexedCard]:
        """The cards, or cards with a face, of these names, as they are printed."""
        asked = list(dict.fromkeys(names))
        found: dict[str, IndexedCard] = {}
        for first in range(0, len(asked), 500):
            part = asked[first : first + 500]
            rows = self._database.execute(
                "SELECT n.name, c.name, c.type_line, c.keywords, c.text FROM card_name n JOIN card c ON c.id = n.card "
                f"WHERE n.name IN ({', '.join('?' * len(part))})",
                part,
            )
            for name, *said in rows:
                found.setdefault(name, IndexedCard(*said))
        return found

    @cached_property
    def words(self) -> dict[str, int]:
        """Every word of the passages, and how often it stands there."""
        return dict(self._database.execute("SELECT word, count FROM word"))
