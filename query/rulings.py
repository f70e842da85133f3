"""Knows how rulings are looked up: by card, by the rules whose numbers they print, and by the terms that they were
found to name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from pyoxigraph import NamedNode

from kb.vocabulary import DCTERMS, ELI, OA, PROV, SKOS, SR
from query.card_edition import CardEdition
from query.card_entry import FoundMention, FoundRuling
from query.history import versions
from query.lookup import Lookup
from query.nodes import Nodes, first


class Rulings:
    """Look-ups of rulings in one store, by the rules of one edition."""

    def __init__(self, lookup: Lookup, nodes: Nodes, reading: CardEdition) -> None:
        self._lookup, self._nodes, self._reading = lookup, nodes, reading
        self._numbers: dict[NamedNode, str | None] = {}

    def on_card(self, card: NamedNode) -> tuple[FoundRuling, ...]:
        """The rulings on a card, the newest first."""
        found = [self._ruling(node) for node in self._nodes.pointing(SR.rulingOn, card, "rulings")]
        return tuple(sorted(found, key=lambda ruling: (ruling.date or "", ruling.key), reverse=True))

    def by_rule(self, key: str, limit: int) -> tuple[tuple[FoundRuling, ...], int]:
        """The rulings that lead to a rule and how many there are: first those that print its number, in whatever
        edition was in force, then those that name what it defines.
        """
        stated = dict.fromkeys(self._citing(key), "cites")
        inferred: dict[NamedNode, tuple[str, str]] = {}
        for term in self._terms_of(key):
            for ruling, said in self._naming(term):
                if ruling not in stated:
                    inferred.setdefault(ruling, said)
        found = [self._ruling(node, "prints its number", "1.00") for node in self._newest(stated)[:limit]]
        rest = self._newest(inferred)[: limit - len(found)]
        found += [self._ruling(node, *inferred[node]) for node in rest]
        return tuple(found), len(stated) + len(inferred)

    def about_term(self, label: str, limit: int) -> tuple[tuple[FoundRuling, ...], int]:
        """The rulings that name the glossary term of that label, the newest first, and how many there are."""
        found: dict[NamedNode, tuple[str, str]] = {}
        for term in self._labelled(label):
            found.update(self._naming(term))
        return tuple(self._ruling(node, *found[node]) for node in self._newest(found)[:limit]), len(found)

    def _newest(self, rulings: Iterable[NamedNode]) -> list[NamedNode]:
        dated = {node: first(self._nodes.said(node, "rulings"), DCTERMS.issued) or "" for node in rulings}
        return sorted(dated, key=lambda node: (dated[node], node.value), reverse=True)

    def _citing(self, key: str) -> Iterator[NamedNode]:
        """The rulings that print the number that a rule or one of its subrules had in the edition then in force."""
        wanted = {key, *(named.key for named in self._lookup.below(key) if "." in key)}
        for quad in self._lookup.store.quads(None, ELI.cites, None, self._nodes.graph("rulings")):
            ruling, cited = quad.subject, quad.object
            if isinstance(ruling, NamedNode) and isinstance(cited, NamedNode) and self._called(cited) in wanted:
                yield ruling

    def _called(self, cited: NamedNode) -> str | None:
        """What a rule that is cited in any edition is called in the one asked about."""
        if cited not in self._numbers:
            edition, _, key = cited.value.removeprefix(f"{self._lookup.names.work.value}/").partition("/")
            known = versions(self._lookup.store, self._lookup.names, edition, key)
            self._numbers[cited] = next((at.key for at in known if at.edition == self._lookup.edition), None)
        return self._numbers[cited]

    def _terms_of(self, key: str) -> list[NamedNode]:
        """The glossary entries that bear the name of what a rule defines: its title, or the keyword that it defines."""
        labels = {self._lookup.named(key).title} if key[:1].isdigit() else set()
        rule = self._lookup.node(key)
        for quad in self._lookup.store.quads(None, SR.definedBy, rule, self._lookup.graph):
            if isinstance(quad.subject, NamedNode):
                labels.update(self._lookup.properties(quad.subject).get(SKOS.prefLabel, ()))
        found = [term for label in labels if label for term in self._labelled(label)]
        return [self._reading.there(rule), *found] if key.startswith("term/") else found

    def _labelled(self, label: str) -> list[NamedNode]:
        """The glossary entries of that name in the edition that rulings were read by."""
        from kb.rulebook import plain

        read = self._reading.lookup
        return [read.node(key) for key in read.titled.get(plain(label), ()) if key.startswith("term/")]

    def _title(self, term: NamedNode) -> str:
        read = self._reading.lookup
        return read.named(read.key(term)).title or ""

    def _naming(self, term: NamedNode) -> Iterator[tuple[NamedNode, tuple[str, str]]]:
        """The rulings that were found to name a glossary term, with how, and the confidence of that."""
        for mention in self._nodes.pointing(SR.mentions, term, "mentions"):
            said = self._nodes.said(mention, "mentions")
            method, confidence = self._methods[said[PROV.wasGeneratedBy][0]]
            why = f"names “{self._title(term)}” (inferred: {method})"
            yield NamedNode(said[OA.hasSource][0]), (why, confidence)

    @cached_property
    def _methods(self) -> dict[str, tuple[str, str]]:
        """The name and the confidence of each method of inference by its IRI."""
        found = {}
        for quad in self._lookup.store.quads(None, SR.confidence, None, self._nodes.graph("mentions")):
            if isinstance(quad.subject, NamedNode):
                said = self._nodes.said(quad.subject, "mentions")
                found[quad.subject.value] = (said[SR.name][0], said[SR.confidence][0])
        return found

    def _ruling(self, node: NamedNode, why: str | None = None, confidence: str | None = None) -> FoundRuling:
        said = self._nodes.said(node, "rulings")
        card = self._nodes.said(NamedNode(said[SR.rulingOn][0]), "cards")
        cites = sorted(said.get(ELI.cites, ()))
        return FoundRuling(
            key=node.value.rpartition("/")[2],
            card=card[SR.name][0],
            date=first(said, DCTERMS.issued),
            source=first(said, SR.givenBy) or "",
            text=said[SR.text][0],
            cites=tuple("/".join(iri.rsplit("/", 2)[1:]) for iri in cites),
            unresolved=tuple(sorted(self._unresolved(node))),
            mentions=tuple(sorted(self._mentions(node), key=lambda mention: mention.start)),
            why=why,
            confidence=confidence,
        )

    def _unresolved(self, ruling: NamedNode) -> Iterator[str]:
        """The numbers that a ruling prints and that lead nowhere, each with why."""
        for node in self._nodes.pointing(OA.hasSource, ruling, "rulings"):
            said = self._nodes.said(node, "rulings")
            if SR.reaches not in said:
                yield f"{said[OA.exact][0]}: {first(said, SR.fault)}"

    def _mentions(self, ruling: NamedNode) -> Iterator[FoundMention]:
        for node in self._nodes.pointing(OA.hasSource, ruling, "mentions"):
            said = self._nodes.said(node, "mentions")
            target = NamedNode(said[SR.mentions][0])
            is_card = "/id/card/" in target.value
            name = self._nodes.said(target, "cards")[SR.name][0] if is_card else self._title(target)
            method, confidence = self._methods[said[PROV.wasGeneratedBy][0]]
            yield FoundMention(
                name=name,
                kind="card" if is_card else "term",
                start=int(said[OA.start][0]),
                end=int(said[OA.end][0]),
                method=method,
                confidence=confidence,
            )
