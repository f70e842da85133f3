"""Knows what can be wrong with an edition: slips of the publisher, and faults of a file that is not a whole one.

A *slip* is reported and read as it stands; a *fault* makes `seerule build` refuse the file unless forced.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from kb.number import RuleNumber
from kb.resolution import Link, links
from kb.rulebook import GlossaryEntry, Rule, Rulebook, plain, standard_label

_MISNUMBERED = re.compile(r"[\dlIO]{1,4}\s?[.,]\s?(?:[\dlIO]{1,3}[a-z]{0,2}[.,]?\s|\s[A-Z])")
_SMALLEST = 60  # chapters; the edition of 1999 has 63


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong with an edition: its kind, the line of the file, the rule or entry, and what is wrong in words.

    Kinds: dangling-reference, wrong-title, duplicate-number, missing-number, misnumbered-line, contents, cut-short,
    count, lost-character.
    `broken` says that the edition's structure cannot be trusted.
    """

    kind: str
    line: int
    where: str
    message: str
    broken: bool = False

    def __str__(self) -> str:
        return f"line {self.line}: {self.where}: {self.message}"


def audit(
    rulebook: Rulebook, known: Iterable[Link] | None = None, expected: Mapping[str, int] = MappingProxyType({})
) -> tuple[Finding, ...]:
    """Everything wrong with `rulebook`, in the order of its lines.

    `known` are its links, where they have been found already. `expected` gives counts known from elsewhere:
    `rules`, `chapters`, `glossary`; what differs is a finding.
    """
    found = [finding for check in CHECKS for finding in check(rulebook)]
    found += _references(links(rulebook) if known is None else known)
    found += _counts(rulebook, expected)
    return tuple(sorted(found, key=lambda finding: (finding.line, finding.kind, finding.where)))


def _references(known: Iterable[Link]) -> Iterator[Finding]:
    for link in known:
        if link.fault is not None:
            source = link.source
            line, where = _place(source)
            yield Finding(link.fault.kind, line, where, f"“{link.reference.quote}”: {link.fault.message}")


def _place(source: Rule | GlossaryEntry) -> tuple[int, str]:
    if isinstance(source, Rule):
        return source.paragraphs[0].line, source.key
    return source.line, f"glossary entry {source.name}"


def _numbers(rulebook: Rulebook) -> Iterator[Finding]:
    """Numbers given twice, left out, or out of order, from each rule to the next."""
    before: Rule | None = None
    for rule in rulebook.rules:
        line = rule.paragraphs[0].line
        if rule.occurrence > 1:
            yield Finding(
                "duplicate-number",
                line,
                str(rule.number),
                f"the number {rule.number} is printed {rule.occurrence} times",
            )
        elif before is not None and rule.number < before.number:
            yield Finding("misnumbered-line", line, str(rule.number), f"{rule.number} stands after {before.number}")
        elif before is not None and (skipped := _skipped(before.number, rule.number)):
            yield Finding(
                "missing-number",
                line,
                str(rule.number),
                f"{skipped} is missing between {before.number} and {rule.number}",
            )
        before = rule


def _skipped(before: RuleNumber, number: RuleNumber) -> str | None:
    """The first number left out between two neighbours, or None."""
    expected = [RuleNumber(number.section, number.chapter, 1)]
    if number.chapter == before.chapter:
        inner = RuleNumber(before.section, before.chapter, before.rule, "a")
        following = RuleNumber(before.section, before.chapter, before.rule + 1)
        expected = [inner, following] if not before.letter else [before.next or following, following]
    if number in expected:
        return None
    same_rule = (number.chapter, number.rule) == (before.chapter, before.rule)
    return str(
        expected[0]
        if same_rule
        else RuleNumber(number.section, number.chapter, number.rule)
        if number.letter
        else expected[-1]
    )


