"""Knows where a number or term stood that an edition does not have: in which other editions, and what it is today."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from kb.number import RuleNumber
from kb.vocabulary import RDF, slug
from query.errors import UnknownEntry
from query.knowledge_base import KnowledgeBase
from query.renumbering import Renumbering


class NotInThisEdition(UnknownEntry):
    """The entry stands in other editions than the one asked; `places` are its key and the edition of each place that
    leads to it, None for the newest one.
    """

    def __init__(self, message: str, places: tuple[tuple[str, str | None], ...]) -> None:
        super().__init__(message)
        self.places = places


def elsewhere(base: KnowledgeBase, asked: str, unknown: UnknownEntry) -> UnknownEntry:
    """What to say of something that an edition does not have: where it stood, or else that it is `unknown`."""
    number = RuleNumber.recognise(asked)
    key = str(number) if number is not None else f"term/{slug(asked.removeprefix('term/'))}"
    held = list(_having(base, key))
    if not held:
        return unknown
    newest, last = base.editions[-1], held[-1]
    after = list(takewhile(held.__contains__, base.editions[base.editions.index(last) :: -1]))
    when = f"{after[-1]} to {last}" if len(after) > 1 else last
    called = (
        f"{key} is in the rules of" if number is not None else f"{key.removeprefix('term/')!r} is in the glossary of"
    )
    places: list[tuple[str, str | None]] = [(key, last)]
    said = f"{str(unknown).partition(';')[0].rstrip('.')}. {called} {when}"
    now = Renumbering(base.store, base.names, last, newest).now(key) if number is not None and last < newest else None
    if now is not None:
        places.insert(0, (now, None))
        said += f"; today ({newest}) the same rule is {now}."
    elif last < newest:
        said += f"; the rules of {newest} have no entry that it became."
    else:
        said += "."
    return NotInThisEdition(said, tuple(places))


def _having(base: KnowledgeBase, key: str) -> Iterator[str]:
    for edition in base.editions:
        if edition == base.edition:
            continue
        found = base.store.quads(base.names.rule(edition, key), RDF.type, None, base.names.graph(edition))
        if next(found, None) is not None:
            yield edition
