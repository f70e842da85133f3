"""Knows the stages by which cards and rulings become named graphs: keywords recognised, tags, mentions, citations,
quads.

Collection -> keyword-uses, tags | cards, rulings, mentions        (each side of the bar in a process of its own)
"""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import pyoxigraph as ox
from pyoxigraph import NamedNode, Quad, RdfFormat

from kb.card import Card
from kb.card_graph import card_quads
from kb.edition import changes, words
from kb.graph import entry_slugs
from kb.keyword import keywords_of
from kb.mention import Mentioner
from kb.recognition import Recogniser
from kb.reference import Reference
from kb.resolution import reach
from kb.rulebook import Rulebook
from kb.ruling import Mention, Ruling
from kb.ruling_graph import mention_quads, ruling_quads
from kb.tag import Tagger
from kb.tag_graph import tag_quads
from kb.use_graph import UseGraph, Uses
from kb.vocabulary import Names

TOO_COMMON = 0.05
"""A glossary term that a greater share of all rulings holds ("you", "spell") tells nothing of any and is no mention."""

_BATCH = 20_000


@dataclass(frozen=True, slots=True)
class Part:
    """One named graph as written: its name among `COLLECTIONS`, and how many quads it has."""

    name: str
    quads: int


def write_facts(cards: Iterable[Card], rulebook: Rulebook, names: Names, target: Path) -> list[Part]:
    """Writes what was found in the texts of cards, uses of keywords and tags, as gzipped N-Quads."""
    keywords = keywords_of(rulebook)
    recogniser, tagger = Recogniser(keywords), Tagger(rulebook, keywords)
    found: list[tuple[Card, Uses]] = [(card, tuple(recogniser.uses(face) for face in card.faces)) for card in cards]
    tags = ((card, tagger.tags(card, uses)) for card, uses in found)
    graphs = {
        "keyword-uses": UseGraph(keywords, names).quads(found),
        "tags": tag_quads(tags, rulebook.edition, names),
    }
    return _write(graphs, target)


def write_statements(
    rulings: Iterable[Ruling], cards: Iterable[Card], editions: Mapping[str, Rulebook], names: Names, target: Path
) -> list[Part]:
    """Writes what sources state of cards and rulings, and apart from it what rulings mention, as gzipped N-Quads.

    `editions` are the rulebooks at hand by their dates; the newest one's glossary gives the terms.
    """
    kept, known = list(rulings), list(cards)
    current = editions[max(editions)]
    mentioner = Mentioner(known, current, keywords_of(current))
    found = [(ruling, mentioner.mentions(ruling)) for ruling in kept]
    slugs = entry_slugs(current.glossary)
    terms = {entry.heading: names.term(current.edition, slug) for entry, slug in slugs.items()}
    graphs = {
        "cards": card_quads(known, names),
        "rulings": ruling_quads(kept, names, _Citations(editions, names).target),
        "mentions": mention_quads(telling(found), terms, names),
    }
    return _write(graphs, target)


def telling(found: list[tuple[Ruling, tuple[Mention, ...]]]) -> list[tuple[Ruling, tuple[Mention, ...]]]:
    """The rulings with the first mention of each thing, without terms too common among them to tell anything."""
    first = [(ruling, {m.target: m for m in reversed(mentions)}) for ruling, mentions in found]
    counted = Counter(target for _, mentions in first for target, m in mentions.items() if m.kind == "term")
    common = {target for target, count in counted.items() if count > max(TOO_COMMON * len(found), 20)}
    return [
        (ruling, tuple(sorted((m for m in mentions.values() if m.target not in common), key=lambda m: m.start)))
        for ruling, mentions in first
    ]


class _Citations:
    """Resolves what rulings cite in the edition that was in force at their date; never in one that only may have been.

    The editions at hand may leave out the one in force. A number is taken at its word where it is the same rule in the
    last edition before the ruling and in the next one after it; else what it meant is not known.
    """

    def __init__(self, editions: Mapping[str, Rulebook], names: Names) -> None:
        self._editions, self._names = editions, names
        self._called: dict[tuple[str, str], dict[str, str | None]] = {}

    def target(self, reference: Reference, date: str | None) -> tuple[list[NamedNode], str | None]:
        """The rules that the reference reaches, or why it reaches none."""
        if date is None:
            return [], "the ruling has no date, so which edition it cites is unknown"
        edition = max((held for held in self._editions if held <= date), default=None)
        if edition is None:
            return [], f"no edition in force on {date} is in the store"
        keys, fault = reach(reference, self._editions[edition])
        doubt = self._doubt(reference, keys, edition, date) if edition != date else None
        if doubt is not None:
            return [], f"which rule that was on {date} is unknown: {doubt}"
        return [self._names.rule(edition, key) for key in keys], fault.message if fault else None

    def _doubt(self, reference: Reference, keys: tuple[str, ...], edition: str, date: str) -> str | None:
        """Why the edition before a ruling does not tell what the ruling cites, or None where it does."""
        later = min((held for held in self._editions if held > date), default=None)
        if later is None:
            return f"the edition of {edition} is older, and the store has no later one that would bear it out"
        called = self._names_in(later, edition)
        for key in keys:
            if called.get(key) != key:
                now = f"is {called[key]}" if called.get(key) else "is gone"
                return f"{key} of the edition of {edition} {now} in the next one in the store, of {later}"
        if reach(reference, self._editions[later])[0] != keys:
            return f"the editions of {edition} and {later} have different rules of that number"
        return None

    def _names_in(self, later: str, edition: str) -> dict[str, str | None]:
        """What the rules of an edition are called in a later one."""
        pair = (edition, later)
        if pair not in self._called:
            found = changes(words(self._editions[edition]), words(self._editions[later]))
            self._called[pair] = {change.old: change.new for change in found if change.old is not None}
        return self._called[pair]


def _write(graphs: Mapping[str, Iterator[Quad]], target: Path) -> list[Part]:
    parts = []
    with open(target, "wb") as file, gzip.GzipFile("", "wb", 1, file, mtime=0) as record:
        for name, quads in graphs.items():
            count = 0
            while batch := list(islice(quads, _BATCH)):
                count += len(batch)
                record.write(ox.serialize(batch, format=RdfFormat.N_QUADS) or b"")
            parts.append(Part(name, count))
    return parts
