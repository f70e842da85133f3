"""Knows which names a text mentions: the longest match of several words in a table of names."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from kb.words import Word

Name = tuple[str, ...]
"""A name as its stems."""


@dataclass(frozen=True, slots=True)
class FoundName:
    """A name found in a text, and its span there."""

    name: Name
    start: int
    end: int


def found_names(said: Sequence[Word], names: Collection[Name], longest: int) -> Iterator[FoundName]:
    """Every name in a text, the longest that begins at each word; `longest` is the most words a name has.

    >>> from kb.words import words
    >>> [found.name for found in found_names(words("first strike damage"), {("first", "strike"), ("strike",)}, 2)]
    [('first', 'strike')]
    """
    at = 0
    while at < len(said):
        for length in range(min(longest, len(said) - at), 0, -1):
            span = said[at : at + length]
            name = tuple(word.stem for word in span)
            if name in names:
                yield FoundName(name, span[0].start, span[-1].end)
                at += length
                break
        else:
            at += 1


def longest_name(names: Collection[Name]) -> int:
    """The most words that a name has."""
    return max(map(len, names), default=0)
