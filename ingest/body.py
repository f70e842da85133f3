"""Knows what a paragraph of the book is: a heading, the start of a rule, an example, or more of what came before."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ingest.lines import EXAMPLE_START, Line, blocks, paragraphs
from kb.number import RuleNumber
from kb.rulebook import Example, GlossaryEntry, Heading, Paragraph, Rule, standard_label

SECTION = re.compile(r"([1-9])\.\s+(\S.{0,79})")
CHAPTER = re.compile(r"([1-9]\d\d)\.\s+([^\s\d].{0,99})")
RULE_START = re.compile(
    r"(?P<label>[1-9]\d\d\.(?:[1-9]\d{0,2}[a-z]{0,2}(?:\.|(?=\s|$))|\s[1-9]\d{0,2}[a-z]{1,2}(?=\s)))\s*(?P<text>.*)"
)


@dataclass(slots=True)
class Body:
    """The sections, chapters and rules read so far; `stray` is text before the first rule that is no heading."""

    sections: list[Heading] = field(default_factory=list)
    chapters: list[Heading] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    stray: list[Paragraph] = field(default_factory=list)


def read_body(lines: list[Line], wrapped: bool) -> Body:
    """The body that the lines between contents list and glossary hold."""
    body, seen = Body(), Counter[RuleNumber]()
    for block in blocks(lines):
        for paragraph in paragraphs(block, wrapped):
            _add(body, seen, paragraph)
    return body


def _add(body: Body, seen: Counter[RuleNumber], paragraph: Paragraph) -> None:
    if (rule := _rule(paragraph)) is not None:
        seen[rule.number] += 1
        body.rules.append(replace(rule, occurrence=seen[rule.number]))
    elif head := CHAPTER.fullmatch(paragraph.text):
        body.chapters.append(Heading(RuleNumber.parse(head[1]), head[2], paragraph.line))
    elif (head := SECTION.fullmatch(paragraph.text)) and not paragraph.text.endswith("."):
        body.sections.append(Heading(RuleNumber.parse(head[1]), head[2], paragraph.line))
    elif body.rules:
        body.rules[-1] = _with_more(body.rules[-1], paragraph)
    else:
        body.stray.append(paragraph)


def _rule(paragraph: Paragraph) -> Rule | None:
    """The rule that the paragraph begins, or None; its label is kept where it is not the standard one."""
    started = RULE_START.fullmatch(paragraph.text)
    if started is None:
        return None
    try:
        number = RuleNumber.parse(started["label"].rstrip(".").replace(" ", ""))
    except ValueError:
        return None
    glued = "" if " " in started["label"] else paragraph.text.split(None, 1)[0]
    label = glued or started["label"]
    text = Paragraph(started["text"], paragraph.line, paragraph.end)
    return Rule(number, (text,), label="" if label == standard_label(number) else label)


def _with_more(rule: Rule, paragraph: Paragraph) -> Rule:
    if (example := _example(paragraph)) is not None:
        return replace(rule, examples=(*rule.examples, example))
    return replace(rule, paragraphs=(*rule.paragraphs, paragraph))


def _example(paragraph: Paragraph) -> Example | None:
    marked = EXAMPLE_START.match(paragraph.text)
    return Example(paragraph.text[marked.end() :], paragraph.line, paragraph.end) if marked else None


def read_glossary(lines: list[Line], wrapped: bool) -> Iterator[GlossaryEntry]:
    """The entries of the glossary: a block begins with its heading, an indented block continues."""
    entry: GlossaryEntry | None = None
    for block in blocks(lines):
        if entry is None or not block[0].indent:
            if entry is not None:
                yield entry
            entry, block = GlossaryEntry(block[0].text, (), block[0].number), block[1:]
        for paragraph in paragraphs(block, wrapped):
            if (example := _example(paragraph)) is not None:
                entry = replace(entry, examples=(*entry.examples, example))
            else:
                entry = replace(entry, paragraphs=(*entry.paragraphs, paragraph))
    if entry is not None:
        yield entry
