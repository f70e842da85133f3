"""Knows how an entry is looked up: from a number, a title or a term to the entry with its text and its links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from typing import Any

from pyoxigraph import Literal, NamedNode

from kb.number import RuleNumber
from kb.rulebook import plain
from kb.store import GraphStore
from kb.vocabulary import DCTERMS, ELI, OA, PROV, RDF, SKOS, SR, Names
from query.asked import meant
from query.entry import Entry, FoundLink, Named
from query.errors import UnknownEntry

_Properties = dict[NamedNode, list[str]]
_KINDS = {SR.Section: "section", SR.Chapter: "chapter", SR.Rule: "rule", SR.Subrule: "subrule"}
PARTS = ("introduction", "credits")
"""The parts of the book that bear no number and can be shown."""

_UNLINKED: dict[str, Any] = dict.fromkeys(("examples", "above", "below", "links_out", "links_in"), ())
_KEY = re.compile(r"[1-9][\da-z.]*(?:~\d+)?")


class Lookup:
    """Look-ups in one edition of a store.

    Every method reads only the triples of what is asked for; the titles are read once, when a name is asked for.
    """

    def __init__(self, store: GraphStore, names: Names, edition: str) -> None:
        self.store, self.names, self.edition = store, names, edition
        self.graph = names.graph(edition)
        self._prefix = f"{names.base}id/cr/{edition}/"
        # What was read already and is asked for again and again; a store never changes while it is open.
        self._known: dict[str, Named] = {}
        self._illustrated: dict[str, tuple[tuple[NamedNode, str], ...]] = {}
        self._linked: dict[NamedNode, tuple[FoundLink, ...]] = {}

    def entry(self, key: str) -> Entry:
        """The entry of a key, as `find` and every answer give it; what is no key is taken as `show` takes it."""
        return self._entry(key, None) if _KEY.fullmatch(key) and self.holds(key) else self.show(key)

    def show(self, asked: str) -> Entry:
        """The entry that a person means by `asked`: "702.7", "CR 702.7a", "Section 7", "first strike", "landwalk".

        Raises `UnknownEntry`, with what was perhaps meant, and `AmbiguousName`.
        """
        part = plain(asked)
        if part in PARTS and part not in self.titled:
            return self._part(part)
        key, also = self.find(asked)
        return self._entry(key, also)

    def find(self, asked: str) -> tuple[str, str | None]:
        """The key that `asked` means, and the key of a glossary entry of the same name if there is one.

        A number that the edition prints twice means neither: each is asked for by its key, `702.175~2` the second.
        """
        return meant(self, asked)

    def holds(self, key: str) -> bool:
        """Whether the edition has an entry of that key."""
        return next(self.store.quads(self.node(key), RDF.type, None, self.graph), None) is not None

    def node(self, key: str) -> NamedNode:
        """The IRI of an entry."""
        return self.names.rule(self.edition, key)

    def key(self, node: NamedNode) -> str:
        """The key of an entry's IRI; of an example's IRI that of the entry it illustrates."""
        return node.value.removeprefix(self._prefix).partition("/example/")[0]

    @cached_property
    def titled(self) -> dict[str, tuple[str, ...]]:
        """The keys of headed entries and glossary entries by title in `plain` form, headed ones first."""
        found: dict[str, list[str]] = {}
        for predicate in (DCTERMS.title, SKOS.prefLabel, SKOS.altLabel):
            for quad in self.store.quads(None, predicate, None, self.graph):
                if isinstance(quad.subject, NamedNode) and isinstance(quad.object, Literal):
                    key = self.key(quad.subject)
                    if key[:1].isdigit() or key.startswith("term/"):
                        found.setdefault(plain(quad.object.value), []).append(key)
        return {title: tuple(dict.fromkeys(keys)) for title, keys in found.items()}

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Every entry of the edition: sections, chapters, rules, subrules as one turns the pages, then the glossary."""
        kinds = (*_KINDS, SR.GlossaryEntry)
        found = (quad for kind in kinds for quad in self.store.quads(None, RDF.type, kind, self.graph))
        return tuple(sort_keys(self.key(quad.subject) for quad in found if isinstance(quad.subject, NamedNode)))

    def properties(self, node: NamedNode) -> _Properties:
        """The values of a node by predicate; IRIs as their text."""
        found: _Properties = {}
        for quad in self.store.quads(node, None, None, self.graph):
            if isinstance(quad.object, NamedNode | Literal):
                found.setdefault(quad.predicate, []).append(quad.object.value)
        return found

    def named(self, key: str, *, text: bool = False) -> Named:
        """An entry by its key, with its title, and with its text if asked."""
        if not text and key in self._known:
            return self._known[key]
        said = self.properties(self.node(key))
        title = _first(said, DCTERMS.title) or _first(said, SKOS.prefLabel)
        self._known[key] = Named(key, title)
        return Named(key, title, _text(said), self.examples(key)) if text else self._known[key]

    def below(self, key: str, *, text: bool = False) -> tuple[Named, ...]:
        """The next narrower entries, in the order of the book."""
        parts = self.store.quads(None, ELI.is_part_of, self.node(key), self.graph)
        keys = [self.key(quad.subject) for quad in parts if isinstance(quad.subject, NamedNode)]
        return tuple(self.named(narrower, text=text) for narrower in sorted(keys, key=_order))

    def above(self, key: str) -> tuple[Named, ...]:
        """The wider entries from the section down; none for a glossary entry."""
        if not key[0].isdigit():
            return ()
        wider: list[str] = []
        node = self.node(key)
        while (part := next(self.store.quads(node, ELI.is_part_of, None, self.graph), None)) is not None:
            node = NamedNode(part.object.value)  # type: ignore[union-attr]
            if not node.value.startswith(self._prefix):  # a section is part of the edition
                break
            wider.append(self.key(node))
        return tuple(self.named(above) for above in reversed(wider))

    def examples(self, key: str) -> tuple[str, ...]:
        """The examples of a rule or glossary entry, in order."""
        return tuple(text for _, text in self._illustrations(key) if text)

    def _illustrations(self, key: str) -> tuple[tuple[NamedNode, str], ...]:
        """The nodes of an entry's examples, in order, with their texts."""
        if key not in self._illustrated:
            found = self.store.quads(None, SR.illustrates, self.node(key), self.graph)
            subjects = [quad.subject for quad in found if isinstance(quad.subject, NamedNode)]
            nodes = [(node, self.properties(node)) for node in subjects]
            nodes.sort(key=lambda node: int(node[1][SR.position][0]))
            self._illustrated[key] = tuple((node, _text(said) or "") for node, said in nodes)
        return self._illustrated[key]

    def links_out(self, key: str) -> tuple[FoundLink, ...]:
        """The references in the entry's text and examples, in order of appearance."""
        passages = [self.node(key), *(node for node, _ in self._illustrations(key))]
        return tuple(link for passage in passages for link in self._from(passage))

    def _from(self, passage: NamedNode) -> list[FoundLink]:
        nodes = self.store.quads(None, OA.hasSource, passage, self.graph)
        links = [link for quad in nodes if isinstance(quad.subject, NamedNode) for link in self._links(quad.subject)]
        return sorted(links, key=lambda link: link.start)

    def links_in(self, key: str) -> tuple[FoundLink, ...]:
        """The references that reach the entry itself, by the place where they stand in the book."""
        nodes = self.store.quads(None, SR.reaches, self.node(key), self.graph)
        links = [
            link
            for quad in nodes
            if isinstance(quad.subject, NamedNode)
            for link in self._links(quad.subject)
            if link.target == key
        ]
        return tuple(sorted(links, key=lambda link: (_order(link.source), link.place, link.start)))

    def _links(self, reference: NamedNode) -> tuple[FoundLink, ...]:
        """The links that one reference makes: one a target, or one without a target."""
        if reference not in self._linked:
            self._linked[reference] = tuple(self._read_links(self.properties(reference)))
        return self._linked[reference]

    def _read_links(self, said: _Properties) -> Iterator[FoundLink]:
        passage = NamedNode(said[OA.hasSource][0])
        source = self.named(self.key(passage))
        example = passage.value.partition("/example/")[2]
        place = f"example {example}" if example else "text" if source.key[0].isdigit() else "glossary"
        targets = sorted((self.key(NamedNode(iri)) for iri in said.get(SR.reaches, ())), key=_order)
        reached: list[Named | None] = [self.named(target) for target in targets]
        for target in reached or [None]:
            yield FoundLink(
                source=source.key,
                source_title=source.title,
                target=target.key if target else None,
                target_title=target.title if target else None,
                kind=said[SR.kind][0],
                quote=said[OA.exact][0],
                place=place,
                start=int(said[OA.start][0]),
                end=int(said[OA.end][0]),
                fault=_first(said, SR.fault),
            )

    @cached_property
    def _source(self) -> _Properties:
        """What the graph says of the file that the edition came from."""
        edition = self.properties(self.names.edition(self.edition))
        return self.properties(NamedNode(edition[PROV.wasDerivedFrom][0]))

    @property
    def origin(self) -> tuple[str, str, bool]:
        """The name and SHA-256 of the official file, and whether only its outline is loaded."""
        source = self._source
        return source[DCTERMS.title][0], source[SR.sha256][0], self.is_outline

    @cached_property
    def is_outline(self) -> bool:
        """Whether only the outline of the edition is loaded, without the official text."""
        edition = self.names.edition(self.edition)
        return next(self.store.quads(edition, SR.outline, None, self.graph), None) is not None

    def _passages(self, part: str) -> list[tuple[NamedNode, _Properties]]:
        """The paragraphs of a part of the book that is not numbered, in order."""
        quads = self.store.quads(None, SR.part, Literal(part), self.graph)
        found = [(quad.subject, self.properties(quad.subject)) for quad in quads if isinstance(quad.subject, NamedNode)]
        return sorted(found, key=lambda passage: int(passage[1][SR.position][0]))

    def _part(self, part: str) -> Entry:
        passages = self._passages(part)
        if not passages:
            lacking = f"the outline of the edition of {self.edition} has no {part}; the official text: seerule build"
            raise UnknownEntry(lacking if self.is_outline else f"the rules of {self.edition} have no {part}")
        source, sha256, outline = self.origin
        return Entry(
            edition=self.edition,
            key=part,
            kind="part",
            iri=passages[0][0].value,
            title=part.capitalize(),
            text="\n".join(_text(said) or "" for _, said in passages),
            **_UNLINKED,
            source=source,
            sha256=sha256,
            line=int(passages[0][1][SR.line][0]),
            outline=outline,
        )

    def _entry(self, key: str, also: str | None) -> Entry:
        node = self.node(key)
        said = self.properties(node)
        kinds = [_KINDS[NamedNode(iri)] for iri in said[RDF.type] if NamedNode(iri) in _KINDS]
        source, sha256, outline = self.origin
        title = _first(said, DCTERMS.title) or _first(said, SR.heading)
        text = _text(said)
        line = _first(said, SR.line)
        below = self.below(key, text=True)
        whole = [key, *(named.key for named in below)] if "." in key else [key]
        links_in = tuple(link for part in whole for link in self.links_in(part))
        also = also or next((link.source for link in links_in if _same_name(link, title)), None)
        return Entry(
            edition=self.edition,
            key=key,
            kind=kinds[0] if kinds else "glossary",
            iri=node.value,
            title=title,
            text=None if text == title else text,
            examples=self.examples(key),
            above=self.above(key),
            below=below,
            links_out=tuple(link for part in whole for link in self.links_out(part)),
            links_in=links_in,
            source=source,
            sha256=sha256,
            line=int(line) if line else None,
            glossary=self.named(also, text=True) if also else None,
            outline=outline,
        )


def _same_name(link: FoundLink, title: str | None) -> bool:
    """Whether the link comes from the glossary entry of that title."""
    return title is not None and link.source.startswith("term/") and plain(link.source_title or "") == plain(title)


def _first(said: _Properties, predicate: NamedNode) -> str | None:
    return said[predicate][0] if predicate in said else None


def _text(said: _Properties) -> str | None:
    return _first(said, SR.text) or _first(said, SKOS.definition)


@lru_cache(maxsize=16_384)
def _order(key: str) -> tuple[object, ...]:
    """The sort key of a key: rules in the order of the book, glossary entries after them by name."""
    if not key[0].isdigit():
        return (1, key)
    number, _, occurrence = key.partition("~")
    return (0, RuleNumber.parse(number).order, int(occurrence or 1))


def sort_keys(keys: Iterable[str]) -> list[str]:
    """Keys in the order of the book: numbers first, glossary entries after them.

    >>> sort_keys(["702.10", "term/flying", "702.9b", "702.9"])
    ['702.9', '702.9b', '702.10', 'term/flying']
    """
    return sorted(keys, key=_order)
