"""Knows how people write a search: words, "phrases", -without; and how misspelt words are mended."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from kb.words import STOP, VARIANT

_PART = re.compile(r'(?P<minus>(?<!\S)-)?(?:"(?P<phrase>[^"]+)"|“(?P<quoted>[^”]+)”|(?P<word>[^\s"“”]+))')
_ASKING = frozenset(
    [
        "explain",
        "work",
        "works",
        "mean",
        "means",
        "happens",
        "happen",
        "please",
        "tell",
        "define",
        "rule",
        "rules",
        "card",
    ]
)
_CLOSE = 0.78


@dataclass(frozen=True, slots=True)
class SearchWords:
    """A search taken apart: words that are sought, phrases that must stand as they are, words that must not be there.

    >>> sought("what does first strike do -banding")
    SearchWords(words=('first', 'strike'), phrases=(), without=('banding',))
    >>> sought('"combat damage" trample').phrases
    ('combat damage',)
    """

    words: tuple[str, ...]
    phrases: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    @property
    def every(self) -> str:
        """The FTS5 query for passages with every word."""
        return self._query(" AND ")

    @property
    def some(self) -> str:
        """The FTS5 query for passages with some of the words, and with every phrase."""
        return self._query(" OR ")

    def _query(self, between: str) -> str:
        words = between.join(f'"{word}"' for word in self.words)
        phrases = " AND ".join(f'"{phrase}"' for phrase in self.phrases)
        sought = " AND ".join(f"({part})" for part in (words, phrases) if part)
        without = "".join(f' NOT "{word}"' for word in self.without)
        return f"({sought}){without}" if sought else ""

    @property
    def text(self) -> str:
        """What is sought, as plain text."""
        return " ".join((*self.words, *self.phrases))


def sought(text: str) -> SearchWords:
    """The parts of a search; words that say nothing are left out, unless nothing else is there."""
    words: list[str] = []
    phrases: list[str] = []
    without: list[str] = []
    for part in _PART.finditer(text):
        phrase = part["phrase"] or part["quoted"]
        said = " ".join(_plain_words(phrase or part["word"]))
        if said:
            (without if part["minus"] else phrases if phrase else words).append(said)
    words = [word for said in words for word in said.split()]
    telling = [word for word in words if word not in STOP and word not in _ASKING]
    return SearchWords(tuple(dict.fromkeys(telling or words)), tuple(phrases), tuple(without))


def _plain_words(text: str) -> list[str]:
    said = re.sub(r"'s\b", "", text.lower().replace("’", "'"))
    return re.findall(r"[\w/+]+(?:'\w+)?", said)  # the index reads "can't" as two words side by side


def mended(search: SearchWords, known: Mapping[str, int]) -> SearchWords:
    """The search with words that the rules do not know replaced by the nearest that they do."""
    words = tuple(_nearest(word, known) for word in search.words)
    return SearchWords(words, search.phrases, search.without)


def _nearest(word: str, known: Mapping[str, int]) -> str:
    if word in known or len(word) < 4 or any(character.isdigit() or character == "'" for character in word):
        return word
    if any(word.removesuffix(end) in known for end in ("s", "es", "ed", "ing")):
        return word
    near = get_close_matches(word, known, 5, _CLOSE)
    return max(near, key=lambda other: (other[0] == word[0], _likeness(word, other), known[other])) if near else word


def _likeness(word: str, other: str) -> float:
    from difflib import SequenceMatcher

    return round(SequenceMatcher(None, word, other).ratio(), 2)


def names_a_variant(text: str) -> bool:
    """Whether a text speaks of a game with teams, more than two players or casual rules."""
    return VARIANT.search(text) is not None
