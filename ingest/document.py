"""Knows how the rules are laid out as a document: front, introduction, contents, body, glossary, credits."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date

from ingest.body import CHAPTER, RULE_START, SECTION, read_body, read_glossary
from ingest.lines import Line, blocks, filled_lines, is_wrapped, paragraphs
from ingest.not_whole import fault_of
from ingest.source import FETCH_TEXT, Text, UnreadableSource, read_text
from kb.number import RuleNumber
from kb.rulebook import Heading, Paragraph, Rulebook

_EFFECTIVE = re.compile(r"(?:effective|current)\s+as\s+of\s+([A-Z][a-z]+)\s+(\d{1,2}),\s+(\d{4})")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def read_rulebook(data: bytes, name: str) -> Rulebook:
    """The rulebook that the bytes of an official file hold; `name` is the file's name for provenance and messages.

    Slips of the publisher (a number twice, a missing period) are read as they stand; `ingest.audit` reports them.
    Raises `UnreadableSource` for a file that is not a whole edition of the rules.
    """
    return rulebook_of(read_text(data, name))


def rulebook_of(text: Text) -> Rulebook:
    """The rulebook of a text whose lines are already known."""
    name = text.source.name
    lines = list(filled_lines(text.lines))
    parts = _parts(lines, name)
    wrapped = is_wrapped(lines)
    _refuse_lost_paragraphs(parts.body, wrapped, name)
    body = read_body(parts.body, wrapped)
    return Rulebook(
        effective=_effective_date(text, name),
        source=text.source,
        heads=tuple(Heading(None, line.text, line.number) for line in parts.heads),
        front=(*_all_paragraphs(parts.front, wrapped), *body.stray),
        introduction=_all_paragraphs(parts.introduction, wrapped),
        contents=tuple(_heading(line) for line in parts.contents),
        sections=tuple(body.sections),
        chapters=tuple(body.chapters),
        rules=tuple(body.rules),
        glossary=tuple(read_glossary(parts.glossary, wrapped)),
        index=_all_paragraphs(parts.index, wrapped),
        credits=_all_paragraphs(parts.credits, wrapped),
        ornaments=tuple(line.paragraph for line in lines if line.is_ornament),
    )


@dataclass(slots=True)
class _Parts:
    """The lines of a file by the part of the document they belong to; `heads` are the parts' own headings."""

    heads: list[Line] = field(default_factory=list)
    front: list[Line] = field(default_factory=list)
    introduction: list[Line] = field(default_factory=list)
    contents: list[Line] = field(default_factory=list)
    body: list[Line] = field(default_factory=list)
    glossary: list[Line] = field(default_factory=list)
    index: list[Line] = field(default_factory=list)
    credits: list[Line] = field(default_factory=list)


def _effective_date(text: Text, name: str) -> date:
    """The date that the text gives for itself, at its head or, in the oldest editions, at its end."""
    whole = "\n".join(text.lines)
    for found in _EFFECTIVE.finditer(whole):
        month, day, year = found.groups()
        try:
            return date(int(year), _MONTHS.index(month) + 1, int(day))
        except ValueError as error:
            line = whole.count("\n", 0, found.start()) + 1
            raise UnreadableSource(name, line, f"{found[0]!r} is no date", FETCH_TEXT) from error
    fault = 'no line says "These rules are effective as of" a date in English, as every edition does'
    raise UnreadableSource(name, 1, fault, FETCH_TEXT)


def _parts(lines: list[Line], name: str) -> _Parts:
    """Tells the contents list from the body that repeats its headings, and both from what surrounds them."""
    lines = [line for line in lines if not line.is_ornament]
    at = next((i for i, line in enumerate(lines) if line.text.casefold() == "contents"), None)
    if at is None:
        where, fault = fault_of(lines, name)
        raise UnreadableSource(name, where, fault, FETCH_TEXT)
    stop = _end_of_contents(lines, at + 1)
    contents = lines[at + 1 : stop]
    first = next((line.text for line in contents if SECTION.fullmatch(line.text)), "")
    start = next((i for i in range(stop, len(lines)) if first and _same_number(lines[i].text, first)), None)
    if start is None:
        where = lines[min(stop, len(lines) - 1)].number
        fault = f"after the contents list the rules do not begin with section {first[:1] or 1}: the text is cut short"
        raise UnreadableSource(name, where, fault, FETCH_TEXT)
    parts = _Parts(heads=[lines[at]], contents=contents)
    _share_out([*lines[:at], *lines[stop:start]], parts, parts.front, {"introduction": parts.introduction})
    later = {"glossary": parts.glossary, "index": parts.index, "credits": parts.credits}
    _share_out(lines[start:], parts, parts.body, later)
    return parts


def _same_number(text: str, heading: str) -> bool:
    """Whether `text` is a section heading of the same number; editions differ from their contents in the words."""
    return SECTION.fullmatch(text) is not None and text[0] == heading[0]


def _end_of_contents(lines: list[Line], at: int) -> int:
    """The index of the first line after the contents list: its first heading again, or a line that is no heading."""
    first = ""
    for i, line in enumerate(lines[at:], at):
        numbered = SECTION.fullmatch(line.text) or CHAPTER.fullmatch(line.text)
        if first and _same_number(line.text, first):
            return i
        if not numbered and (len(line.text) > 40 or re.search(r"[.,;]$|\d{3}\.\d", line.text)):
            return i
        first = first or (line.text if numbered else "")
    return len(lines)


def _share_out(lines: list[Line], parts: _Parts, current: list[Line], named: dict[str, list[Line]]) -> None:
    """Gives each line to the part whose heading came last; a part's heading goes to `heads`."""
    for line in lines:
        begun = named.pop(line.text.casefold(), None)
        if begun is None:
            current.append(line)
        else:
            parts.heads.append(line)
            current = begun


def _refuse_lost_paragraphs(body: list[Line], wrapped: bool, name: str) -> None:
    """A wrapped file is readable only if blank lines part its rules; text copied out of a PDF has lost them."""
    if not wrapped:
        return
    starts = [line for line in body if RULE_START.match(line.text)]
    glued = [line for line in starts if not line.after_blank]
    if len(glued) * 10 > len(starts):
        fault = "rules follow each other in broken lines with no blank line between, so that their ends are lost"
        raise UnreadableSource(name, glued[0].number, fault, f"if it was copied out of a PDF, {FETCH_TEXT}")


def _all_paragraphs(lines: list[Line], wrapped: bool) -> tuple[Paragraph, ...]:
    return tuple(paragraph for block in blocks(lines) for paragraph in paragraphs(block, wrapped))


def _heading(line: Line) -> Heading:
    found = SECTION.fullmatch(line.text) or CHAPTER.fullmatch(line.text)
    if found is None:
        return Heading(None, line.text, line.number)
    return Heading(RuleNumber.parse(found[1]), found[2], line.number)
