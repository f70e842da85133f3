"""Knows the pages that search engines are told of (sitemaps.org): an index, and lists of at most 50,000 addresses."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import islice

from pyoxigraph import NamedNode
from starlette.requests import Request
from starlette.responses import Response

from kb.vocabulary import RDF, SKOS, SR
from query.web.addresses import card_page, document, keyword_page
from query.web.answers import kept, volume_of
from query.web.open_edition import OpenEdition, card_names
from query.web.problem import BadRequest

_XML = "application/xml"
_MOST = 50_000
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
_SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
_PAGES = ("/", "/about", "/cr", "/glossary", "/ontology", "/cite", "/board", "/api")


def rules(edition: OpenEdition) -> Iterator[str]:
    """The pages of the site as a whole, of every entry, and of every keyword."""
    yield from _PAGES
    yield from (document(key) for key in edition.base.lookup.keys)
    store, graph = edition.base.store, edition.base.names.graph(edition.date)
    for quad in store.quads(None, RDF.type, SR.Keyword, graph):
        if isinstance(quad.subject, NamedNode):
            label = next(store.quads(quad.subject, SKOS.prefLabel, None, graph), None)
            if label is not None:
                yield keyword_page(label.object.value)  # type: ignore[union-attr]


def cards(edition: OpenEdition) -> Iterator[str]:
    """The page of every card."""
    return (card_page(name) for name in sorted(set(card_names(edition.on_disk))))


LISTS = {"rules": rules, "cards": cards}
"""The kinds of lists, each in as many parts as it needs."""


async def index(request: Request) -> Response:
    """The list of the lists."""
    volume, site = volume_of(request), request.app.state.setting.address

    def make() -> bytes:
        day = volume.modified.date().isoformat()
        lines = [_HEAD, f"<sitemapindex {_SPACE}>"]
        for name, listed in LISTS.items():
            parts = -(-sum(1 for _ in listed(volume.edition())) // _MOST)
            for at in range(1, parts + 1):
                lines.append(f"<sitemap><loc>{site}/sitemap/{name}-{at}.xml</loc><lastmod>{day}</lastmod></sitemap>")
        return "\n".join([*lines, "</sitemapindex>\n"]).encode()

    return await kept(request, "sitemap", _XML, make)


async def part(request: Request) -> Response:
    """One list: the addresses of at most 50,000 pages."""
    volume, site = volume_of(request), request.app.state.setting.address
    name, _, number = request.path_params["name"].partition("-")
    if name not in LISTS or not (number.isascii() and number.isdigit() and 0 < int(number) < 100):
        raise BadRequest(f"there is no such list of pages; they are named in {site}/sitemap.xml", 404)
    first = (int(number) - 1) * _MOST

    def make() -> bytes:
        day = volume.modified.date().isoformat()
        pages = islice(LISTS[name](volume.edition()), first, first + _MOST)
        entries = (f"<url><loc>{escape(site + page)}</loc><lastmod>{day}</lastmod></url>" for page in pages)
        return "\n".join([_HEAD, f"<urlset {_SPACE}>", *entries, "</urlset>\n"]).encode()

    return await kept(request, ("sitemap", name, number), _XML, make)
