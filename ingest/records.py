"""Knows how records are laid out in JSON files: an array, one object a line, or an object of named lists; plain or
gzipped.

A file is read in pieces, so its size does not matter; a broken record is told with its line, and reading goes
on after it.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from kb.errors import SeeruleError

_PIECE = 1 << 20
_LONGEST = 1 << 23  # characters of one record; the longest real one has 60,000
_BLANK = re.compile(r"[\s\ufeff]*")
_BETWEEN = re.compile(r"[\s,\ufeff]*")
_NEXT_OBJECT = re.compile(r"\n\s*\{")
_NEXT_ENTRY = re.compile(r"\n\s*(?=\"[^\"\n]+\"\s*:\s*\[)")


class UnreadableRecords(SeeruleError):
    """A file that is not what it should be; the message names the file, the line, the fault and what to do."""


@dataclass(frozen=True, slots=True)
class Record:
    """A value of the file and the line, from 1, that it begins on; `name` where the file names it."""

    line: int
    value: Any
    name: str = ""


@dataclass(frozen=True, slots=True)
class BrokenRecord:
    """A stretch of the file that is no record, the line that it begins on, and why."""

    line: int
    fault: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.fault}"


@contextmanager
def opened(path: Path) -> Iterator[TextIO]:
    """The text of a JSON file, gzipped or not; bytes that are no UTF-8 become lone surrogates, which no record may
    hold.

    Raises `UnreadableRecords` for a file that cannot be opened or unpacked.
    """
    try:
        with open(path, "rb") as raw:
            packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            plain = gzip.GzipFile(fileobj=raw) if packed else raw
            yield io.TextIOWrapper(plain, encoding="utf-8", errors="surrogateescape", newline="")
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise UnreadableRecords(
            f"{path.name}: the gzip file is damaged or cut short ({error}); get it again"
        ) from error
    except OSError as error:
        raise UnreadableRecords(f"{path}: {error.strerror or error}") from error


class Scanner:
    """Reads the JSON values of a text one after another, keeping count of the lines.

    >>> scanner = Scanner(io.StringIO('[{"a": 1},\\n {"a": oops},\\n {"a": 3}]'), "cards.json")
    >>> for found in scanner.records():
    ...     print(found)
    Record(line=1, value={'a': 1}, name='')
    line 2: this is not JSON: Expecting value
    Record(line=3, value={'a': 3}, name='')
    """

    def __init__(self, text: TextIO, name: str) -> None:
        self._text, self.name = text, name
        self._buffer, self._at, self._line, self._counted = "", 0, 1, 0
        self._ended = False
        self._decoder = json.JSONDecoder()

    @property
    def line(self) -> int:
        """The line, from 1, that comes next."""
        self._line += self._buffer.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._line

    def peek(self, between: re.Pattern[str] = _BLANK) -> str:
        """The next character after blanks, or an empty text at the end of the file."""
        while True:
            blank = between.match(self._buffer, self._at)
            self._at = blank.end() if blank else self._at
            if self._at < len(self._buffer) or not self._read():
                return self._buffer[self._at : self._at + 1]

    def take(self, sign: str) -> bool:
        """Whether `sign` comes next; it is then passed over."""
        if self.peek() != sign:
            return False
        self._at += 1
        return True

    def looks_like(self, pattern: str) -> bool:
        """Whether what comes next matches `pattern`; nothing is passed over."""
        self.peek()
        return re.match(pattern, self._buffer[self._at : self._at + 1000]) is not None

    def records(self) -> Iterator[Record | BrokenRecord]:
        """The records of an array, or of a text with one object a line; raises `UnreadableRecords` for an array
        that does not end.
        """
        in_array = self.take("[")
        while sign := self.peek(_BETWEEN):
            if in_array and sign == "]":
                self._at += 1
                self._refuse_more()
                return
            line = self.line
            try:
                yield Record(line, self.value())
            except ValueError as error:
                yield BrokenRecord(line, _fault(error))
                self._skip_to(_NEXT_OBJECT, 1)
        if in_array:
            raise self.refusal("the list of records does not end: the file is cut short; get it again")

    def entries(self) -> Iterator[Record | BrokenRecord]:
        """The named values of an object whose brace comes next."""
        self.take("{")
        while sign := self.peek(_BETWEEN):
            if sign == "}":
                self._at += 1
                return
            line = self.line
            try:
                name = self.value()
                if not self.take(":"):
                    raise ValueError("Expecting ':' delimiter")
                yield Record(line, self.value(), str(name))
            except ValueError as error:
                yield BrokenRecord(line, _fault(error))
                self._skip_to(_NEXT_ENTRY, 0)
        raise self.refusal("the object of cards does not end: the file is cut short; get it again")

    def value(self) -> Any:
        """The next JSON value; raises `ValueError` where there is none."""
        self.peek()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._buffer, self._at)
            except json.JSONDecodeError as error:
                if self._ended or len(self._buffer) - self._at > _LONGEST or not self._may_be_cut(error):
                    raise ValueError(error.msg) from error
            except RecursionError as error:
                raise ValueError("it is nested too deep") from error
            else:
                if end < len(self._buffer) or self._ended:  # a number may go on in the next piece
                    self._at = end
                    return value
            self._read()

    def refusal(self, fault: str) -> UnreadableRecords:
        """The error that refuses the file at this line."""
        return UnreadableRecords(f"{self.name}, line {self.line}: {fault}")

    def _may_be_cut(self, error: json.JSONDecodeError) -> bool:
        """Whether more text could mend the fault: it is at the end, or it is a string that does not end."""
        return error.pos >= len(self._buffer) - 16 or error.msg.startswith("Unterminated string")

    def _read(self) -> bool:
        """Reads another piece; False at the end of the file."""
        piece = self._text.read(max(_PIECE, len(self._buffer) - self._at))
        if not piece:
            self._ended = True
            return False
        self._line = self.line
        self._buffer = self._buffer[self._at :] + piece
        self._at = self._counted = 0
        return True

    def _skip_to(self, pattern: re.Pattern[str], keep: int) -> None:
        """Passes over everything before the next match of `pattern`, and of the match all but its last `keep`
        characters.
        """
        self._at += 1
        while True:
            found = pattern.search(self._buffer, self._at)
            if found is not None:
                self._at = found.end() - keep
                return
            self._at = len(self._buffer)
            if not self._read():
                return

    def _refuse_more(self) -> None:
        if self.peek():
            raise self.refusal("something follows the end of the list: the file is damaged; get it again")


def _fault(error: ValueError) -> str:
    return f"this is not JSON: {str(error) or type(error).__name__}"
