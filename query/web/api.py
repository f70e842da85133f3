"""Knows the JSON API: which questions it answers under `/api/v1`, and how a long answer is told in parts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Annotated, Any, Literal, TypeVar
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import RedirectResponse

from query.follow import Reached
from query.sparql.named import named_queries
from query.web import contract
from query.web.answers import volume_of, wants_html
from query.web.contract import EditionAsked, Limit, Offset, origin_of
from query.web.neighbours import neighbourhood
from query.web.open_edition import OpenEdition

T = TypeVar("T")
_MOST_LINKS = 20_000
_PROBLEM = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemAnswer"}}}
FAULTS: dict[int | str, dict[str, Any]] = {
    status: {"description": said, "content": _PROBLEM}
    for status, said in (
        (300, "The name fits several entries; the problem lists them."),
        (404, "There is nothing of that number or name."),
        (422, "A parameter has no value of its kind."),
    )
}

router = APIRouter(prefix="/api/v1", responses=FAULTS)


def _edition(request: Request, edition: EditionAsked = None) -> OpenEdition:
    return volume_of(request).edition(edition)


Edition = Annotated[OpenEdition, Depends(_edition)]
Asked = Annotated[
    str, Path(description="A number, keyword, title or glossary term.", max_length=200, examples=["702.19b"])
]


def _listed(
    request: Request, response: Response, edition: OpenEdition, items: Sequence[T], offset: int, limit: int
) -> dict[str, Any]:
    """One part of a list, with the address of the next (RFC 8288) in the answer and in its head."""
    following = None
    if offset + limit < len(items):
        kept = [(name, value) for name, value in request.query_params.multi_items() if name not in ("offset", "limit")]
        following = f"{request.url.path}?{urlencode([*kept, ('offset', offset + limit), ('limit', limit)])}"
        response.headers["Link"] = f'<{following}>; rel="next"'
    part = tuple(items[offset : offset + limit])
    return {**origin_of(edition), "total": len(items), "offset": offset, "next": following, "items": part}


@router.get("", tags=["editions"], response_model=contract.ApiIndex)
def index(request: Request, edition: Edition) -> Any:
    """What the API answers; a browser is sent to its page."""
    if wants_html(request):
        return RedirectResponse("/api", 303, {"Vary": "Accept"})
    found = [
        contract.Operation(method=method.upper(), path=path, summary=said["description"].partition(".")[0])
        for path, methods in request.app.openapi()["paths"].items()
        for method, said in methods.items()
    ]
    return contract.ApiIndex(**origin_of(edition), operations=tuple(found))


@router.get("/editions", tags=["editions"])
def editions(request: Request, edition: Edition) -> contract.EditionList:
    """The editions in the store, oldest first."""
    volume = volume_of(request)
    held = tuple(
        contract.HeldEdition(
            edition=held.edition, sha256=held.sha256, triples=held.triples, current=held.edition == volume.current
        )
        for held in volume.shelved
    )
    return contract.EditionList(**origin_of(edition), items=held)


@router.get("/rules", tags=["rules"])
def rules(
    request: Request,
    response: Response,
    edition: Edition,
    under: Annotated[str | None, Query(description="Only what is below this entry.", max_length=200)] = None,
    offset: Offset = 0,
    limit: Limit = 50,
) -> contract.EntryList:
    """Every section, chapter, rule and subrule in the order of the book, with its text."""
    lookup = edition.base.lookup
    keys: Sequence[str] = [key for key in lookup.keys if key[0].isdigit()]
    if under is not None:
        above = edition.find(under)[0]
        keys = [key for key in keys if above in [named.key for named in lookup.above(key)]]
    answer = _listed(request, response, edition, keys, offset, limit)
    answer["items"] = tuple(lookup.named(key, text=True) for key in answer["items"])
    return contract.EntryList(**answer)


@router.get("/rules/{asked}", tags=["rules"])
def rule(request: Request, edition: Edition, asked: Asked) -> contract.EntryAnswer:
    """A rule, chapter or section by its number or title, with its subrules, examples and links in and out."""
    return contract.EntryAnswer.of(volume_of(request), edition, edition.find(asked)[0])


@router.get("/rules/{asked}/links", tags=["links"])
def links(
    request: Request,
    response: Response,
    edition: Edition,
    asked: Asked,
    direction: Annotated[Literal["in", "out"], Query(description="Towards the entry, or out of it.")] = "out",
    depth: Annotated[int, Query(ge=1, le=5, description="How many steps to go.")] = 1,
    offset: Offset = 0,
    limit: Limit = 50,
) -> contract.LinkList:
    """The references that lead out of an entry or into it, with the words that make them."""
    found: list[Reached] = list(
        islice(edition.base.follow.reached(edition.find(asked)[0], direction, depth), _MOST_LINKS)
    )
    return contract.LinkList(**_listed(request, response, edition, found, offset, limit))


@router.get("/rules/{asked}/neighbours", tags=["links"])
def neighbours(
    edition: Edition,
    asked: Asked,
    most: Annotated[int, Query(ge=1, le=100, description="How many on each side.")] = 20,
) -> contract.NeighbourhoodAnswer:
    """What cites an entry and what it cites, whole rules rather than subrules: what the picture of it shows."""
    lookup = edition.base.lookup
    found = neighbourhood(lookup.entry(edition.find(asked)[0]), lookup, most)
    return contract.NeighbourhoodAnswer(**origin_of(edition), neighbourhood=found)


@router.get("/glossary", tags=["glossary"])
def glossary(
    request: Request, response: Response, edition: Edition, offset: Offset = 0, limit: Limit = 50
) -> contract.EntryList:
    """The glossary, with what it says."""
    keys = [key for key in edition.base.lookup.keys if key.startswith("term/")]
    answer = _listed(request, response, edition, keys, offset, limit)
    answer["items"] = tuple(edition.base.lookup.named(key, text=True) for key in answer["items"])
    return contract.EntryList(**answer)


@router.get("/glossary/{slug}", tags=["glossary"])
def term(
    request: Request, edition: Edition, slug: Annotated[str, Path(max_length=200, examples=["landwalk"])]
) -> contract.EntryAnswer:
    """A glossary entry by the end of its address."""
    return contract.EntryAnswer.of(volume_of(request), edition, edition.find(f"term/{slug}")[0])


@router.get("/cards/{name:path}", tags=["cards"])
def card(
    edition: Edition, name: Annotated[str, Path(max_length=200, examples=["Black Knight"])]
) -> contract.CardAnswer:
    """A card by its name, or the name of a face: attributes, keywords found in its text, tags, rulings."""
    return contract.CardAnswer.of(edition, name)


@router.get("/keywords/{name}", tags=["cards"])
def keyword(
    edition: Edition, name: Annotated[str, Path(max_length=200, examples=["menace"])]
) -> contract.KeywordAnswer:
    """A keyword: its rule and family, the cards that have it and how, rulings that name it."""
    return contract.KeywordAnswer.of(edition, name)


@router.get("/path", tags=["links"])
def path(
    edition: Edition,
    start: Annotated[str, Query(max_length=200, examples=["702.2"])],
    end: Annotated[str, Query(max_length=200, examples=["704.5"])],
) -> contract.PathAnswer:
    """The shortest chain of references between two entries, each step with the words that make it."""
    hops = edition.base.follow.path(edition.find(start)[0], edition.find(end)[0])
    return contract.PathAnswer(**origin_of(edition), hops=hops)


@router.get("/hubs", tags=["links"])
def hubs(
    request: Request, response: Response, edition: Edition, offset: Offset = 0, limit: Limit = 20
) -> contract.HubList:
    """The most cited entries, most cited first."""
    return contract.HubList(**_listed(request, response, edition, edition.base.hubs(10_000), offset, limit))


@router.get("/references", tags=["links"])
def references(
    request: Request, response: Response, edition: Edition, offset: Offset = 0, limit: Limit = 100
) -> contract.ReferenceList:
    """Every reference of the rules and their examples as source and target, ranges expanded."""
    return contract.ReferenceList(**_listed(request, response, edition, edition.references, offset, limit))


@router.get("/suggest", tags=["search"])
def suggest(
    edition: Edition, q: Annotated[str, Query(max_length=100, description="What has been typed so far.")]
) -> contract.SuggestionList:
    """What a reader who has begun to type may mean."""
    return contract.SuggestionList(**origin_of(edition), items=edition.suggestions.beginning(q))


@router.get("/queries", tags=["sparql"])
def queries(edition: Edition) -> contract.QueryList:
    """The named SPARQL queries, for `/sparql`."""
    said = tuple(
        contract.QueryListed(
            name=query.name,
            question=query.question,
            parameters=tuple(
                contract.QueryParameter(name=p.name, kind=p.kind, meaning=p.meaning, default=p.default)
                for p in query.parameters
            ),
            sparql=query.sparql,
        )
        for query in named_queries().values()
    )
    return contract.QueryList(**origin_of(edition), items=said)
