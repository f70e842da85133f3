"""Knows how a citer is opened for a knowledge base: its rules, the cards of its index, and the meaning of its rules."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from kb.index import Index
from query.cite import Citer
from query.citing.book import Book
from query.citing.cards import CardFacts

if TYPE_CHECKING:
    from kb.rulebook import Rulebook
    from query.citing.meaning import Meaning


class IndexedCards:
    """The cards of a full-text index."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def find(self, names: Collection[str]) -> dict[str, CardFacts]:
        """The cards among `names`."""
        return {
            name: CardFacts(
                card.name, card.type_line, tuple(card.keywords.split("\n")) if card.keywords else (), card.text
            )
            for name, card in self._index.cards(names).items()
        }


def open_citer(rulebook: Rulebook, index: Index, vectors: Path | None = None, *, semantic: bool | None = None) -> Citer:
    """A citer of an edition, with the embedding or without.

    `vectors` is a folder where the meaning of the rules is kept once it has been read, which takes a minute: `semantic`
    True reads it now if need be, None uses it where it is kept and the extra is installed. Raises `NoMeaning` where
    `semantic` is true and the extra is not installed.
    """
    from query.citing.meaning import Model

    book = Book(rulebook)
    if semantic is None:
        kept = _path(book, vectors)
        semantic = kept is not None and kept.is_file() and Model.installed()
    return Citer(book, IndexedCards(index), _meaning(book, _path(book, vectors)) if semantic else None)


def _path(book: Book, folder: Path | None) -> Path | None:
    """The file that keeps the meaning of a book, named by all that it is made from."""
    said = "\n".join((*(rule.text for rule in book.rules), *(" ".join(words) for words in book.players)))
    return folder / f"{hashlib.sha256(said.encode()).hexdigest()[:16]}.npz" if folder else None


def _meaning(book: Book, path: Path | None) -> Meaning:
    from query.citing.meaning import Meaning, Model

    model = Model()
    if path is not None and path.is_file():
        return Meaning.load(path, model)
    meaning = Meaning.of(book, model)
    if path is not None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            meaning.save(path)
        except OSError:
            return meaning  # a home that cannot be written: read again next time
    return meaning
