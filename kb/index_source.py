"""Knows how the full-text index is derived from a store: every edition's passages, its rulings and its cards."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple
from functools import lru_cache
from pathlib import Path

from pyoxigraph import Literal, NamedNode

from kb.graph import entry_slugs
from kb.index import IndexedCard, IndexedRuling, Passage, write_index
from kb.number import RuleNumber
from kb.players import players_words
from kb.read_graph import read_rulebook
from kb.rulebook import Rulebook, plain
from kb.store import GraphStore
from kb.vocabulary import DCTERMS, RDF, SR, Names
from kb.words import stems


def write_passages(rulebook: Rulebook, path: Path) -> None:
    """Writes the passages of an edition to a file, a line each, for `derive_index` to take them from."""
    with open(path, "w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(astuple(passage), ensure_ascii=False) + "\n" for passage in passages_of(rulebook))


def _read_passages(path: Path) -> Iterator[Passage]:
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            yield Passage(*json.loads(line))


def derive_index(store: GraphStore, path: Path, written: Mapping[str, Path] | None = None) -> None:
    """Writes the index of every edition that `store` really holds; nothing where it has no catalogue.

    `written` are files of passages by edition, which `write_passages` made while the rulebook was at hand; the
    passages of any other edition are read back from the store, and are the same.
    """
    base = next(store.quads(None, SR.currentEdition, None, None), None)
    if base is None or not isinstance(base.subject, NamedNode):
        return
    names = Names(base.subject.value.removesuffix("graph/catalogue"))
    held = store.quads(None, SR.inEdition, None, names.catalogue)
    named = sorted(quad.object.value.rpartition("/")[2] for quad in held if isinstance(quad.object, NamedNode))
    editions = [
        edition for edition in named if next(store.quads(None, RDF.type, SR.Edition, names.graph(edition)), None)
    ]
    passages = (passage for edition in editions for passage in _passages(store, names, edition, written or {}))
    write_index(path, passages, _rulings(store, names), _cards(store, names))


def _passages(store: GraphStore, names: Names, edition: str, written: Mapping[str, Path]) -> Iterable[Passage]:
    if edition in written:
        return _read_passages(written[edition])
    return passages_of(read_rulebook(store.quads(graph=names.graph(edition))))


def passages_of(rulebook: Rulebook) -> Iterator[Passage]:
    """The rules, examples and glossary entries of an edition, in the order of the book."""
    aliases, titles, edition = players_words(rulebook), rulebook.titles, rulebook.edition
    place = 0
    for rule in rulebook.rules:
        place += 1
        above = [titles[number] for number in reversed((rule.number, *rule.number.ancestors)) if number in titles]
        heading = " › ".join(above[1:])
        said = aliases.get(rule.key, "")
        name = plain(rule.heading or "")
        yield _passage(edition, "rule", rule.key, place, name, heading, said, rule.text)
        for example in rule.examples:
            yield _passage(edition, "example", rule.key, place, "", heading, "", example.text)
        for phrase in said.split("; ") if said else ():
            yield Passage(edition, "name", rule.key, place, plain(phrase), "", "", "")
    yield from _chapters(rulebook)
    slugs = entry_slugs(rulebook.glossary)
    for entry in rulebook.glossary:
        place += 1
        key = f"term/{slugs[entry]}"
        others = " ".join(entry.terms[1:])
        for at, name in enumerate(dict.fromkeys(plain(term) for term in (*entry.terms, entry.name))):
            if at:
                yield Passage(edition, "name", key, place, name, "", "", "")
            else:
                yield _passage(edition, "glossary", key, place, name, entry.heading, others, entry.text)


def _chapters(rulebook: Rulebook) -> Iterator[Passage]:
    """Sections and chapters, found by their title."""
    for head in (*rulebook.sections, *rulebook.chapters):
        if head.number is not None:
            number: RuleNumber = head.number
            yield _passage(rulebook.edition, "chapter", str(number), 0, plain(head.title), head.title, "", head.title)


def _passage(
    edition: str, kind: str, key: str, place: int, name: str, heading: str, aliases: str, text: str
) -> Passage:
    return Passage(edition, kind, key, place, name, heading, aliases, text, _stems_of(f"{heading} {aliases} {text}"))


@lru_cache(maxsize=1 << 14)  # most of an edition stands in the next one word for word
def _stems_of(text: str) -> str:
    return " ".join(dict.fromkeys(stems(text)))


def _rulings(store: GraphStore, names: Names) -> Iterator[IndexedRuling]:
    cards = _values(store, SR.name, names.collection("cards"))
    graph = names.collection("rulings")
    texts, dates = _values(store, SR.text, graph), _values(store, DCTERMS.issued, graph)
    for quad in store.quads(None, SR.rulingOn, None, graph):
        if isinstance(quad.subject, NamedNode) and isinstance(quad.object, NamedNode):
            node = quad.subject.value
            card = cards.get(quad.object.value, "")
            yield IndexedRuling(node.rpartition("/")[2], card, dates.get(node, ""), texts[node])


def _cards(store: GraphStore, names: Names) -> Iterator[IndexedCard]:
    graph = names.collection("cards")
    said = {predicate: _values(store, predicate, graph) for predicate in (SR.name, SR.typeLine, SR.text)}
    keywords = _values(store, SR.sourceKeyword, graph)
    faces: dict[str, list[str]] = {}
    for quad in store.quads(None, SR.faceOf, None, graph):
        if isinstance(quad.subject, NamedNode) and isinstance(quad.object, NamedNode):
            faces.setdefault(quad.object.value, []).append(quad.subject.value)
    for card, printed in faces.items():
        printed.sort()
        lines, texts = ([said[part].get(face, "") for face in printed] for part in (SR.typeLine, SR.text))
        also = tuple(said[SR.name][face] for face in printed)
        yield IndexedCard(said[SR.name][card], " // ".join(lines), keywords.get(card, ""), "\n".join(texts), also)


def _values(store: GraphStore, predicate: NamedNode, graph: NamedNode) -> dict[str, str]:
    """The value of a predicate by subject."""
    return {
        quad.subject.value: quad.object.value
        for quad in store.quads(None, predicate, None, graph)
        if isinstance(quad.subject, NamedNode) and isinstance(quad.object, Literal)
    }
