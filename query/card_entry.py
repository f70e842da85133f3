"""Knows what an answer about a card, a keyword or rulings consists of: attributes, extracted facts and inferences,
kept apart.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from query.entry import Named


@dataclass(frozen=True, slots=True)
class FoundUse:
    """A use of a keyword in a face's text: extracted, so it comes with its span.

    `keyword`, `number` and `title` say which keyword and which rule; `family` what it is a variant of, nearest first;
    `origin` is printed, conditional, granted, named, reminder, ability word or flavor word.
    """

    keyword: str
    number: str
    title: str | None
    origin: str
    quote: str
    start: int
    end: int
    parameter: str | None = None
    condition: str | None = None
    recipient: str | None = None
    family: tuple[Named, ...] = ()


@dataclass(frozen=True, slots=True)
class FaceEntry:
    """A face: its attributes as the source has them, and the uses of keywords found in its text."""

    name: str
    mana_cost: str | None
    type_line: str | None
    text: str | None
    power: str | None = None
    toughness: str | None = None
    loyalty: str | None = None
    defense: str | None = None
    colors: str | None = None
    uses: tuple[FoundUse, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundTag:
    """A tag with what it follows from: a rule, a field of the source, or both."""

    group: str
    label: str
    rule: str | None
    field: str | None


@dataclass(frozen=True, slots=True)
class FoundRuling:
    """A ruling; `cites` are the rules whose numbers it prints, `mentions` what was inferred that it names.

    `unresolved` are the numbers that it prints of which it is not known which rule they meant, each with why.

    `why` says, where rulings were asked for by rule, what leads from this one to the rule; `confidence` is of
    that link.
    """

    key: str
    card: str
    date: str | None
    source: str
    text: str
    cites: tuple[str, ...] = ()
    mentions: tuple[FoundMention, ...] = ()
    why: str | None = None
    confidence: str | None = None
    unresolved: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundMention:
    """What a ruling names, at `start` to `end`, and how that was inferred."""

    name: str
    kind: str
    start: int
    end: int
    method: str
    confidence: str


@dataclass(frozen=True, slots=True)
class CardEntry:
    """A card: what its source says (faces, legalities), what was found in its text (uses, tags), the rulings on it.

    `rules` are the rules of the keywords on its faces with their operative texts; `edition` the edition they are of.
    `read_by` is the edition by whose keywords and terms the texts were read, the newest of the store: a rule that only
    that has is numbered `2026-09-25/702.193`.
    """

    name: str
    key: str
    iri: str
    edition: str
    layout: str
    mana_value: str | None
    color_identity: str | None
    faces: tuple[FaceEntry, ...]
    rules: tuple[KeywordRule, ...]
    tags: tuple[FoundTag, ...]
    legalities: tuple[tuple[str, str], ...]
    legalities_as_of: str | None
    rulings: tuple[FoundRuling, ...]
    read_by: str = ""

    def as_json(self) -> dict[str, Any]:
        """The card as plain values, for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class KeywordRule:
    """The rule of a keyword: its number, heading and operative text, without cross-references and redundancy
    clauses.
    """

    keyword: str
    number: str
    title: str | None
    text: tuple[Named, ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class KeywordEntry:
    """A keyword: its rule, what it is a variant of and what is a variant of it, the cards that have it and how.

    `counts` are numbers of cards by how they have it, `samples` some of their names; `rulings` bear on it.
    `read_by` is the edition by whose keywords the cards were read.
    """

    keyword: str
    kind: str
    iri: str
    edition: str
    rule: KeywordRule
    broader: tuple[Named, ...]
    narrower: tuple[Named, ...]
    counts: tuple[tuple[str, int], ...]
    samples: tuple[tuple[str, tuple[str, ...]], ...]
    rulings: tuple[FoundRuling, ...]
    rulings_in_all: int
    read_by: str = ""

    def as_json(self) -> dict[str, Any]:
        """The keyword as plain values, for JSON."""
        return asdict(self)
