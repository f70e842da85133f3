"""Knows the part of the JSON API that answers what somebody wrote: search, cite, ask."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field, StrictBool

from query.search import Filters, Found
from query.web.answers import volume_of
from query.web.api import FAULTS, Edition
from query.web.board_page import judged
from query.web.cite_page import LONGEST, MOST_CARDS, cited
from query.web.contract import Origin, origin_of
from query.web.search_page import found

router = APIRouter(prefix="/api/v1", responses=FAULTS)
_LARGEST_BOARD = 200_000
_SAID = {
    400: "The body is not JSON.",
    413: "The body is too large.",
    422: "The body is not as described here, or the board or question is none that can be answered.",
    504: "No answer was found in time.",
}
_POSTED: dict[int | str, dict[str, Any]] = {
    status: {**FAULTS[404], "description": said} for status, said in _SAID.items()
}


class SearchAnswer(Origin):
    """What was found, best first."""

    found: Found


class CiteRequest(BaseModel):
    """A text to find the rules for, the answer that it was given, and the names of cards that it is about."""

    text: str = Field(min_length=1, max_length=LONGEST, examples=["Can a creature with reach block one with flying?"])
    answer: str = Field("", max_length=LONGEST)
    cards: list[Annotated[str, Field(max_length=200)]] = Field([], max_length=MOST_CARDS)


class Evidence(BaseModel):
    """Words of the text that led to a rule, where they stand, and how they did."""

    text: str
    start: int
    end: int
    why: str


class CitedRule(BaseModel):
    """A rule that may govern the text; `asserted` where the measured precision supports it."""

    rule: str
    title: str
    text: str
    confidence: float
    asserted: bool
    evidence: list[Evidence]
    formats: dict[str, str]


class CiteAnswer(Origin):
    """The rules that govern a text, best first; `text` is what the places of the evidence count in."""

    text: str
    citations: list[CitedRule]


class AskRequest(BaseModel):
    """A board, in a notation of board files, and a question about it; `why_not` asks what would change the answer."""

    board: str = Field(min_length=1, max_length=_LARGEST_BOARD, examples=["players: [ann, bob]"])
    notation: Literal["yaml", "json", "ttl"] = "yaml"
    question: str = Field(min_length=1, max_length=300, examples=["can_block(bear, drake)", "legal_blocks"])
    why_not: StrictBool = False


class AskAnswer(Origin):
    """The answer about a board: `yes`, `no` or `undetermined`, with the steps of its proof and the rules beneath."""

    question: str
    answer: Literal["yes", "no", "undetermined"]
    found: list[str]
    citations: list[str]
    missing: list[str]
    not_encoded: list[str]
    branches: int
    proof: tuple[dict[str, Any], ...] = ()
    declaration: dict[str, Any] | None = None
    flips: list[list[str]] | None = None


@router.get("/search", tags=["search"])
async def search(
    request: Request,
    edition: Edition,
    q: Annotated[str, Query(min_length=1, max_length=300, description="A number, name, words, a phrase, -without.")],
    kind: Annotated[Literal["rule", "glossary", "example", "ruling"] | None, Query(description="Only these.")] = None,
    section: Annotated[str, Query(max_length=10, description="Only what is under this number.")] = "",
    card: Annotated[str | None, Query(max_length=200, description="The rules and rulings of this card.")] = None,
    limit: Annotated[int, Query(ge=1, le=50, description="How many at most.")] = 10,
) -> SearchAnswer:
    """Search rules, examples, glossary entries and rulings; what has the very name comes first."""
    answer = await found(volume_of(request), edition, q, Filters(kind, section, card, limit))
    return SearchAnswer(**origin_of(edition), found=answer)


@router.post("/cite", tags=["cite"], responses=_POSTED)
async def cite(request: Request, edition: Edition, asked: CiteRequest) -> CiteAnswer:
    """The rules that govern a ruling, question or answer, each with the words that led there."""
    answer = await cited(volume_of(request), edition.date, asked.text, asked.answer, asked.cards)
    return CiteAnswer(**origin_of(edition), **answer)


@router.post("/ask", tags=["boards"], responses=_POSTED)
async def ask(request: Request, edition: Edition, asked: AskRequest) -> AskAnswer:
    """The answer to a question about a board, with its proof."""
    volume = volume_of(request)
    answer = await judged(volume, edition.date, asked.board, asked.notation, asked.question, flip=asked.why_not)
    return AskAnswer(**{**answer, **origin_of(edition)})
