"""Knows the addresses of cards, keywords and rulings, in every form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from urllib.parse import quote

from pyoxigraph import NamedNode
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from kb.store import Triples
from kb.vocabulary import PREFIXES, SR
from query.describe import card_description, keyword_description
from query.errors import UnknownCard
from query.sparql.formats import write
from query.web import schema_org
from query.web.addresses import FORMS, Asked, card_page, keyword_page
from query.web.answers import kept, volume_of, wanted
from query.web.card_page import CardPage
from query.web.entry_page import EntryPage
from query.web.leads import naming_query
from query.web.open_edition import OpenEdition
from query.web.passage import shortened
from query.web.rendering import page
from query.web.thing_documents import as_description, said_of_ruling
from query.web.volume import Volume

_RDF = {"ttl": "turtle", "nt": "ntriples", "jsonld": "jsonld"}
_LISTING = """SELECT DISTINCT ?card ?how ?keyword {
  VALUES ?how { sr:prints sr:hasConditionally sr:grants sr:speaksOf }
  ?which skos:broader* <KEYWORD> ; skos:prefLabel ?keyword .
  ?of ?how ?which ; sr:name ?card .
} ORDER BY ?how ?card"""
"""Which cards have a keyword or a variant of it, and how: all of them, where a page shows some."""

Makers = Mapping[str, Callable[[], bytes]]


async def card(request: Request) -> Response:
    """A card by its name, `/card/Black Knight`, `/card/black-knight.json`; by another spelling, where it is."""
    asked = Asked.parse(request.path_params["path"])
    edition = volume_of(request).edition(request.query_params.get("edition"))
    found = await run_in_threadpool(lambda: _named(edition, asked.entry))
    if found != asked.entry:
        return RedirectResponse(card_page(found, asked.form or ""), 303)
    return await _in_form(request, asked.form, ("card", edition.date, found), _card_makers(request, edition, found))


def _named(edition: OpenEdition, asked: str) -> str:
    """The full name of the card that `asked` names, or is the key of."""
    cards = edition.base.cards
    node = edition.base.names.card(asked)
    graph = edition.base.names.collection("cards")
    if next(edition.base.store.quads(node, None, None, graph), None) is None:
        node = cards.find(asked)
    return next(quad.object.value for quad in edition.base.store.quads(node, SR.name, None, graph))  # type: ignore[union-attr]


def _card_makers(request: Request, edition: OpenEdition, name: str) -> Makers:
    volume, site = volume_of(request), request.app.state.setting.address

    def html() -> bytes:
        shown = CardPage(edition, edition.base.card(name))
        forms = [(form, kind, card_page(name, form)) for form, kind in FORMS.items() if form != "html"]
        said = " // ".join(f"{face.type_line or ''}: {face.text or ''}" for face in shown.card.faces)
        told = schema_org.card(site, card_page(name), name, shortened(said, 300))
        return page(
            "card.html", volume, page=shown, card=shown.card, edition=edition, site=site, forms=forms, told=told
        )

    def json() -> bytes:
        from query.web.contract import CardAnswer

        return CardAnswer.of(edition, name).model_dump_json(indent=1).encode()

    def text(*, markdown: bool) -> bytes:
        from click import unstyle

        from query.card_text import Style, card_text

        return f"{unstyle(card_text(edition.base.card(name), Style(markdown)))}\n".encode()

    return {
        "html": html,
        "json": json,
        "md": lambda: text(markdown=True),
        "txt": lambda: text(markdown=False),
        **_rdf(lambda: card_description(edition.base, edition.base.cards.find(name))),
    }


def _rdf(described: Callable[[], Triples]) -> dict[str, Callable[[], bytes]]:
    return {form: partial(_written, described, format) for form, format in _RDF.items()}


def _written(described: Callable[[], Triples], format: str) -> bytes:
    return write(described(), format, PREFIXES).body


async def keyword(request: Request) -> Response:
    """A keyword by its name, `/keyword/first-strike`."""
    asked = Asked.parse(request.path_params["path"])
    volume = volume_of(request)
    edition = volume.edition(request.query_params.get("edition"))
    node, name = await run_in_threadpool(lambda: edition.base.cards.keywords.find(asked.entry))
    if keyword_page(name) != f"/keyword/{quote(asked.entry)}":
        return RedirectResponse(keyword_page(name, asked.form or ""), 303)
    return await _in_form(
        request, asked.form, ("keyword", edition.date, name), _keyword_makers(volume, edition, node, name)
    )


def _keyword_makers(volume: Volume, edition: OpenEdition, node: NamedNode, name: str) -> Makers:
    def html() -> bytes:
        found = edition.base.keyword(name, 12, 12)
        forms = [(form, kind, keyword_page(name, form)) for form, kind in FORMS.items() if form != "html"]
        rule = EntryPage(volume, edition, found.rule.number)
        listed = {
            "listing": _LISTING.replace("KEYWORD", found.iri),
            "naming": naming_query(edition, found.rule.number, name),
        }
        told = schema_org.keyword(volume.site, keyword_page(name), name, found.rule.number, rule.summary)
        return page("keyword.html", volume, keyword=found, rule=rule, edition=edition, forms=forms, told=told, **listed)

    def json() -> bytes:
        from query.web.contract import KeywordAnswer

        return KeywordAnswer.of(edition, name).model_dump_json(indent=1).encode()

    def text(*, markdown: bool) -> bytes:
        from click import unstyle

        from query.card_text import Style, keyword_text

        return f"{unstyle(keyword_text(edition.base.keyword(name), Style(markdown)))}\n".encode()

    return {
        "html": html,
        "json": json,
        "md": lambda: text(markdown=True),
        "txt": lambda: text(markdown=False),
        **_rdf(lambda: keyword_description(edition.base, node)),
    }


async def ruling(request: Request) -> Response:
    """A ruling by its key: its place on the page of its card, or what the graphs say of it as RDF."""
    asked = Asked.parse(request.path_params["key"])
    key, edition = asked.entry, volume_of(request).edition()
    base = edition.base

    def found() -> str | None:
        cards = base.store.quads(base.names.ruling(key), SR.rulingOn, None, base.names.collection("rulings"))
        node = next((quad.object for quad in cards if isinstance(quad.object, NamedNode)), None)
        return _named(edition, node.value.rpartition("/")[2]) if node is not None else None

    name = await run_in_threadpool(found)
    if name is None:
        raise UnknownCard(f"there is no ruling {key!r}")
    if (asked.form or wanted(request, FORMS)) not in _RDF:
        return RedirectResponse(f"{card_page(name, asked.form or '')}#ruling-{key}", 303, {"Vary": "Accept"})
    quads = await run_in_threadpool(lambda: said_of_ruling(volume_of(request), key))
    return await as_description(request, ("ruling", key), asked.form, quads, bytes)


async def _in_form(request: Request, form: str | None, name: tuple[str, ...], makers: Makers) -> Response:
    chosen = form or wanted(request, FORMS)
    return await kept(request, (*name, chosen), FORMS[chosen], makers[chosen])
