"""Knows what an official ruling is, and what its text mentions: cards, glossary terms, rules that it cites."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal

MentionKind = Literal["card", "term"]
Method = Literal["card name", "own name", "short name", "glossary term"]


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruling on a card.

    `card` is the key of the card (`Card.key`); `date` YYYY-MM-DD, None where the source has none; `source` who gave it
    ("wotc", "scryfall", "mtgjson").

    >>> Ruling("c", "It works.", "2020-01-01").key == Ruling("c", "It works.", "2021-09-09").key
    True
    """

    card: str
    text: str
    date: str | None = None
    source: str = "wotc"

    @property
    def key(self) -> str:
        """The ruling's identity: its card and its words, whatever its date and wherever it stands in a file."""
        return hashlib.sha256(f"{self.card}\0{self.text}".encode("utf-8", "replace")).hexdigest()[:20]


@dataclass(frozen=True, slots=True)
class Mention:
    """A card or a glossary term that a ruling's text names, at `start` to `end`.

    `target` is a card's key or a glossary entry's heading; `method` how it was found.
    """

    start: int
    end: int
    kind: MentionKind
    target: str
    method: Method
