"""Knows how a page is made from its template: what every page can ask for, and that everything is escaped."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from query.web import assets
from query.web.addresses import card_page, document, keyword_page
from query.web.card_page import symbols
from query.web.passage import shortened
from query.web.volume import Volume

NAVIGATION = (
    ("/cr", "Rules"),
    ("/glossary", "Glossary"),
    ("/cite", "Cite"),
    ("/board", "Board"),
    ("/sparql", "SPARQL"),
    ("/api", "API"),
)


@cache
def _templates() -> Environment:
    found = Environment(
        loader=FileSystemLoader(assets.TEMPLATES),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals |= {
        "asset": assets.address,
        "has": assets.has,
        "shortened": shortened,
        "document": document,
        "card_page": card_page,
        "keyword_page": keyword_page,
        "symbols": symbols,
        "navigation": NAVIGATION,
        "q": "",
        "here": "",
        "told": None,
    }
    return found


def page(template: str, volume: Volume, **shown: Any) -> bytes:
    """A page as HTML; `shown` are the names that its template uses beside `edition`, `volume` and the globals."""
    names = {"edition": volume.edition(), "volume": volume, "outline": volume.outline} | shown
    return _templates().get_template(template).render(names).encode()


def warm() -> None:
    """Reads every template, so that the first reader need not wait for it."""
    for name in _templates().list_templates():
        _templates().get_template(name)
