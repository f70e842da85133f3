"""Knows what the words of a text are when texts are compared: stems with their spans, old wording made new."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from snowballstemmer.english_stemmer import EnglishStemmer

_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)?|[+-]\d+/[+-]\d+|\{[^}]{1,5}\}|\d+/\d+|\d+", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.?!])[”\")]?\s+(?=[A-Z“\"(])")
STOP = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "but",
        "by",
        "for",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "no",
        "not",
        "of",
        "on",
        "or",
        "such",
        "that",
        "the",
        "their",
        "then",
        "there",
        "these",
        "they",
        "this",
        "to",
        "was",
        "will",
        "with",
        "you",
        "your",
        "he",
        "she",
        "his",
        "her",
        "i",
        "we",
        "do",
        "does",
        "did",
        "can",
        "may",
        "could",
        "would",
        "what",
        "which",
        "who",
        "how",
        "when",
        "has",
        "have",
        "had",
        "been",
        "so",
        "than",
        "also",
        "any",
        "from",
    ]
)
"""Words that say nothing of the rules."""

VARIANT = re.compile(
    r"(?i)\b(multiplayer|commanders?|two-headed|teams?|teammates?|planechase|planeswalks?|archenemy|schemes?|"
    r"conspirac\w+|vanguard|draft(ed)?|planar|brawl|emperor|(?:leaves?|left) the game)\b"
)
"""What says that a text is about a game with teams, more than two players or casual rules."""

_OLD = {
    "comes into play": "enters",
    "come into play": "enter",
    "came into play": "entered",
    "coming into play": "entering",
    "enters the battlefield": "enters",
    "enter the battlefield": "enter",
    "entered the battlefield": "entered",
    "entering the battlefield": "entering",
    "removed from the game": "exiled",
    "remove from the game": "exile",
    "in play": "battlefield",
    "leaves play": "leaves the battlefield",
    "converted mana cost": "mana value",
    "cmc": "mana value",
    "etb": "enters",
    "in response to": "respond",
    "dies": "dies graveyard battlefield",
    "die": "die graveyard battlefield",
    "died": "died graveyard battlefield",
}
"""What older texts and players say, and what the rules say today."""


@dataclass(frozen=True, slots=True)
class Word:
    """A stem and the span of the text, `start` to `end`, that it comes from."""

    stem: str
    start: int
    end: int


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The Snowball stem of a lower-case English word.

    >>> stem("triggered"), stem("abilities")
    ('trigger', 'abil')
    """
    stemmed: str = _stemmer().stemWord(word)
    return stemmed


@cache
def _stemmer() -> EnglishStemmer:
    from snowballstemmer.english_stemmer import EnglishStemmer

    return EnglishStemmer()


@cache
def _old_wording() -> dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]]:
    """Old wording by its first word, the longest first."""
    found: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = {}
    for old, new in _OLD.items():
        said = tuple(old.split())
        found.setdefault(said[0], []).append((said, tuple(new.split())))
    for pairs in found.values():
        pairs.sort(key=lambda pair: -len(pair[0]))
    return found


def words(text: str) -> list[Word]:
    """The stems of a text in order, without words that say nothing, old wording replaced.

    >>> [word.stem for word in words("When this comes into play, its abilities trigger.")]
    ['enter', 'abil', 'trigger']
    >>> words("a Bear dies")[0]
    Word(stem='bear', start=2, end=6)
    """
    printed = [
        (match[0].lower().replace("’", "'").removesuffix("'s"), match.start(), match.end())
        for match in _WORD.finditer(text)
    ]
    return [Word(stem(word), start, end) for word, start, end in _modern(printed) if word not in STOP]


def stems(text: str) -> list[str]:
    """The stems of a text, without their spans."""
    return [word.stem for word in words(text)]


def _modern(printed: Sequence[tuple[str, int, int]]) -> Iterator[tuple[str, int, int]]:
    old, at = _old_wording(), 0
    while at < len(printed):
        for said, new in old.get(printed[at][0], ()):
            span = printed[at : at + len(said)]
            if tuple(word for word, _, _ in span) == said:
                yield from ((word, span[0][1], span[-1][2]) for word in new)
                at += len(said)
                break
        else:
            yield printed[at]
            at += 1


def sentences(text: str) -> list[tuple[int, int]]:
    """The spans of the sentences of a text that have more than two words, or of the whole.

    >>> [text[a:b] for text in ["It dies. Then it comes back. Yes."] for a, b in sentences(text)]
    ['Then it comes back.']
    """
    cuts = [0, *(match.end() for match in _SENTENCE.finditer(text)), len(text)]
    spans = [(start, start + len(text[start:end].rstrip())) for start, end in pairwise(cuts)]
    return [span for span in spans if len(text[span[0] : span[1]].split()) > 2][:12] or [(0, len(text))]
