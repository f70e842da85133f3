"""Knows how an edition is shipped as facts alone: numbers, headings, headwords and references, no sentence of its text.

The outline is the embedded default: a rulebook whose rules are known by number, line and heading, and whose links
are all there with their evidence. One row a fact, tab-separated, in `data/outline/`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path

from kb.number import RuleNumber
from kb.reference import Reference
from kb.resolution import Fault, Link
from kb.rulebook import Example, GlossaryEntry, Heading, Paragraph, Rule, Rulebook, Source
from kb.shipped import shipped


def write_outline(rulebook: Rulebook, links: Iterable[Link]) -> str:
    """The facts of an edition as tab-separated rows, the first column naming the kind of fact."""
    rows = [*_book_rows(rulebook), *_link_rows(rulebook, links)]
    return "".join("\t".join(map(str, row)) + "\n" for row in rows)


def _book_rows(rulebook: Rulebook) -> Iterator[tuple[object, ...]]:
    source = rulebook.source
    yield "edition", rulebook.edition, source.name, source.size, source.sha256, source.encoding
    for head in (*rulebook.sections, *rulebook.chapters):
        yield "heading", head.number, head.line, head.title
    for rule in rulebook.rules:
        lines = " ".join(str(example.line) for example in rule.examples)
        line = rule.paragraphs[0].line
        yield "rule", rule.number, rule.occurrence, line, rule.label, lines, rule.heading or ""
    for entry in rulebook.glossary:
        yield "term", entry.line, entry.heading


def _link_rows(rulebook: Rulebook, links: Iterable[Link]) -> Iterator[tuple[object, ...]]:
    """A row a reference; its span counts in the whole text of the rule, entry or example that holds it."""
    rules = {rule: at for at, rule in enumerate(rulebook.rules)}
    entries = {entry: at for at, entry in enumerate(rulebook.glossary)}
    for link in links:
        source, said = link.source, link.reference
        at = rules[source] if isinstance(source, Rule) else entries[source]
        position, shift = link.passage
        span = f"{said.start + shift} {said.end + shift}"
        reached = " ".join((*link.targets, *(f"#{entries[entry]}" for entry in link.entries)))
        fault = f"{link.fault.kind}: {link.fault.message}" if link.fault else ""
        first, last = said.first or "", said.last or ""
        yield "link", link.place, at, position, span, first, last, reached, said.title or "", fault, said.quote


def read_outline(text: str) -> tuple[Rulebook, tuple[Link, ...]]:
    """The rulebook without its text and the links, as `write_outline` wrote them."""
    rows: dict[str, list[list[str]]] = {}
    for line in text.splitlines():
        kind, *row = line.split("\t")
        rows.setdefault(kind, []).append(row)
    edition, name, size, sha256, encoding = rows["edition"][0]
    heads = [Heading(RuleNumber.parse(number), title, int(line)) for number, line, title in rows["heading"]]
    rulebook = Rulebook(
        effective=date.fromisoformat(edition),
        source=Source(name, int(size), sha256, encoding),
        heads=(),
        front=(),
        introduction=(),
        contents=(),
        sections=tuple(head for head in heads if head.number and not head.number.chapter),
        chapters=tuple(head for head in heads if head.number and head.number.chapter),
        rules=tuple(_rule(*row) for row in rows["rule"]),
        glossary=tuple(GlossaryEntry(heading, (_blank(line),), int(line)) for line, heading in rows["term"]),
        index=(),
        credits=(),
    )
    return rulebook, tuple(_link(rulebook, *row) for row in rows["link"])


def _rule(number: str, occurrence: str, line: str, label: str, examples: str, heading: str) -> Rule:
    illustrated = tuple(Example("", int(at), int(at)) for at in examples.split())
    text = Paragraph(heading, int(line), int(line))
    return Rule(RuleNumber.parse(number), (text,), illustrated, int(occurrence), label)


def _blank(line: str) -> Paragraph:
    return Paragraph("", int(line) + 1, int(line) + 1)


def _link(rulebook: Rulebook, *row: str) -> Link:
    place, at, position, span, first, last, reached, title, fault, quote = row
    source: Rule | GlossaryEntry = rulebook.glossary[int(at)] if place == "glossary" else rulebook.rules[int(at)]
    start, end = map(int, span.split())
    reference = Reference(start, end, quote, _number(first), _number(last), title or None)
    targets = reached.split()
    kind, _, message = fault.partition(": ")
    return Link(
        source=source,
        place="example" if place == "example" else "glossary" if place == "glossary" else "text",
        position=int(position) - 1 if place == "example" else int(position),
        reference=reference,
        targets=tuple(target for target in targets if target[0] != "#"),
        entries=tuple(rulebook.glossary[int(target[1:])] for target in targets if target[0] == "#"),
        fault=Fault("wrong-title" if kind == "wrong-title" else "dangling-reference", message) if fault else None,
    )


def _number(text: str) -> RuleNumber | None:
    return RuleNumber.parse(text) if text else None


def embedded_outline() -> Path:
    """The outline of the newest edition that ships with the package."""
    return max(shipped("outline").glob("*.tsv"))
