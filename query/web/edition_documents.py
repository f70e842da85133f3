"""Knows the documents of an edition as a whole and of its glossary, in every form: the graph itself is its RDF."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from query.entry import Named
from query.web import schema_org
from query.web.addresses import FORMS, document
from query.web.answers import kept, volume_of, wanted
from query.web.open_edition import OpenEdition
from query.web.problem import BadRequest
from query.web.rendering import page

RDF = ("ttl", "nt", "jsonld")
"""The forms of RDF by the end of an address."""

Listing = Sequence[tuple[Named, Sequence[Named]]]


async def contents(request: Request, edition: OpenEdition, form: str | None) -> Response:
    """The contents of an edition: its sections and their chapters."""
    lookup = edition.base.lookup

    def listing() -> Listing:
        keys = sorted(key for key in edition.keys if len(key) == 1)
        return [(lookup.named(key), lookup.below(key)) for key in keys]

    def html() -> bytes:
        dated = _dated(request, edition)
        sections, site = listing(), request.app.state.setting.address
        parts = [_called(section) for section, _ in sections]
        told = schema_org.contents(site, f"/cr/{edition.date}", edition.date, parts)
        shown = {"sections": sections, "dated": dated, "told": told}
        return page("contents.html", volume_of(request), edition=edition, here="/cr", **shown)

    return await _in_form(request, edition, "", form, html, listing)


async def glossary(request: Request, edition: OpenEdition, form: str | None) -> Response:
    """The glossary of an edition from A to Z."""
    lookup = edition.base.lookup

    def letters() -> dict[str, list[Named]]:
        found: dict[str, list[Named]] = {}
        for key in sorted(key for key in edition.keys if key.startswith("term/")):
            found.setdefault(key[5].upper() if key[5].isalpha() else "#", []).append(lookup.named(key))
        return found

    def html() -> bytes:
        address = f"/cr/{edition.date}/glossary"
        told = schema_org.glossary(request.app.state.setting.address, address, edition.date)
        shown = {"letters": letters(), "dated": _dated(request, edition), "document": document, "told": told}
        return page("glossary.html", volume_of(request), edition=edition, here="/glossary", **shown)

    def listing() -> Listing:
        return [(Named(letter, None), terms) for letter, terms in letters().items()]

    return await _in_form(request, edition, "glossary", form, html, listing)


def _dated(request: Request, edition: OpenEdition) -> str | None:
    """The edition's date where an address must name it."""
    return None if edition.date == volume_of(request).current else edition.date


async def _in_form(
    request: Request,
    edition: OpenEdition,
    what: str,
    form: str | None,
    html: Callable[[], bytes],
    listing: Callable[[], Listing],
) -> Response:
    chosen = form or wanted(request, FORMS)
    if chosen not in FORMS:
        raise BadRequest(f"there is no form {chosen!r}; there are: {', '.join(FORMS)}", 404)
    if chosen in RDF:  # what the graph says of the whole edition is the graph
        names = edition.base.names
        dump = names.graph(edition.date).value.removeprefix(names.base)
        return RedirectResponse(f"/{dump}.{chosen}", 303, {"Vary": "Accept"})
    site, lasting = request.app.state.setting.address, f"/cr/{edition.date}{f'/{what}' if what else ''}"

    def json() -> bytes:
        from query.web.contract import ContentsAnswer

        return ContentsAnswer.of(edition, listing()).model_dump_json(indent=1, exclude_none=True).encode()

    def address(key: str) -> str:
        return f"{site}{document(key, edition.date)}"

    make = {
        "html": html,
        "json": json,
        "md": lambda: markdown(edition.date, listing(), address).encode(),
        "txt": lambda: text(listing()).encode(),
    }[chosen]
    others = "".join(f', <{lasting}.{other}>; rel="alternate"; type="{kind}"' for other, kind in FORMS.items())
    thing = f"{edition.base.names.edition(edition.date).value}{f'/{what}' if what else ''}"
    headers = {
        "Link": f'<{site}{lasting}>; rel="canonical", <{quote(thing, safe=":/")}>; rel="describes"{others}',
        "Content-Location": f"{lasting}.{chosen}",
    }
    return await kept(request, (edition.date, what or "contents", chosen), FORMS[chosen], make, headers)


def markdown(date: str, listing: Listing, address: Callable[[str], str]) -> str:
    """A listing in Markdown, each entry a link.

    >>> print(markdown("2026-09-25", [(Named("7", "Additional"), [Named("702", "Keywords")])], lambda key: f"/{key}"))
    # Comprehensive Rules, 2026-09-25
    <BLANKLINE>
    ## 7 Additional
    <BLANKLINE>
    - [702 Keywords](/702)
    <BLANKLINE>
    """
    lines = [f"# Comprehensive Rules, {date}", ""]
    for above, below in listing:
        lines += [f"## {_called(above)}", "", *(f"- [{_called(one)}]({address(one.key)})" for one in below), ""]
    return "\n".join(lines)


def text(listing: Listing) -> str:
    """A listing in plain text.

    >>> text([(Named("7", "Additional"), [Named("702", "Keywords")])])
    '7 Additional\\n  702 Keywords\\n'
    """
    lines = [(_called(above), [f"  {_called(one)}" for one in below]) for above, below in listing]
    return "".join("\n".join([above, *below]) + "\n" for above, below in lines)


def _called(named: Named) -> str:
    """Number and title; of a glossary entry, its heading."""
    return named.title or named.key if named.key.startswith("term/") else f"{named.key} {named.title or ''}".strip()
