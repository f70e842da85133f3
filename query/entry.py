"""Knows what an answer of a look-up consists of: a rule or glossary entry with its place, its text and its links."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Named:
    """Something of the rulebook by its key (`702.7`, `term/landwalk`), with what is known of it."""

    key: str
    title: str | None = None
    text: str | None = None
    examples: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.key} {self.title}" if self.title else self.key


@dataclass(frozen=True, slots=True)
class FoundLink:
    """A reference between two entries, with its evidence.

    `source` and `target` are keys; `target` is None where the reference reaches nothing, and `fault` then says why.
    `place` is `text`, `example 1` or `glossary`; `start` and `end` are offsets of `quote` in that passage.
    """

    source: str
    source_title: str | None
    target: str | None
    target_title: str | None
    kind: str
    quote: str
    place: str
    start: int
    end: int
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A section, chapter, rule, subrule or glossary entry of one edition, or a part that bears no number.

    `kind` is one of these words, `part` for the introduction and the credits; `above` leads from the section down to
    what holds the entry, `below` are the next narrower ones with their text. `links_out` and `links_in` carry their
    evidence, a rule's also those of its subrules; `glossary` is what the glossary says under the same name. `source`
    and `sha256` tell the official file; `outline` that its text is not loaded.
    """

    edition: str
    key: str
    kind: str
    iri: str
    title: str | None
    text: str | None
    examples: tuple[str, ...]
    above: tuple[Named, ...]
    below: tuple[Named, ...]
    links_out: tuple[FoundLink, ...]
    links_in: tuple[FoundLink, ...]
    source: str
    sha256: str
    line: int | None = None
    glossary: Named | None = None
    outline: bool = False

    def as_json(self) -> dict[str, Any]:
        """The entry as plain values, for JSON."""
        return asdict(self)
