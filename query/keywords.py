"""Knows how a keyword is looked up: its rule and operative text, its family, and the cards and rulings that have
to do with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from pyoxigraph import NamedNode

from kb.card_graph import search_key
from kb.vocabulary import RDF, SKOS, SR
from query.card_edition import CardEdition
from query.card_entry import KeywordEntry, KeywordRule
from query.entry import Named
from query.errors import UnknownKeyword, did_you_mean
from query.lookup import Lookup
from query.nodes import Nodes, Said
from query.rulings import Rulings

HOW = (
    ("printed", SR.prints),
    ("conditional", SR.hasConditionally),
    ("granted", SR.grants),
    ("named", SR.speaksOf),
)
"""How a card can have a keyword, and the edge that says so."""

_CROSS_REFERENCE = re.compile(r"(?:For more information about |See (?:also )?rule )", re.IGNORECASE)
_REDUNDANT = re.compile(r"Multiple instances of|If a \w+ has multiple instances")
_LIST = re.compile(r"The ability words are [^.]+\.")
_SHOWN = 3  # subrules of a keyword's rule that say what it does; the others are a look-up away


class KeywordLookup:
    """Look-ups of keywords in one edition of a store."""

    def __init__(self, lookup: Lookup, nodes: Nodes, rulings: Rulings, reading: CardEdition) -> None:
        self._lookup, self._nodes, self._rulings, self._reading = lookup, nodes, rulings, reading
        self._rules: dict[str, KeywordRule] = {}
        self._numbered: dict[tuple[str, str], KeywordRule] = {}
        self._families: dict[str, tuple[Named, ...]] = {}

    def entry(self, asked: str, samples: int = 5, rulings: int = 5) -> KeywordEntry:
        """The keyword that `asked` names, in any case; raises `UnknownKeyword` with what was perhaps meant."""
        node = self._find(asked)
        said = self._said(node)
        label = said[SKOS.prefLabel][0]
        found, total = self._rulings.about_term(label, rulings)
        having = {how: self._cards(edge, node) for how, edge in HOW}
        return KeywordEntry(
            keyword=label,
            kind=said[SR.keywordKind][0],
            iri=node.value,
            edition=self._lookup.edition,
            rule=self.rule(node),
            broader=self.family(node),
            narrower=tuple(sorted(self._narrower(node), key=lambda named: named.title or "")),
            counts=tuple((how, len(cards)) for how, cards in having.items()),
            samples=tuple((how, self._samples(cards, samples)) for how, cards in having.items()),
            rulings=found,
            rulings_in_all=total,
            read_by=self._reading.date,
        )

    def find(self, asked: str) -> tuple[NamedNode, str]:
        """The keyword that `asked` names and what it is called, without its cards; raises `UnknownKeyword`."""
        node = self._find(asked)
        return node, self._said(node)[SKOS.prefLabel][0]

    def rule(self, keyword: NamedNode) -> KeywordRule:
        """The rule of a keyword, given its node: by the edition asked about, or by the one that cards were read by
        where only that has the keyword.
        """
        kept = self._rules.get(keyword.value)
        if kept is None:
            named = self._as_named(keyword)
            kept = self._rules[keyword.value] = self.rule_numbered(named.title or "", named.key)
        return kept

    def rule_numbered(self, keyword: str, key: str) -> KeywordRule:
        """The rule of that key as the rule of a keyword; kept, since a store never changes while it is open."""
        kept = self._numbered.get((keyword, key))
        if kept is None:
            kept = self._numbered[keyword, key] = self._rule(keyword, key)
        return kept

    def _rule(self, keyword: str, key: str) -> KeywordRule:
        lookup, number = self._reading.of(key)
        named = lookup.named(number, text=True)
        below = [part for part in lookup.below(number, text=True) if part.text] or [named]
        telling = [part for part in below if not _says_nothing(part)] or below
        shown = [
            replace(part, key=self._dated(part.key, key), text=_LIST.sub("", part.text or "").strip())
            for part in telling[:_SHOWN]
        ]
        return KeywordRule(keyword, key, _heading(named, lookup), tuple(shown), len(below) - len(shown))

    def _dated(self, part: str, key: str) -> str:
        """The key of a part of the rule of a key, of the same edition."""
        return part if self._reading.of(key)[0] is self._lookup else self._reading.dated(part)

    def family(self, keyword: NamedNode) -> tuple[Named, ...]:
        """What a keyword is a variant of, nearest first, with the numbers of their rules."""
        kept = self._families.get(keyword.value)
        if kept is None:
            said = self._said(self._reading.here(keyword))
            broader = [self._reading.here(NamedNode(iri)) for iri in said.get(SKOS.broader, ())]
            above = [(self._as_named(node), *self.family(node)) for node in broader]
            kept = self._families[keyword.value] = above[0] if above else ()
        return kept

    def _said(self, keyword: NamedNode) -> Said:
        """What is known of a keyword: in its edition, or where a generic term made it, beside the uses."""
        return self._reading.said(keyword) or self._nodes.said(keyword, "keyword-uses")

    def _as_named(self, keyword: NamedNode) -> Named:
        """A keyword by its name, with the key of its rule."""
        here = self._reading.here(keyword)
        said = self._said(here)
        return Named(self._key_of(here, said), said[SKOS.prefLabel][0])

    def _key_of(self, keyword: NamedNode, said: Said) -> str:
        if not self._reading.holds(keyword):
            return self._lookup.key(NamedNode(said[SR.definedBy][0]))
        if not self._reading.said(keyword) and said.get(SKOS.broader):  # a generic term made it: it says what it means
            return self._as_named(NamedNode(said[SKOS.broader][0])).key
        return self._reading.dated(self._reading.lookup.key(NamedNode(said[SR.definedBy][0])))

    def _narrower(self, keyword: NamedNode) -> Iterator[Named]:
        """The variants of a keyword: in the edition, and where a generic term made them."""
        beside = self._variants(self._reading.there(keyword), self._nodes.graph("keyword-uses"))
        yield from map(self._as_named, (*self._variants(keyword, self._lookup.graph), *beside))

    def _variants(self, keyword: NamedNode, *graphs: NamedNode) -> Iterator[NamedNode]:
        """What graphs say is a variant of a keyword."""
        for graph in graphs:
            for quad in self._lookup.store.quads(None, SKOS.broader, keyword, graph):
                if isinstance(quad.subject, NamedNode):
                    yield quad.subject

    def _cards(self, edge: NamedNode, keyword: NamedNode) -> set[str]:
        """The cards that have the keyword or a variant of it in one way: who has islandwalk has landwalk; by the
        edition that they were read by.
        """
        read = self._reading.there(keyword)
        cards = {node.value for node in self._nodes.pointing(edge, read, "keyword-uses")}
        for variant in self._variants(read, self._reading.lookup.graph, self._nodes.graph("keyword-uses")):
            cards |= self._cards(edge, variant)
        return cards

    def _samples(self, cards: set[str], count: int) -> tuple[str, ...]:
        """Names of some cards, spread evenly over all."""
        nodes = sorted(cards)
        step = max(len(nodes) // count, 1) if count else 1
        chosen = nodes[::step][:count]
        return tuple(sorted(self._nodes.said(NamedNode(node), "cards")[SR.name][0] for node in chosen))

    def _find(self, asked: str) -> NamedNode:
        if not is_text(asked):
            raise UnknownKeyword(f"no keyword is called {asked!r}: that is not text, some of its bytes are no UTF-8.")
        names = self._lookup.names
        node = names.keyword(self._lookup.edition, asked.strip().replace("’", "'").casefold())
        if self._said(node):
            return node
        wanted = search_key(asked)
        if wanted in self._labels:
            return self._labels[wanted]
        from difflib import get_close_matches

        close = [self._said(self._labels[key])[SKOS.prefLabel][0] for key in get_close_matches(wanted, self._labels, 3)]
        later = self._reading.there(node)
        other = f"; those of {self._reading.date} have" if later != node and self._said(later) else ""
        said = f"the rules of {self._lookup.edition} have no keyword {asked!r}{other}.{did_you_mean(close)}"
        raise UnknownKeyword(said, close)

    @cached_property
    def _labels(self) -> dict[str, NamedNode]:
        """Every keyword by its name without case and punctuation."""
        found: dict[str, NamedNode] = {}
        for graph in (self._lookup.graph, self._nodes.graph("keyword-uses")):
            for quad in self._lookup.store.quads(None, RDF.type, SR.Keyword, graph):
                if isinstance(quad.subject, NamedNode):
                    found[search_key(self._said(quad.subject)[SKOS.prefLabel][0])] = quad.subject
        return found


def is_text(asked: str) -> bool:
    """Whether what was asked can be written at all: no lone surrogates, as undecodable bytes become.

    >>> is_text("Æther Vial"), is_text("\\udce9")
    (True, False)
    """
    return not any("\ud800" <= sign <= "\udfff" for sign in asked)


def _heading(rule: Named, lookup: Lookup) -> str | None:
    """A rule's title; a subrule is told by the title of the rule above it."""
    if rule.title or "." not in rule.key:
        return rule.title
    return lookup.named(rule.key.rstrip("abcdefghijklmnopqrstuvwxyz")).title


def _says_nothing(part: Named) -> bool:
    text = part.text or ""
    return bool(_REDUNDANT.match(text)) or (bool(_CROSS_REFERENCE.match(text)) and len(text) < 150)
