"""Knows the addresses of the site: where the page of a rule is, and which entry and form an address means."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote

from kb.vocabulary import slug

FORMS = {
    "html": "text/html",
    "json": "application/json",
    "jsonld": "application/ld+json",
    "ttl": "text/turtle",
    "nt": "application/n-triples",
    "md": "text/markdown",
    "txt": "text/plain",
}
"""The forms of an entry by the end of its address, and their media types; the first is what a client gets that does
not care.
"""

_EDITION = re.compile(r"\d{4}-\d\d-\d\d")
_FORM = re.compile(rf"(.+)\.({'|'.join(FORMS)})")


@dataclass(frozen=True, slots=True)
class Asked:
    """What an address asks for: an edition (None for the current one), an entry (empty for the edition itself), a form
    (None where the Accept header decides), and the part of the page.
    """

    edition: str | None
    entry: str
    form: str | None

    @classmethod
    def parse(cls, path: str) -> Asked:
        """What the part of an address after `/cr/` asks for.

        >>> Asked.parse("2026-09-25/702.19b.ttl")
        Asked(edition='2026-09-25', entry='702.19b', form='ttl')
        >>> Asked.parse("702.19"), Asked.parse("term/landwalk.json").form
        (Asked(edition=None, entry='702.19', form=None), 'json')
        """
        form = None
        if suffixed := _FORM.fullmatch(path):
            path, form = suffixed.groups()
        first, _, rest = path.partition("/")
        if _EDITION.fullmatch(first):
            return cls(first, rest.strip("/"), form)
        return cls(None, path.strip("/"), form)


def document(key: str, edition: str | None = None, form: str = "") -> str:
    """The address of an entry's page, in the current edition unless one is given.

    >>> document("702.19b"), document("term/landwalk"), document("702.175~2", "2024-02-02", "ttl")
    ('/cr/702.19b', '/term/landwalk', '/cr/2024-02-02/702.175~2.ttl')
    """
    where = f"/cr/{edition}" if edition else "" if key.startswith("term/") else "/cr"
    return f"{where}/{quote(key, safe='/~')}".rstrip("/") + (f".{form}" if form else "")


def card_page(name: str, form: str = "") -> str:
    """The address of a card's page.

    >>> card_page("Fire // Ice"), card_page("Yawgmoth, Thran Physician", "json")
    ('/card/Fire%20//%20Ice', '/card/Yawgmoth%2C%20Thran%20Physician.json')
    """
    return f"/card/{quote(name, safe='/')}" + (f".{form}" if form else "")


def keyword_page(name: str, form: str = "") -> str:
    """The address of a keyword's page.

    >>> keyword_page("first strike")
    '/keyword/first-strike'
    """
    return f"/keyword/{slug(name)}" + (f".{form}" if form else "")


def anchor(key: str) -> str:
    """The name of an entry's place on the page of what holds it.

    >>> anchor("702.19b"), anchor("term/landwalk")
    ('r702.19b', 'term-landwalk')
    """
    return f"r{key}" if key[:1].isdigit() else key.replace("/", "-")
