"""Knows the page on which a ruling or question is pasted and answered with the rules that govern it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from kb.errors import SeeruleError
from query.web.answers import shown, volume_of
from query.web.form import posted
from query.web.passage import Words
from query.web.problem import problem_of
from query.web.thought import cite as cite_aside
from query.web.volume import Volume

LONGEST = 5000
MOST_CARDS = 20


async def cited(volume: Volume, edition: str, text: str, answer: str, cards: Sequence[str]) -> dict[str, Any]:
    """The rules that govern a text, found aside; raises `Unanswerable` and `TookTooLong`."""
    found: dict[str, Any] = await volume.citing.run(
        cite_aside,
        volume.store.full_location,
        edition,
        volume.site,
        text[:LONGEST],
        answer[:LONGEST],
        list(cards)[:MOST_CARDS],
    )
    return found


async def cite(request: Request) -> Response:
    """The page: the text, and once it is given its rules with the words that led to them."""
    fields = await posted(request)
    text, cards = fields.get("text", "").strip(), [name for name in fields.get("cards", "").split("\n") if name.strip()]
    volume = volume_of(request)
    found: Mapping[str, Any] | None = None
    problem = None
    try:
        if text:
            found = await cited(volume, volume.current, text, "", [name.strip() for name in cards])
    except SeeruleError as error:
        problem = problem_of(error)
    names = {"text": text, "cards": "\n".join(cards), "found": found, "problem": problem, "longest": LONGEST}
    marks = list(highlighted(found)) if found else []
    return await shown(request, "cite.html", problem.status if problem else 200, here="/cite", marks=marks, **names)


def highlighted(found: Mapping[str, Any]) -> Iterator[Words]:
    """The text, with the words marked that led to some asserted rule, or to the best candidate where none is."""
    citations = found["citations"]
    telling = [one for one in citations if one["asserted"]] or citations[:1]
    spans = sorted({(mark["start"], mark["end"]) for one in telling for mark in one["evidence"]})
    at = 0
    for start, end in spans:
        if start < at:
            continue
        yield Words(found["text"][at:start])
        yield Words(found["text"][start:end], marked=True)
        at = end
    yield Words(found["text"][at:])
