"""Knows what became of a rule from edition to edition: under which number its words stand, and what its number says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from pyoxigraph import Literal, NamedNode

from kb.store import GraphStore
from kb.vocabulary import DCTERMS, SKOS, SR, Names
from query.entry import Entry


@dataclass(frozen=True, slots=True)
class Stage:
    """A run of editions in which the same is true: the words stand under `key`, or nowhere (None); and `number_says`
    what the entry's own number means there: `same`, `other` words, or `nothing`.
    """

    first: str
    last: str
    editions: int
    key: str | None
    number_says: str


def history(entry: Entry, store: GraphStore, names: Names, editions: Sequence[str]) -> tuple[Stage, ...]:
    """The stages of an entry, newest first; one stage where nothing ever changed.

    Words are the same where they are so letter for letter; of a heading, its title.
    """
    words = Literal(entry.text or entry.title or "")
    predicate = _predicate(entry)
    found = [_in_edition(entry, store, names, edition, predicate, words) for edition in reversed(editions)]
    return tuple(_run(list(run)) for _, run in groupby(found, key=lambda stage: (stage.key, stage.number_says)))


def _predicate(entry: Entry) -> NamedNode:
    if entry.kind == "glossary":
        return SKOS.definition if entry.text else SR.heading
    return SR.text if entry.text else DCTERMS.title


def _in_edition(
    entry: Entry, store: GraphStore, names: Names, edition: str, predicate: NamedNode, words: Literal
) -> Stage:
    node, graph = names.rule(edition, entry.key), names.graph(edition)
    said = [quad.object for quad in store.quads(node, predicate, None, graph)]
    if words in said:
        return Stage(edition, edition, 1, entry.key, "same")
    elsewhere = next(_keys(store, names, edition, predicate, words), None)
    held = bool(said) or next(store.quads(node, None, None, graph), None) is not None
    return Stage(edition, edition, 1, elsewhere, "other" if held else "nothing")


def _keys(store: GraphStore, names: Names, edition: str, predicate: NamedNode, words: Literal) -> Iterator[str]:
    """The keys under which an edition has these words; a contents list has titles too, and does not count."""
    prefix = names.edition(edition).value + "/"
    for quad in store.quads(None, predicate, words, names.graph(edition)):
        key = quad.subject.value.removeprefix(prefix) if isinstance(quad.subject, NamedNode) else ""
        if key[:1].isdigit() or key.startswith("term/"):
            yield key.partition("/example/")[0]


def _run(stages: list[Stage]) -> Stage:
    return replace(stages[0], first=stages[-1].first, editions=len(stages))
