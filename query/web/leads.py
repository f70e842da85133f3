"""Knows what leads to an entry from outside the rules: cards that have its keyword, rulings, predicates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode

from kb.store import Solutions
from kb.vocabulary import DCTERMS, ELI, OA, SKOS, SR
from query.keywords import HOW
from query.lookup import Lookup
from query.web.clauses import LeadingClause
from query.web.open_edition import OpenEdition, level
from query.web.volume import Volume

SHOWN = 5
"""How many different rulings a page tells of each kind."""

_READ = 60
"""How many rulings are read to find those of the same words."""

_CARDS = "SELECT (COUNT(DISTINCT ?card) AS ?cards) { VALUES ?keyword { KEYWORDS } GRAPH $uses { ?card $how ?keyword } }"

_SAMPLES = f"SELECT DISTINCT ?card {{ GRAPH $uses {{ ?card {SR.prints} $keyword }} }} LIMIT 6"

_NAMING = f"""
SELECT ?ruling ?date {{
  GRAPH $mentions {{ ?mention {SR.mentions} $term ; {OA.hasSource} ?ruling }}
  OPTIONAL {{ GRAPH $rulings {{ ?ruling {DCTERMS.issued} ?date }} }}
}}"""  # sorted and counted here: the engine takes three times as long for it

_RESTING = f"""
SELECT ?ruling ?confidence ?rule {{
  VALUES ?rule {{ RULES }}
  GRAPH $citations {{
    ?citation {OA.hasBody} ?rule ; {OA.hasTarget} ?ruling ; {SR.confidence} ?confidence ; {SR.asserted} true .
  }}
}}"""

_CITING = f"""
SELECT ?ruling ?date ?rule {{
  VALUES ?rule {{ RULES }}
  GRAPH $rulings {{ ?ruling {ELI.cites} ?rule . OPTIONAL {{ ?ruling {DCTERMS.issued} ?date }} }}
}}"""

_ALL_RESTING = """SELECT ?rule ?card ?confidence ?text {
  ?top eli:number "NUMBER" . ?rule eli:is_part_of? ?top .
  GRAPH ?inferred { ?citation oa:hasBody ?rule ; oa:hasTarget ?ruling ; sr:confidence ?confidence ; sr:asserted true }
  ?ruling sr:rulingOn/sr:name ?card ; sr:text ?text .
} ORDER BY DESC(?confidence) ?text ?card"""

_ALL_CITING = """SELECT ?rule ?card ?date ?text {
  ?top eli:number "NUMBER" . ?rule eli:is_part_of? ?top .
  ?ruling eli:cites ?rule ; sr:rulingOn/sr:name ?card ; sr:text ?text .
  OPTIONAL { ?ruling dcterms:issued ?date }
} ORDER BY DESC(?date) ?text ?card"""

_ALL_NAMING = """SELECT DISTINCT ?card ?date ?text {
  GRAPH ?inferred { ?mention sr:mentions TERM ; oa:hasSource ?ruling }
  ?ruling sr:rulingOn/sr:name ?card ; sr:text ?text .
  OPTIONAL { ?ruling dcterms:issued ?date }
} ORDER BY DESC(?date) ?text ?card"""


@dataclass(frozen=True, slots=True)
class LeadingCard:
    """A card on which a ruling was given, the ruling's key, and its date."""

    key: str
    card: str
    date: str | None


@dataclass(frozen=True, slots=True)
class LeadingRuling:
    """A ruling that leads to an entry, with every card that has it in these words; `rule` is the part of the entry that
    it leads to.
    """

    text: str
    cards: tuple[LeadingCard, ...]
    confidence: str | None = None
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class LeadingRulings:
    """Some of `total` rulings; `query` asks for all of them."""

    shown: tuple[LeadingRuling, ...] = ()
    total: int = 0
    query: str = ""

    def __bool__(self) -> bool:
        return bool(self.shown)

    @property
    def is_part(self) -> bool:
        """Whether there are more than are shown."""
        return self.total > sum(len(ruling.cards) for ruling in self.shown)


@dataclass(frozen=True, slots=True)
class LeadingKeyword:
    """The keyword that an entry defines: how many cards have it in which way, and some that have it printed."""

    name: str
    counts: tuple[tuple[str, int], ...]
    samples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Leads:
    """What leads to an entry, and to the subrules of a rule: `stated` are rulings that print its number, `resting` ones
    that were found to rest on it, `naming` those that were found to name its term; `clauses` with the rule of each.
    """

    keyword: LeadingKeyword | None
    stated: LeadingRulings
    resting: LeadingRulings
    naming: LeadingRulings
    clauses: tuple[tuple[str, LeadingClause], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.keyword or self.stated or self.resting or self.naming or self.clauses)