def _labels(rulebook: Rulebook) -> Iterator[Finding]:
    """Lines whose number is not printed as the others are, and lines that look numbered but could not be read so."""
    for rule in rulebook.rules:
        if rule.label:
            said = f"the number is printed {rule.label!r}, not {standard_label(rule.number)!r}"
            yield Finding("misnumbered-line", rule.paragraphs[0].line, rule.key, said)
        for paragraph in rule.paragraphs[1:]:
            if _MISNUMBERED.match(paragraph.text):
                said = f"the line begins like a number but is none: {paragraph.text[:24]!r}"
                yield Finding("misnumbered-line", paragraph.line, rule.key, said)


def _contents(rulebook: Rulebook) -> Iterator[Finding]:
    """The contents list against the headings of the body."""
    listed = {head.number: head for head in rulebook.contents if head.number}
    heads = [head for head in (*rulebook.sections, *rulebook.chapters) if head.number]
    printed = {head.number: head for head in heads}
    for number, count in Counter(head.number for head in heads).items():
        if count > 1:
            yield Finding(
                "duplicate-number",
                printed[number].line,
                str(number),
                f"the heading {number} stands {count} times",
                broken=True,
            )
    for number, head in listed.items():
        if number not in printed:
            yield Finding(
                "contents",
                head.line,
                str(number),
                f"{number} {head.title!r} is in the contents list but not in the body",
                broken=True,
            )
        elif plain(printed[number].title) != plain(head.title):
            said = f"the contents list calls {number} {head.title!r}, the body {printed[number].title!r}"
            yield Finding("contents", head.line, str(number), said)
    for number, head in printed.items():
        if number not in listed:
            emptied = (
                re.search(r"[.\]]$", head.title) is not None
            )  # a sentence that keeps the number of a chapter that is gone
            yield Finding(
                "contents",
                head.line,
                str(number),
                f"{number} {head.title!r} is not in the contents list",
                broken=not emptied,
            )


def _ends(rulebook: Rulebook) -> Iterator[Finding]:
    """Whether the parts that every edition has are all there."""
    last = _last_line(rulebook)
    named = {head.title.casefold(): head for head in rulebook.heads}
    for part, value in (("glossary", rulebook.glossary), ("credits", rulebook.credits)):
        if part not in named or not value:
            yield Finding("cut-short", last, "end", f"the text ends without its {part}: it is cut short", broken=True)
    for entry in rulebook.glossary:
        if not entry.paragraphs:
            yield Finding(
                "cut-short",
                entry.line,
                f"glossary entry {entry.name}",
                "the entry has a heading and no text",
                broken=entry is rulebook.glossary[-1],
            )
    if len(rulebook.chapters) < _SMALLEST:
        yield Finding(
            "cut-short",
            last,
            "end",
            f"only {len(rulebook.chapters)} chapters: not a whole edition",
            broken=True,
        )


def _last_line(rulebook: Rulebook) -> int:
    ends = [paragraph.end for paragraph in rulebook.credits]
    ends += [paragraph.end for entry in rulebook.glossary for paragraph in entry.paragraphs]
    ends += [paragraph.end for rule in rulebook.rules[-1:] for paragraph in rule.paragraphs]
    return max(ends, default=1)


def _lost_characters(rulebook: Rulebook) -> Iterator[Finding]:
    groups = (
        rulebook.front,
        rulebook.introduction,
        rulebook.credits,
        *(rule.paragraphs for rule in rulebook.rules),
    )
    for paragraph in (paragraph for group in groups for paragraph in group):
        if "\ufffd" in paragraph.text:
            yield Finding(
                "lost-character",
                paragraph.line,
                "text",
                "the replacement character U+FFFD stands for a lost sign",
            )


def _counts(rulebook: Rulebook, expected: Mapping[str, int]) -> Iterator[Finding]:
    actual = {
        "rules": len(rulebook.rules),
        "chapters": len(rulebook.chapters),
        "glossary": len(rulebook.glossary),
    }
    for part, number in expected.items():
        if actual[part] != number:
            yield Finding("count", 1, part, f"{actual[part]} {part} where {number} are expected", broken=True)


CHECKS = (_numbers, _labels, _contents, _ends, _lost_characters)
"""Every check of the rulebook alone, in the order in which it is run."""
