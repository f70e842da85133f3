"""Knows what the page of an entry shows beside its text: who cites it and how, what is around it, what became of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from kb.vocabulary import SCHEMA_ORG
from query.entry import Entry, FoundLink, Named
from query.history import Span, spans
from query.lookup import Lookup, sort_keys
from query.web.addresses import document
from query.web.leads import Leads, leads
from query.web.neighbours import Drawing, Neighbourhood, drawing, neighbourhood
from query.web.open_edition import OpenEdition
from query.web.passage import Part, Words, excerpts, paragraphs, parts, shortened
from query.web.volume import Volume

MOST_CITING = 24
"""How many citing entries the page of a rule lists; the others are on pages of their own."""

CITING_A_PAGE = 100

MOST_SUBRULES = 30_000
"""How many characters of subrules the page of a chapter holds."""


@dataclass(frozen=True, slots=True)
class Citing:
    """An entry that cites this one, with the words of every place where it does."""

    source: Named
    quotations: tuple[tuple[Words, ...], ...]


class EntryPage:
    """Everything that the page of one entry shows; each part is made when the page asks for it."""

    def __init__(self, volume: Volume, edition: OpenEdition, key: str) -> None:
        self.volume, self.edition, self.key = volume, edition, key
        self.lookup: Lookup = edition.base.lookup
        self.entry: Entry = edition.base.lookup.entry(key)
        self.is_current = edition.date == volume.current

    @property
    def before(self) -> Named | None:
        """The entry before this one."""
        key = self.edition.before(self.key)
        return self.lookup.named(key) if key else None

    @property
    def after(self) -> Named | None:
        """The entry after this one."""
        key = self.edition.after(self.key)
        return self.lookup.named(key) if key else None

    @property
    def name(self) -> str:
        """What the entry is called: number and title, or the glossary's heading."""
        entry = self.entry
        return entry.title or entry.key if entry.kind == "glossary" else f"{entry.key} {entry.title or ''}".strip()

    @property
    def headed(self) -> str:
        """The entry's name; of a rule without a title, with the heading that it stands under."""
        above = next((named.title for named in reversed(self.entry.above) if named.title), None)
        return self.name if self.entry.title or not above else f"{self.entry.key} {above}"

    @property
    def short_key(self) -> str:
        """What fits into the middle of the picture."""
        return self.key if self.entry.kind != "glossary" else "term"

    @property
    def citation(self) -> str:
        """How the entry is cited, with its edition."""
        return self.cited(self.key)

    def cited(self, key: str) -> str:
        """How an entry of this edition is cited."""
        date = datetime.fromisoformat(self.entry.edition)
        named = f"Glossary, “{self.lookup.named(key).title}”" if key.startswith("term/") else key
        return f"CR {named} ({date:%B} {date.day}, {date.year})"

    @property
    def schema_org(self) -> dict[str, Any]:
        """The entry in the words of schema.org, for search engines."""
        entry = self.entry
        above = [
            {"@type": "Legislation", "legislationIdentifier": named.key, "name": str(named)} for named in entry.above
        ]
        return {
            "@context": SCHEMA_ORG,
            "@type": "DefinedTerm" if entry.kind == "glossary" else "Legislation",
            "@id": entry.iri,
            "name": self.headed,
            "description": self.summary,
            "inLanguage": "en",
            **({"termCode": self.key} if entry.kind == "glossary" else {"legislationIdentifier": f"CR {entry.key}"}),
            **({} if entry.kind == "glossary" else {"legislationDateVersion": entry.edition}),
            **({"isPartOf": above[-1]} if above else {}),
        }

    def address(self, key: str, form: str = "") -> str:
        """Where the page of an entry is, in this page's edition."""
        return document(key, None if self.is_current else self.edition.date, form)

    def lasting(self, key: str) -> str:
        """The address that still means the same entry when there is a newer edition."""
        return document(key, self.edition.date)

    @property
    def canonical(self) -> str:
        """The one address of this page: with its edition, which stays what it is when there is a newer one."""
        return self.lasting(self.key)

    @property
    def in_current(self) -> str:
        """Where this entry is in the current edition, or its contents where it is no longer there."""
        key = self.key_in(self.volume.edition())
        return document(key) if key else "/cr"

    def key_in(self, edition: OpenEdition) -> str | None:
        """What this entry is called in another edition: a rule by its words, anything else by its key."""
        there = next((span.key for span in self.history if span.first <= edition.date <= span.last), None)
        if there is None and not self.history and self.key in edition.keys:
            return self.key
        return there

    @property
    def contents_address(self) -> str:
        """Where the contents of this page's edition are."""
        return "/cr" if self.is_current else f"/cr/{self.edition.date}"

    @property
    def glossary_address(self) -> str:
        """Where the glossary of this page's edition is."""
        return "/glossary" if self.is_current else f"/cr/{self.edition.date}/glossary"

    @property
    def citing_address(self) -> str:
        """Where everything that cites this entry is listed."""
        return f"{self.address(self.key)}/cited-by"

    @property
    def paragraphs(self) -> tuple[tuple[Part, ...], ...]:
        """The entry's own text by paragraph."""
        place = "glossary" if self.entry.kind == "glossary" else "text"
        return tuple(paragraphs(self.passage(self.entry.text or "", self.key, place)))

    @property
    def titles_only(self) -> bool:
        """Whether a chapter's rules are headings, as those of keywords are."""
        return sum(named.title is not None for named in self.entry.below) > len(self.entry.below) // 2

    def label(self, key: str) -> str:
        """What an entry is called in a list."""
        named = self.lookup.named(key)
        return named.title or key if not key[0].isdigit() else str(named)

    @property
    def summary(self) -> str:
        """The entry in a line, for those who list it elsewhere."""
        entry = self.entry
        first = next((named.text for named in entry.below if named.text), None)
        return shortened(entry.text or first or entry.title or entry.key, 160)

    @cached_property
    def whole(self) -> bool:
        """Whether a chapter's page holds all of it; the longest ones only say where the subrules are."""
        return sum(len(part.text or "") for named in self.entry.below for part in self.below(named.key)) < MOST_SUBRULES

    def below(self, key: str) -> tuple[Named, ...]:
        """The subrules of a rule with their texts and examples."""
        if key not in self._below:
            self._below[key] = self.lookup.below(key, text=True)
        return self._below[key]

    @cached_property
    def _below(self) -> dict[str, tuple[Named, ...]]:
        return {}

    def under(self, key: str) -> str:
        """The numbers of what is below a rule, `601.2a–i`; empty where nothing is."""
        below = self.lookup.below(key)
        last = f"–{below[-1].key.removeprefix(key)}" if len(below) > 1 else ""
        return f"{below[0].key}{last}" if below else ""

    @cached_property
    def _links(self) -> Mapping[tuple[str, str], list[FoundLink]]:
        """The references of every text on the page by the passage that they stand in."""
        entry, beside = self.entry, []
        if entry.kind == "chapter" and not self.titles_only:
            beside = [named.key for named in entry.below]
            beside += [part.key for key in beside for part in self.below(key)] if self.whole else []
        if entry.glossary:
            beside.append(entry.glossary.key)
        return _by_passage([*entry.links_out, *(link for key in beside for link in self.lookup.links_out(key))])

    def passage(self, text: str, key: str, place: str = "text") -> tuple[Part, ...]:
        """A text of this page in parts, cut at its references."""
        return parts(text, self._links.get((key, place), ()))

    def hint(self, key: str) -> str:
        """The beginning of what an entry says, for whoever points at a link to it."""
        if key not in self._hints:
            self._hints[key] = hint(self.lookup, key)
        return self._hints[key]

    @cached_property
    def _hints(self) -> dict[str, str]:
        return {}

    @cached_property
    def _citing(self) -> dict[str, list[FoundLink]]:
        found: dict[str, list[FoundLink]] = {}
        own = {self.key, *(named.key for named in self.entry.below)}
        for link in self.entry.links_in:
            if link.source not in own:
                found.setdefault(link.source, []).append(link)
        return {source: found[source] for source in sort_keys(found)}

    @property
    def citing_count(self) -> int:
        """How many entries cite this one."""
        return len(self._citing)

    def citing(self, first: int = 0, count: int = MOST_CITING) -> Iterator[Citing]:
        """The entries that cite this one, in the order of the book, from the `first` one."""
        for source in list(self._citing)[first : first + count]:
            yield Citing(self.lookup.named(source), tuple(self._quotations(self._citing[source])))

    def _quotations(self, links: Sequence[FoundLink]) -> Iterator[tuple[Words, ...]]:
        texts = self.lookup.named(links[0].source, text=True)
        for place in dict.fromkeys(link.place for link in links):
            spans = [(link.start, link.end) for link in links if link.place == place]
            yield from excerpts(_text_at(texts, place), spans)

    @cached_property
    def around(self) -> Neighbourhood:
        """What cites this entry and what it cites."""
        return neighbourhood(self.entry, self.lookup)

    @property
    def drawing(self) -> Drawing | None:
        """The neighbourhood as a picture; None where there is none."""
        return drawing(self.around) if self.around.cites or self.around.cited_by else None

    @cached_property
    def leads(self) -> Leads:
        """What leads here from cards, rulings and predicates."""
        return leads(self.volume, self.edition, self.key, self.entry.title)

    @cached_property
    def history(self) -> tuple[Span, ...]:
        """What became of a rule or chapter from edition to edition, newest first; empty where only one is loaded."""
        if len(self.volume.editions) < 2 or self.entry.kind in ("section", "glossary"):
            return ()
        return spans(self.edition.base.history(self.key))[::-1]


def _by_passage(links: Iterable[FoundLink]) -> Mapping[tuple[str, str], list[FoundLink]]:
    found: dict[tuple[str, str], list[FoundLink]] = {}
    for link in links:
        found.setdefault((link.source, link.place), []).append(link)
    return found


def _text_at(texts: Named, place: str) -> str:
    if place.startswith("example "):
        return texts.examples[int(place.removeprefix("example ")) - 1]
    return texts.text or ""


def hint(lookup: Lookup, key: str) -> str:
    """The beginning of what an entry says; of a heading, what its first rule says; without any text, the headings
    that it stands under.
    """
    named = lookup.named(key, text=True)
    if named.text and named.text != named.title:
        return shortened(named.text)
    first = next(iter(lookup.below(key, text=True)), None)
    said = first.text or first.title or "" if first else ""
    told = shortened(f"{named.title or ''}. {said}".strip(". "))
    return told or " › ".join(above.title for above in lookup.above(key) if above.title)
