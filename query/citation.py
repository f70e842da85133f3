"""Knows how a rule is cited: in short, in full with its words, and in the formats of pages and bibliographies."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

PUBLISHER = "Wizards of the Coast"
TITLE = "Magic: The Gathering Comprehensive Rules"


@dataclass(frozen=True, slots=True)
class Citation:
    """A rule of one edition, as it is cited; made only of what the edition holds.

    `title` is the nearest title above or at the rule, `text` its words (empty where they are not loaded), `iri` its
    address.
    """

    number: str
    edition: str
    title: str
    text: str
    iri: str

    @property
    def day(self) -> str:
        """The edition's date as a reader writes it: September 25, 2026."""
        return written(self.edition)

    @property
    def short(self) -> str:
        """`CR 702.9b (September 25, 2026)`."""
        return f"CR {self.number} ({self.day})"

    @property
    def long(self) -> str:
        """The work, the rule, its title and its words."""
        titled = f", “{self.title}”" if self.title else ""
        quote = f": “{self.text}”" if self.text else ""
        return f"{TITLE}, {self.day}, {_called(self.number)} {self.number}{titled}{quote}"

    @property
    def markdown(self) -> str:
        """A link, its title the rule's words."""
        return f"[{self.short}]({self.iri}{_hint(self.text)})"

    @property
    def html(self) -> str:
        """A quotation with its source, or the source alone where the words are not loaded."""
        link = f'<a href="{html.escape(self.iri)}">{html.escape(self.short)}</a>'
        if not self.text:
            return f"<cite>{link}</cite>"
        quote = html.escape(self.text, quote=False).replace("\n", "<br>")
        where = html.escape(self.iri)
        return f'<blockquote cite="{where}"><p>{quote}</p><footer><cite>{link}</cite></footer></blockquote>'

    @property
    def bibtex(self) -> str:
        """An entry of type `misc`."""
        key = f"cr-{self.edition}-{self.number}"
        rows = {
            "title": f"{{{TITLE}}}",
            "author": f"{{{PUBLISHER}}}",
            "year": self.edition[:4],
            "note": f"{_called(self.number).capitalize()} {self.number}, {self.day}",
            "url": self.iri,
        }
        return f"@misc{{{key},\n" + ",\n".join(f"  {name} = {{{value}}}" for name, value in rows.items()) + "\n}"

    @property
    def csl_json(self) -> str:
        """An item of type `legislation`, as bibliography programs read it."""
        parts = [int(part) for part in self.edition.split("-")]
        item = {
            "id": f"cr-{self.edition}-{self.number}",
            "type": "legislation",
            "title": TITLE,
            "author": [{"literal": PUBLISHER}],
            "issued": {"date-parts": [parts]},
            "section": self.number,
            "URL": self.iri,
        }
        return json.dumps([item], ensure_ascii=False, indent=2)


FORMATS: dict[str, Callable[[Citation], str]] = {
    "short": lambda citation: citation.short,
    "long": lambda citation: citation.long,
    "markdown": lambda citation: citation.markdown,
    "html": lambda citation: citation.html,
    "bibtex": lambda citation: citation.bibtex,
    "csl-json": lambda citation: citation.csl_json,
}
"""How a citation is written, by the name of the format."""


def written(edition: str) -> str:
    """A date as the rules print it.

    >>> written("2026-09-25")
    'September 25, 2026'
    """
    day = date.fromisoformat(edition)
    return f"{day:%B} {day.day}, {day.year}"


def _called(number: str) -> str:
    """What is cited: a section, a chapter or a rule.

    >>> _called("7"), _called("702"), _called("702.9b")
    ('section', 'chapter', 'rule')
    """
    return "rule" if "." in number else "chapter" if len(number) == 3 else "section"


def _hint(text: str) -> str:
    said = " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f' "{said}"' if said else ""
