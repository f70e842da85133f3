"""Knows the addresses below `/cr` and `/term`: every entry of every edition, in every form."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from kb.vocabulary import PREFIXES
from query.describe import description
from query.markdown import entry_markdown
from query.sparql.formats import write
from query.web import edition_documents
from query.web.addresses import FORMS, Asked, document
from query.web.answers import kept, volume_of, wanted
from query.web.entry_page import CITING_A_PAGE, MOST_CITING, EntryPage
from query.web.open_edition import OpenEdition
from query.web.problem import BadRequest
from query.web.rendering import page
from query.web.setting import Setting
from query.web.volume import Volume

_RDF = {"ttl": "turtle", "nt": "ntriples", "jsonld": "jsonld"}
_CITED_BY = "/cited-by"


async def entry(request: Request) -> Response:
    """An entry, or where it is: `/cr/702.19b`, `/cr/2026-09-25/702.19b.ttl`, `/cr/trample`, `/term/landwalk`."""
    volume, prefix = volume_of(request), request.scope["route"].path.split("/")[1]
    given = request.path_params["path"]
    asked = Asked.parse(given if prefix == "cr" else f"term/{given}")
    edition = volume.edition(asked.edition)
    if not asked.entry:
        return await edition_documents.contents(request, edition, asked.form)
    if asked.entry.startswith("keyword/"):
        form = f".{asked.form}" if asked.form else ""
        dated = f"?edition={asked.edition}" if asked.edition else ""
        return RedirectResponse(f"/{quote(asked.entry)}{form}{dated}", 303)
    if asked.entry == "glossary":
        return await edition_documents.glossary(request, edition, asked.form)
    if asked.entry.endswith(_CITED_BY):
        cited = asked.entry.removesuffix(_CITED_BY)
        if asked.form in (None, "html"):
            return await cited_by(request, volume, edition, cited)
        return _citing_in_form(edition, cited, str(asked.form))
    key, place = await _found(edition, asked.entry)
    if key != asked.entry:
        address = document(key, asked.edition, asked.form or "") + (f"#{place}" if place else "")
        return RedirectResponse(address, 303)
    form = asked.form or wanted(request, FORMS)
    setting: Setting = request.app.state.setting
    headers = _headers(setting, volume, edition, key, form)
    make = _makers(volume, edition, key, setting)[form]
    return await kept(request, (edition.date, key, form), FORMS[form], make, headers)


async def _found(edition: OpenEdition, asked: str) -> tuple[str, str]:
    """What an address names; an edition that nobody has asked for yet is read where others need not wait for it."""
    return edition.find(asked) if edition.is_known else await run_in_threadpool(edition.find, asked)


def _headers(setting: Setting, volume: Volume, edition: OpenEdition, key: str, form: str) -> dict[str, str]:
    """Which address this form of the entry has, and where the others and the thing itself are (RFC 8288)."""
    dated = None if edition.date == volume.current else edition.date
    others = "".join(f', <{document(key, dated, other)}>; rel="alternate"; type="{FORMS[other]}"' for other in FORMS)
    thing = volume.names.rule(edition.date, key).value
    canonical = f"{setting.address}{document(key, edition.date)}"
    return {
        "Link": f'<{canonical}>; rel="canonical", <{thing}>; rel="describes"{others}',
        "Content-Location": document(key, dated, form),
    }


def _makers(volume: Volume, edition: OpenEdition, key: str, setting: Setting) -> dict[str, Callable[[], bytes]]:
    lookup, site = edition.base.lookup, setting.address

    def address(key: str) -> str:
        return f"{site}{document(key, edition.date)}"

    def text() -> str:
        from click import unstyle

        from query.render import entry_text

        return f"{unstyle(entry_text(lookup.entry(key)))}\n"

    def json() -> bytes:
        from query.web.contract import EntryAnswer

        return EntryAnswer.of(volume, edition, key).model_dump_json(indent=1).encode()

    def rdf(format: str) -> Callable[[], bytes]:
        return lambda: write(description(lookup, key), format, PREFIXES).body

    return {
        "html": lambda: _html(volume, edition, key, site),
        "json": json,
        "md": lambda: entry_markdown(lookup.entry(key), address).encode(),
        "txt": lambda: text().encode(),
        **{form: rdf(format) for form, format in _RDF.items()},
    }


def _html(volume: Volume, edition: OpenEdition, key: str, site: str) -> bytes:
    return page(
        "entry.html",
        volume,
        page=EntryPage(volume, edition, key),
        edition=edition,
        site=site,
        forms=[(form, kind) for form, kind in FORMS.items() if form != "html"],
        most_citing=MOST_CITING,
    )


async def contents(request: Request) -> Response:
    """The contents of the current edition; `/cr?title=trample` leads to what bears that title."""
    volume = volume_of(request)
    if title := request.query_params.get("title"):
        return RedirectResponse(document(volume.edition(request.query_params.get("edition")).find(title)[0]), 303)
    if asked := request.query_params.get("entry"):
        return _in_edition(volume, asked, request.query_params.get("edition"), request.query_params.get("from"))
    return await edition_documents.contents(request, volume.edition(), request.path_params.get("form"))


def _in_edition(volume: Volume, asked: str, date: str | None, came_from: str | None) -> Response:
    """The entry of one edition in another: where its words stand there, if they do."""
    edition = volume.edition(date)
    dated = None if edition.date == volume.current else edition.date
    before = volume.edition(came_from)
    if asked in before.keys:
        asked = EntryPage(volume, before, asked).key_in(edition) or asked
    return RedirectResponse(document(edition.find(asked)[0], dated), 303)


async def glossary(request: Request) -> Response:
    """The glossary of the current edition."""
    return await edition_documents.glossary(request, volume_of(request).edition(), request.path_params.get("form"))


def _citing_in_form(edition: OpenEdition, cited: str, form: str) -> Response:
    """What cites an entry, where a program asks: the API lists it; in the other forms it stands with the entry."""
    if form != "json":
        raise BadRequest(f"what cites {cited} is a page or .json; there is no .{form} of it", 404)
    key = edition.find(cited)[0]
    return RedirectResponse(f"/api/v1/rules/{quote(key, safe='')}/links?direction=in&edition={edition.date}", 303)


async def cited_by(request: Request, volume: Volume, edition: OpenEdition, asked: str) -> Response:
    """Everything that cites an entry, some on each page."""
    key, _ = await _found(edition, asked)
    number = request.query_params.get("page", "1")
    if not (number.isascii() and number.isdigit() and 0 < int(number) < 1000):
        raise BadRequest(f"page={number}: give the number of a page, from 1")
    at = int(number)

    def make() -> bytes:
        shown = EntryPage(volume, edition, key)
        pages = -(-shown.citing_count // CITING_A_PAGE)
        citings = list(shown.citing((at - 1) * CITING_A_PAGE, CITING_A_PAGE))
        return page("cited_by.html", volume, edition=edition, page=shown, citings=citings, at=at, pages=pages)

    return await kept(request, (edition.date, key, "cited-by", at), "text/html", make)
