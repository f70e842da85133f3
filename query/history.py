"""Knows what a rule has been called and how it has changed, through every edition in the store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pyoxigraph import Literal, NamedNode

from kb.store import GraphStore
from kb.vocabulary import PROV, SR, Names


@dataclass(frozen=True, slots=True)
class Version:
    """A rule in one edition: its key there, and the likeness of its words to those of the edition before.

    `likeness` is 1.0 where the words are the same but for the numbers they cite, None in the edition where the rule
    first appears.
    """

    edition: str
    key: str
    likeness: float | None


@dataclass(frozen=True, slots=True)
class Span:
    """A run of editions in which a rule kept its number and its words; `first` and `last` are their dates.

    `change` tells how it differs from the span before: `new`, `moved`, `edited` or `moved and edited`.
    """

    first: str
    last: str
    key: str
    change: str
    likeness: float | None


def versions(store: GraphStore, names: Names, edition: str, key: str) -> tuple[Version, ...]:
    """The rule in every edition that has it, oldest first.

    Found by words, from each edition to the next (`kb.edition`): an inference, kept in a named graph of its own.
    """
    here = names.rule(edition, key)
    before: list[Any] = [here]
    after: list[Any] = [here]
    while older := [quad.object for quad in store.quads(before[-1], PROV.wasRevisionOf, None, names.revisions)]:
        before.append(older[0])
    while newer := [quad.subject for quad in store.quads(None, PROV.wasRevisionOf, after[-1], names.revisions)]:
        after.append(newer[0])
    nodes = [*reversed(before), *after[1:]]
    return tuple(_version(store, names, node, first=at == 0) for at, node in enumerate(nodes))


def _version(store: GraphStore, names: Names, node: NamedNode, *, first: bool) -> Version:
    edition, _, key = node.value.removeprefix(f"{names.work.value}/").partition("/")
    if first:
        return Version(edition, key, None)
    said = next((quad.object for quad in store.quads(node, SR.likeness, None, names.revisions)), None)
    return Version(edition, key, float(said.value) if isinstance(said, Literal) else 1.0)


def spans(found: tuple[Version, ...]) -> tuple[Span, ...]:
    """The versions put together where nothing changed.

    >>> [span.change for span in spans((Version("2019", "1.1", None), Version("2020", "1.2", 1.0)))]
    ['new', 'moved']
    """
    told: list[Span] = []
    for version in found:
        moved = bool(told) and told[-1].key != version.key
        edited = version.likeness is not None and version.likeness < 1
        if told and not moved and not edited:
            told[-1] = Span(told[-1].first, version.edition, version.key, told[-1].change, told[-1].likeness)
            continue
        change = " and ".join(word for word, true in (("moved", moved), ("edited", edited)) if true) or "new"
        told.append(Span(version.edition, version.edition, version.key, change, version.likeness))
    return tuple(told)
