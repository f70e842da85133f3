"""Knows what a reference means in one edition: which rules or glossary entries it reaches, or why it reaches none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from kb.number import RuleNumber
from kb.reference import Reference, references, term_references
from kb.rulebook import GlossaryEntry, Rule, Rulebook, plain

Place = Literal["text", "example", "glossary"]


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a reference does not mean what it says: `kind` is `dangling-reference` or `wrong-title`."""

    kind: Literal["dangling-reference", "wrong-title"]
    message: str


@dataclass(frozen=True, slots=True)
class Link:
    """A reference, where it stands, and what it reaches in its edition.

    `source` is the rule or glossary entry whose text holds it; `place` says whether that is the rule's text, one of
    its examples or the glossary, and `position` which paragraph or example, from 0: the reference's span counts in
    that. `targets` are the keys of what is reached (`Rule.key`, or the number of a chapter or section), ranges
    expanded; `entries` the glossary entries of a "See X".
    """

    source: Rule | GlossaryEntry
    place: Place
    position: int
    reference: Reference
    targets: tuple[str, ...] = ()
    entries: tuple[GlossaryEntry, ...] = ()
    fault: Fault | None = None

    @property
    def passage(self) -> tuple[int, int]:
        """The passage that holds the reference, and how far into it the reference's paragraph begins.

        The passage is an example of the source, from 1, or 0 for the source's own text.
        """
        paragraphs = self.source.paragraphs
        if self.place == "example":
            return self.position + 1, 0
        if self.position >= max(len(paragraphs), 1):
            return self.position - len(paragraphs) + 1, 0
        return 0, sum(len(paragraph.text) + 1 for paragraph in paragraphs[: self.position])


def links(rulebook: Rulebook) -> Iterator[Link]:
    """Every reference of the edition's rules, examples and glossary with what it reaches, in the order of the book."""
    for rule in rulebook.rules:
        for at, paragraph in enumerate(rule.paragraphs):
            yield from _links(rulebook, rule, "text", at, paragraph.text)
        for at, example in enumerate(rule.examples):
            yield from _links(rulebook, rule, "example", at, example.text)
    for entry in rulebook.glossary:
        texts = [passage.text for passage in entry.paragraphs] + [passage.text for passage in entry.examples]
        for at, text in enumerate(texts):
            yield from _links(rulebook, entry, "glossary", at, text)
            for reference in term_references(text):
                found = _entries(reference.title or "", rulebook)
                fault = None if found else Fault("dangling-reference", f"the glossary has no entry {reference.title!r}")
                yield Link(entry, "glossary", at, reference, entries=found, fault=fault)


def _links(rulebook: Rulebook, source: Rule | GlossaryEntry, place: Place, at: int, text: str) -> Iterator[Link]:
    for reference in _found(text):
        keys, fault = reach(reference, rulebook)
        yield Link(source, place, at, reference, keys, fault=fault)


@lru_cache(maxsize=1 << 14)  # most of an edition stands in the next one word for word
def _found(text: str) -> tuple[Reference, ...]:
    return tuple(references(text))


def reach(reference: Reference, rulebook: Rulebook) -> tuple[tuple[str, ...], Fault | None]:
    """The keys of the rules that a reference reaches, as `resolve`; two where an edition prints the number twice."""
    numbers, fault = resolve(reference, rulebook)
    return tuple(key for number in numbers for key in _keys(number, reference.title, rulebook)), fault


def resolve(reference: Reference, rulebook: Rulebook) -> tuple[tuple[RuleNumber, ...], Fault | None]:
    """The numbers that a reference reaches in `rulebook`, ranges expanded, and what is wrong with it if anything.

    Never guesses: a number that does not exist is not replaced by one that does, and a number that bears another
    title than the reference gives it is reported.
    """
    first, last = reference.first, reference.last
    if first is None:
        raise ValueError(f"{reference.quote!r} names a glossary term, not a rule")
    if last is not None:
        return _range(first, last, rulebook)
    if not rulebook.holds(first):
        return (), Fault("dangling-reference", f"{first} does not exist in this edition")
    if reference.title is not None and not _is_titled(first, reference.title, rulebook):
        actual = rulebook.titles.get(first)
        called = f"is titled {actual!r}" if actual else "has no title"
        return (first,), Fault("wrong-title", f"{first} {called}, not {reference.title!r}")
    return (first,), None


def _range(first: RuleNumber, last: RuleNumber, rulebook: Rulebook) -> tuple[tuple[RuleNumber, ...], Fault | None]:
    siblings = rulebook.children.get(first.parent, ()) if first.parent else ()
    numbers = tuple(number for number in siblings if first <= number <= last)
    missing = [end for end in (first, last) if end not in siblings]
    if missing or first >= last:
        said = (
            f"{missing[0]} does not exist in this edition" if missing else f"the range {first} to {last} runs backwards"
        )
        return numbers, Fault("dangling-reference", said)
    return numbers, None


def _is_titled(number: RuleNumber, title: str, rulebook: Rulebook) -> bool:
    headings = [rule.heading or "" for rule in rulebook.occurrences.get(number, ())]
    return plain(title) in map(plain, [rulebook.titles.get(number, ""), *headings])


def _keys(number: RuleNumber, title: str | None, rulebook: Rulebook) -> tuple[str, ...]:
    """What bears the number: where two rules do, the one that has the title, or both where no title tells."""
    rules = rulebook.occurrences.get(number, ())
    titled = [rule for rule in rules if title is not None and plain(rule.heading or "") == plain(title)]
    return tuple(rule.key for rule in titled or rules) or (str(number),)


def _entries(title: str, rulebook: Rulebook) -> tuple[GlossaryEntry, ...]:
    """The entries that a "See X, Y, and Z" names: the whole as one heading if there is one, else each part."""
    whole = rulebook.terms.get(plain(title))
    if whole is not None:
        return (whole,)
    parts = [part for part in re.split(r",\s+(?:and\s+)?|\s+and\s+", title) if part]
    found = [rulebook.terms.get(plain(part)) for part in parts]
    return tuple(dict.fromkeys(entry for entry in found if entry is not None)) if all(found) else ()
