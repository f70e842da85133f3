"""Knows the contract of the JSON API: what every answer carries, and the form of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Self, TypedDict

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field

from query.card_entry import CardEntry, KeywordEntry
from query.entry import Entry, Named
from query.follow import Hop, Hub, Reached
from query.web.addresses import card_page, document, keyword_page
from query.web.neighbours import Neighbourhood
from query.web.open_edition import OpenEdition
from query.web.problem import Choice
from query.web.suggest import Suggestion
from query.web.volume import Volume

MOST = 500
"""How many items one page of a list holds at most."""


class SourceFile(BaseModel):
    """The official file that an answer is from; `outline` says that only its facts are loaded, not its text."""

    name: str = Field(examples=["MagicCompRules 20260925.txt"])
    sha256: str
    outline: bool = False


class Origin(BaseModel):
    """What every answer carries: the edition it is of, and the official file that edition is from."""

    edition: str = Field(description="The edition's effective date.", examples=["2026-09-25"])
    source: SourceFile


class Operation(BaseModel):
    """Something that the API answers: how it is asked, and what it is."""

    method: str
    path: str
    summary: str


class ApiIndex(Origin):
    """What there is: the operations, the contract that describes them, the page on which they can be tried."""

    contract: str = "/openapi.json"
    page: str = "/api"
    sparql: str = "/sparql"
    data_set: str = "/void"
    operations: tuple[Operation, ...]


class ListedEntry(BaseModel):
    """An entry in a listing: its key, its title, and the address of its page."""

    key: str
    title: str | None
    address: str


class EntryAnswer(Origin):
    """A rule, chapter, section or glossary entry with its text and its links."""

    entry: Entry
    address: str = Field(description="The address of its page.")

    @classmethod
    def of(cls, volume: Volume, edition: OpenEdition, key: str) -> Self:
        """The answer for an entry of an edition."""
        entry = edition.base.lookup.entry(key)
        dated = None if edition.date == volume.current else edition.date
        return cls(**origin_of(edition), entry=entry, address=document(key, dated))


class ContentsPart(BaseModel):
    """A part of a listing: a section with its chapters, a letter with its glossary entries."""

    key: str
    title: str | None
    items: tuple[ListedEntry, ...]


class ContentsAnswer(Origin):
    """The contents of an edition, or its glossary from A to Z."""

    parts: tuple[ContentsPart, ...]

    @classmethod
    def of(cls, edition: OpenEdition, listing: Sequence[tuple[Named, Sequence[Named]]]) -> Self:
        """The answer for what is listed."""

        def item(named: Named) -> ListedEntry:
            return ListedEntry(key=named.key, title=named.title, address=document(named.key, edition.date))

        parts = [
            ContentsPart(key=above.key, title=above.title, items=tuple(map(item, below))) for above, below in listing
        ]
        return cls(**origin_of(edition), parts=tuple(parts))


class CardAnswer(Origin):
    """A card: what its source says, what was found in its text, and the rulings on it."""

    card: CardEntry
    address: str

    @classmethod
    def of(cls, edition: OpenEdition, name: str) -> Self:
        """The answer for a card."""
        card = edition.base.card(name)
        return cls(**origin_of(edition), card=card, address=card_page(card.name))


class KeywordAnswer(Origin):
    """A keyword: its rule, its family, how many cards have it and how, rulings that name it."""

    keyword: KeywordEntry
    address: str

    @classmethod
    def of(cls, edition: OpenEdition, name: str) -> Self:
        """The answer for a keyword."""
        keyword = edition.base.keyword(name)
        return cls(**origin_of(edition), keyword=keyword, address=keyword_page(keyword.keyword))


class Listed(Origin):
    """A list of which an answer holds a part: `total` items there are, from `offset` on these; `next` leads on."""

    total: int
    offset: int
    next: str | None = None


class EntryList(Listed):
    """Entries with their titles and texts, in the order of the book."""

    items: tuple[Named, ...]


class LinkList(Listed):
    """References, with how many steps away they are."""

    items: tuple[Reached, ...]


class HubList(Listed):
    """The most cited entries."""

    items: tuple[Hub, ...]


class ReferenceList(Listed):
    """Every reference of the rules as source and target."""

    items: tuple[tuple[str, str], ...]


class PathAnswer(Origin):
    """The shortest chain of references between two entries."""

    hops: tuple[Hop, ...]


class NeighbourhoodAnswer(Origin):
    """What cites an entry, and what it cites."""

    neighbourhood: Neighbourhood


class SuggestionList(Origin):
    """What a reader who has begun to type may mean."""

    items: tuple[Suggestion, ...]


class HeldEdition(BaseModel):
    """An edition in the store."""

    edition: str
    sha256: str
    triples: int
    current: bool


class EditionList(Origin):
    """The editions in the store, oldest first."""

    items: tuple[HeldEdition, ...]


class QueryParameter(BaseModel):
    """A place to fill in a named query."""

    name: str
    kind: str
    meaning: str
    default: str | None


class QueryListed(BaseModel):
    """A named SPARQL query."""

    name: str
    question: str
    parameters: tuple[QueryParameter, ...]
    sparql: str


class QueryList(Origin):
    """The named SPARQL queries."""

    items: tuple[QueryListed, ...]


class ProblemAnswer(BaseModel):
    """A fault (RFC 9457): what happened, what to do next, and what was perhaps meant."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    detail: str
    did_you_mean: list[Choice] = []


class Carried(TypedDict):
    """The members of an `Origin`."""

    edition: str
    source: SourceFile


def origin_of(edition: OpenEdition) -> Carried:
    """What an answer carries of its edition."""
    name, sha256, outline = edition.base.lookup.origin
    return {"edition": edition.date, "source": SourceFile(name=name, sha256=sha256, outline=outline)}


EditionAsked = Annotated[
    str | None,
    Query(description="The edition, by its date; the current one if left out.", pattern=r"^\d{4}-\d\d-\d\d$"),
]
Offset = Annotated[int, Query(ge=0, le=1_000_000, description="How many items to skip.")]
Limit = Annotated[int, Query(ge=1, le=MOST, description="How many items to answer with.")]
