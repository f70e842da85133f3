"""Knows what leads to an entry from outside the rules: cards that have its keyword, rulings, predicates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode

from kb.store import Solutions
from kb.vocabulary import DCTERMS, ELI, OA, SKOS, SR
from query.keywords import HOW
from query.web.clauses import LeadingClause
from query.web.open_edition import OpenEdition
from query.web.volume import Volume

SHOWN = 5

_CARDS = "SELECT (COUNT(DISTINCT ?card) AS ?cards) { VALUES ?keyword { KEYWORDS } GRAPH $uses { ?card $how ?keyword } }"

_SAMPLES = f"SELECT DISTINCT ?card {{ GRAPH $uses {{ ?card {SR.prints} $keyword }} }} LIMIT 6"

_NAMING = f"""
SELECT ?ruling ?date {{
  GRAPH $mentions {{ ?mention {SR.mentions} $term ; {OA.hasSource} ?ruling }}
  OPTIONAL {{ GRAPH $rulings {{ ?ruling {DCTERMS.issued} ?date }} }}
}}"""  # sorted and counted here: the engine takes three times as long for it

_RESTING = f"""
SELECT DISTINCT ?ruling ?confidence {{
  GRAPH $citations {{
    ?citation {OA.hasBody} $rule ; {OA.hasTarget} ?ruling ; {SR.confidence} ?confidence ; {SR.asserted} true
  }}
}} ORDER BY DESC(?confidence) ?ruling LIMIT {SHOWN}"""

_CITING = f"""
SELECT DISTINCT ?ruling ?date {{
  GRAPH $rulings {{ ?ruling {ELI.cites} $rule . OPTIONAL {{ ?ruling {DCTERMS.issued} ?date }} }}
}} ORDER BY DESC(?date) ?ruling LIMIT {SHOWN}"""


@dataclass(frozen=True, slots=True)
class LeadingRuling:
    """A ruling that leads to an entry."""

    key: str
    card: str
    date: str | None
    text: str
    confidence: str | None = None


@dataclass(frozen=True, slots=True)
class LeadingKeyword:
    """The keyword that an entry defines: how many cards have it in which way, and some that have it printed."""

    name: str
    counts: tuple[tuple[str, int], ...]
    samples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Leads:
    """What leads to an entry: `stated` are rulings that print its number, `resting` those that were found to rest on
    it, `inferred` some of the `naming` rulings that were found to name its term.
    """

    keyword: LeadingKeyword | None
    stated: tuple[LeadingRuling, ...]
    resting: tuple[LeadingRuling, ...]
    inferred: tuple[LeadingRuling, ...]
    naming: int
    clauses: tuple[LeadingClause, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.keyword or self.stated or self.resting or self.inferred or self.clauses)


def leads(volume: Volume, edition: OpenEdition, key: str, title: str | None) -> Leads:
    """What leads to the entry of that key and title; nothing from cards where the store has none."""
    if not volume.has_cards:
        return Leads(None, (), (), (), 0, volume.clauses.get(key, ()))
    asking = _Asking(volume, edition)
    term = asking.term(key, title)
    inferred, naming = asking.naming(term) if term else ((), 0)
    return Leads(
        asking.keyword(key),
        asking.rulings(_CITING, rule=edition.base.lookup.node(key)),
        asking.rulings(_RESTING, rule=edition.base.lookup.node(key)),
        inferred,
        naming,
        volume.clauses.get(key, ()),
    )


class _Asking:
    """Questions over the named graphs of cards and rulings; the engine answers them, so that they hold nobody up."""

    def __init__(self, volume: Volume, edition: OpenEdition) -> None:
        self.store, self.lookup = volume.store, edition.base.lookup
        names = volume.names
        self.graphs = {name: names.collection(name) for name in ("cards", "rulings", "mentions", "citations")}
        self.graphs |= {"uses": names.collection("keyword-uses"), "edition": names.graph(edition.date)}

    def _rows(self, query: str, **values: NamedNode) -> Solutions:
        asked = {name: graph for name, graph in (self.graphs | values).items() if f"${name}" in query}
        return self.store.select(query, asked)

    def term(self, key: str, title: str | None) -> NamedNode | None:
        """The glossary entry that an entry is, or that bears its title."""
        if key.startswith("term/"):
            return self.lookup.node(key)
        from kb.rulebook import plain

        keys = self.lookup.titled.get(plain(title), ()) if title else ()
        return next((self.lookup.node(found) for found in keys if found.startswith("term/")), None)

    def keyword(self, key: str) -> LeadingKeyword | None:
        """The keyword that a rule defines."""
        rule = self.lookup.node(key)
        found = self.lookup.store.quads(None, SR.definedBy, rule, self.lookup.graph)
        node = next((quad.subject for quad in found if isinstance(quad.subject, NamedNode)), None)
        if node is None:
            return None
        family = " ".join(map(str, self._with_variants(node)))
        query = _CARDS.replace("KEYWORDS", family)
        counted = [(how, int(_text(self._rows(query, how=edge).rows[0][0]))) for how, edge in HOW]
        cards = (card for (card,) in self._rows(_SAMPLES, keyword=node) if isinstance(card, NamedNode))
        samples = tuple(sorted(self._first(card, SR.name, "cards") or "" for card in cards))
        name = self.lookup.properties(node)[SKOS.prefLabel][0]
        return LeadingKeyword(name, tuple((how, count) for how, count in counted if count), samples)

    def _with_variants(self, keyword: NamedNode) -> Iterator[NamedNode]:
        """A keyword and everything that is a variant of it."""
        yield keyword
        for graph in (self.lookup.graph, self.graphs["uses"]):
            for quad in self.lookup.store.quads(None, SKOS.broader, keyword, graph):
                if isinstance(quad.subject, NamedNode):
                    yield from self._with_variants(quad.subject)

    def _first(self, node: NamedNode, predicate: NamedNode, graph: str) -> str | None:
        """What a graph says of a node by a predicate."""
        found = self.store.quads(node, predicate, None, self.graphs[graph])
        return next((_text(quad.object) for quad in found), None)

    def rulings(self, query: str, **values: NamedNode) -> tuple[LeadingRuling, ...]:
        """The rulings that a query finds."""
        found = self._rows(query, **values)
        sure = "confidence" in found.variables
        return tuple(
            self._ruling(row[0], _text(row[1]) if sure else None) for row in found if isinstance(row[0], NamedNode)
        )

    def _ruling(self, node: NamedNode, confidence: str | None) -> LeadingRuling:
        card = NamedNode(self._first(node, SR.rulingOn, "rulings") or "")
        return LeadingRuling(
            key=node.value.rpartition("/")[2],
            card=self._first(card, SR.name, "cards") or "",
            date=self._first(node, DCTERMS.issued, "rulings"),
            text=self._first(node, SR.text, "rulings") or "",
            confidence=confidence,
        )

    def naming(self, term: NamedNode) -> tuple[tuple[LeadingRuling, ...], int]:
        """The newest of the rulings that were found to name a term, and how many there are."""
        dated = {row[0]: _text(row[1]) if row[1] else "" for row in self._rows(_NAMING, term=term)}
        nodes = sorted((node for node in dated if isinstance(node, NamedNode)), key=lambda node: node.value)
        newest = sorted(nodes, key=lambda node: dated[node], reverse=True)[:SHOWN]
        return tuple(self._ruling(node, None) for node in newest), len(nodes)


def _text(term: object) -> str:
    assert isinstance(term, NamedNode | Literal)
    return term.value
