"""Knows the search: one box for numbers, names, words and phrases, with filters, as a page and as JSON."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from kb.errors import SeeruleError
from kb.index import NoIndex
from query.search import KINDS, Filters, Found, Hit
from query.web.addresses import card_page, document
from query.web.answers import shown, volume_of
from query.web.open_edition import OpenEdition
from query.web.passage import Words
from query.web.problem import Problem, problem_of
from query.web.volume import Volume

MOST = 25
LONGEST = 300


async def found(volume: Volume, edition: OpenEdition, text: str, filters: Filters) -> Found:
    """What is found for a text; one search after another, since the index belongs to one thread."""
    searching = edition.on_disk.search
    return await asyncio.get_running_loop().run_in_executor(volume.searching, searching, text[:LONGEST], filters)


async def search(request: Request) -> Response:
    """The page of a search; what is the very name of something leads there at once."""
    volume = volume_of(request)
    asked = request.query_params.get("q", "").strip()
    edition = volume.edition(request.query_params.get("edition") or None)
    if not asked:
        return RedirectResponse("/", 303)
    filters = _filters(request)
    problem: Problem | None = None
    answer: Found | None = None
    try:
        answer = await found(volume, edition, asked, filters)
    except NoIndex as error:
        problem = problem_of(error)
        with suppress(SeeruleError):
            return RedirectResponse(document(edition.find(asked)[0]), 303)
    except SeeruleError as error:
        problem = problem_of(error)
    return await shown(request, "search.html", **_names(asked, filters, edition, answer, problem))


def _filters(request: Request) -> Filters:
    kind, section, card = (request.query_params.get(name, "").strip() for name in ("kind", "section", "card"))
    return Filters(kind if kind in KINDS else None, section[:10], card or None, MOST)


def _names(
    asked: str, filters: Filters, edition: OpenEdition, answer: Found | None, problem: Problem | None
) -> dict[str, Any]:
    return {
        "q": asked,
        "filters": filters,
        "kinds": KINDS,
        "edition": edition,
        "found": answer,
        "problem": problem,
        "hits": [(hit, address(hit), list(marked(hit))) for hit in answer.hits] if answer is not None else [],
    }


def address(hit: Hit) -> str:
    """Where the page of a hit is."""
    if hit.kind == "ruling":
        return f"/ruling/{hit.key}"
    return card_page(hit.key) if hit.kind == "card" else document(hit.key)


def marked(hit: Hit, longest: int = 700) -> Iterator[Words]:
    """A hit's passage, cut at the words that were sought."""
    at = 0
    for start, end in hit.marks:
        if start < at:
            continue
        yield Words(hit.text[at:start])
        yield Words(hit.text[start:end], marked=True)
        at = end
        if at > longest:
            yield Words(" …")
            return
    rest = hit.text[at : max(at, longest)]
    yield Words(rest + (" …" if len(hit.text) > max(at, longest) else ""))