def leads(volume: Volume, edition: OpenEdition, key: str, title: str | None) -> Leads:
    """What leads to the entry of that key and title; nothing from cards where the store has none."""
    lookup, is_rule = edition.base.lookup, level(key) == "rule"
    keys = [key, *(named.key for named in lookup.below(key))] if is_rule else [key]
    clauses = tuple((one, clause) for one in keys for clause in volume.clauses.get(one, ()))
    if not volume.has_cards:
        return Leads(None, LeadingRulings(), LeadingRulings(), LeadingRulings(), clauses)
    asking = _Asking(volume, edition)
    term = _term(edition.base.lookup, key, title)
    return Leads(
        asking.keyword(key),
        asking.rulings(_CITING, keys, _ALL_CITING),
        asking.rulings(_RESTING, keys, _ALL_RESTING),
        asking.naming(term) if term else LeadingRulings(),
        clauses,
    )


def naming_query(edition: OpenEdition, key: str, title: str) -> str:
    """The query for every ruling that names the term of an entry; empty where the glossary has no such term."""
    term = _term(edition.base.lookup, key, title)
    return _ALL_NAMING.replace("TERM", str(term)) if term is not None else ""


def _term(lookup: Lookup, key: str, title: str | None) -> NamedNode | None:
    """The glossary entry that an entry is, or that bears its title."""
    if key.startswith("term/"):
        return lookup.node(key)
    from kb.rulebook import plain

    keys = lookup.titled.get(plain(title), ()) if title else ()
    return next((lookup.node(found) for found in keys if found.startswith("term/")), None)


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

    def rulings(self, query: str, keys: Sequence[str], whole: str) -> LeadingRulings:
        """The rulings that a query finds for any of some rules, the surest or newest first."""
        rules = {str(self.lookup.node(key)): key for key in keys}
        found = self._rows(query.replace("RULES", " ".join(rules)))
        sure = "confidence" in found.variables
        best: dict[NamedNode, tuple[str, str]] = {}
        for ruling, said, rule in found:
            if isinstance(ruling, NamedNode):
                best[ruling] = max(best.get(ruling, ("", "")), (_text(said) if said else "", rules[str(rule)]))
        nodes = sorted(sorted(best, key=lambda node: node.value), key=lambda node: best[node][0], reverse=True)
        told = [(node, best[node][0] if sure else None, best[node][1]) for node in nodes]
        return LeadingRulings(
            self._grouped(told, keys[0]), len(nodes), whole.replace("NUMBER", keys[0].partition("~")[0])
        )

    def _grouped(self, told: Sequence[tuple[NamedNode, str | None, str]], key: str) -> tuple[LeadingRuling, ...]:
        """The first of the rulings, those of the same words together."""
        groups: dict[str, list[tuple[LeadingCard, str | None, str]]] = {}
        for node, confidence, rule in told[:_READ]:
            text = self._first(node, SR.text, "rulings") or ""
            if text in groups or len(groups) < SHOWN:
                groups.setdefault(text, []).append((self._on(node), confidence, rule))
        return tuple(
            LeadingRuling(text, tuple(card for card, _, _ in of), of[0][1], of[0][2] if of[0][2] != key else None)
            for text, of in groups.items()
        )

    def _on(self, node: NamedNode) -> LeadingCard:
        card = NamedNode(self._first(node, SR.rulingOn, "rulings") or "")
        date = self._first(node, DCTERMS.issued, "rulings")
        return LeadingCard(node.value.rpartition("/")[2], self._first(card, SR.name, "cards") or "", date)

    def naming(self, term: NamedNode) -> LeadingRulings:
        """The newest of the rulings that were found to name a term, and how many there are."""
        dated = {row[0]: _text(row[1]) if row[1] else "" for row in self._rows(_NAMING, term=term)}
        nodes = sorted((node for node in dated if isinstance(node, NamedNode)), key=lambda node: node.value)
        newest = sorted(nodes, key=lambda node: dated[node], reverse=True)
        told = [(node, None, "") for node in newest]
        return LeadingRulings(self._grouped(told, ""), len(nodes), _ALL_NAMING.replace("TERM", str(term)))


def _text(term: object) -> str:
    assert isinstance(term, NamedNode | Literal)
    return term.value
