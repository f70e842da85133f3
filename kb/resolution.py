"""Knows what a reference means in one edition: which rules or glossary entries it reaches, or why it reaches none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from kb.number import RuleNumber
from kb.reference import Reference, references, term_references
from kb.rulebook import GlossaryEntry, Rule, Rulebook

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
    that. `numbers` are the targets with ranges expanded, `entries` the glossary entries of a "See X".
    """

    source: Rule | GlossaryEntry
    place: Place
    position: int
    reference: Reference
    numbers: tuple[RuleNumber, ...] = ()
    entries: tuple[GlossaryEntry, ...] = ()
    fault: Fault | None = None


def links(rulebook: Rulebook) -> Iterator[Link]:
    """Every reference of the edition's rules, examples and glossary with what it reaches, in the order of the book."""
    for rule in rulebook.rules:
        for at, paragraph in enumerate(rule.paragraphs):
            yield from _links(rulebook, rule, "text", at, paragraph.text)
        for at, example in enumerate(rule.examples):
            yield from _links(rulebook, rule, "example", at, example.text)
    for entry in rulebook.glossary:
        for at, passage in enumerate((*entry.paragraphs, *entry.examples)):
            yield from _links(rulebook, entry, "glossary", at, passage.text)
            for reference in term_references(passage.text):
                found = _entries(reference.title or "", rulebook)
                fault = None if found else Fault("dangling-reference", f"the glossary has no entry {reference.title!r}")
                yield Link(entry, "glossary", at, reference, entries=found, fault=fault)


def _links(rulebook: Rulebook, source: Rule | GlossaryEntry, place: Place, at: int, text: str) -> Iterator[Link]:
    for reference in references(text):
        numbers, fault = resolve(reference, rulebook)
        yield Link(source, place, at, reference, numbers, fault=fault)


def resolve(reference: Reference, rulebook: Rulebook) -> tuple[tuple[RuleNumber, ...], Fault | None]:
    """The numbers that a reference to rules reaches in `rulebook`, ranges expanded, and what is wrong with it if anything.

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
        said = f"{missing[0]} does not exist in this edition" if missing else f"the range {first} to {last} runs backwards"
        return numbers, Fault("dangling-reference", said)
    return numbers, None


def _is_titled(number: RuleNumber, title: str, rulebook: Rulebook) -> bool:
    return _plain(rulebook.titles.get(number, "")) == _plain(title)


def _plain(title: str) -> str:
    """A title without case, quotation marks and punctuation, which authors vary."""
    return " ".join(re.findall(r"\w+", title.casefold().replace("'", "").replace("’", "")))


def _entries(title: str, rulebook: Rulebook) -> tuple[GlossaryEntry, ...]:
    """The entries that a "See X, Y, and Z" names: the whole as one heading if there is one, else each part."""
    whole = _entry(title, rulebook)
    if whole is not None:
        return (whole,)
    parts = [part for part in re.split(r",\s+(?:and\s+)?|\s+and\s+", title) if part]
    found = [_entry(part, rulebook) for part in parts]
    return tuple(dict.fromkeys(entry for entry in found if entry is not None)) if all(found) else ()


def _entry(title: str, rulebook: Rulebook) -> GlossaryEntry | None:
    return rulebook.terms.get(title.casefold()) or rulebook.terms.get(title.casefold().strip("“”\""))
