"""Knows how lines make paragraphs: one line each in newer files, hard-wrapped blocks in the oldest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kb.rulebook import Paragraph

EXAMPLE_START = re.compile(r"(?:example:\s*)+", re.IGNORECASE)
_ORNAMENT = re.compile(r"[-=_*~]{3,}")
_WRAPPED_AT = 130  # characters; an unwrapped rule runs to a thousand, the widest wrapped file to 120


@dataclass(frozen=True, slots=True)
class Line:
    """A line: its number from 1, its text without outer space, its indent, whether a blank line precedes it."""

    number: int
    text: str
    indent: int
    after_blank: bool

    @property
    def is_ornament(self) -> bool:
        """Whether the line only draws a rule of dashes."""
        return _ORNAMENT.fullmatch(self.text) is not None

    @property
    def paragraph(self) -> Paragraph:
        """The line as a paragraph of its own."""
        return Paragraph(self.text, self.number, self.number)


def filled_lines(lines: Iterable[str]) -> Iterator[Line]:
    """The lines that hold something; one of no-break spaces is blank, U+2028 breaks a line in two of one number."""
    after_blank = True
    for number, whole in enumerate(lines, 1):
        for part in whole.split("\u2028"):
            text = part.strip("\ufeff \t\xa0\x0b\x0c")
            if text:
                indent = len(part.expandtabs(4)) - len(part.expandtabs(4).lstrip(" \xa0\t"))
                line = Line(number, text, indent, after_blank)
                yield line
                after_blank = line.is_ornament
            elif part is whole:
                after_blank = True


def is_wrapped(lines: Iterable[Line]) -> bool:
    """Whether the file breaks its paragraphs into lines of a page's width."""
    lengths = sorted(len(line.text) for line in lines)
    return bool(lengths) and lengths[int(len(lengths) * 0.99)] <= _WRAPPED_AT


def blocks(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """The runs of lines between blank lines."""
    block: list[Line] = []
    for line in lines:
        if block and line.after_blank:
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def paragraphs(block: list[Line], wrapped: bool) -> Iterator[Paragraph]:
    """The paragraphs of a block; in a wrapped file one begins at an indent or "Example:", else at every line."""
    if not wrapped:
        yield from (line.paragraph for line in block)
        return
    current: list[Line] = []
    for line in block:
        if current and (line.indent > block[0].indent + 2 or EXAMPLE_START.match(line.text)):
            yield _joined(current)
            current = []
        current.append(line)
    if current:
        yield _joined(current)


def _joined(lines: list[Line]) -> Paragraph:
    return Paragraph(" ".join(line.text for line in lines), lines[0].number, lines[-1].number)
