"""Knows how official files are stored: their encodings, their line ends, and the fakes that only look like them."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from kb.errors import SeeruleError
from kb.rulebook import Source

FETCH_AGAIN = "the file was damaged on the way: fetch it again"
FETCH_TEXT = "get the .txt file that the publisher's rules page links"


class UnreadableSource(SeeruleError):
    """A file that cannot be read as the rules: `name` and `line` say where, the rest what is wrong and what to do.

    >>> str(UnreadableSource("rules.txt", 3, "this is JSON", "build from the .txt file"))
    'rules.txt, line 3: this is JSON; build from the .txt file'
    """

    def __init__(self, name: str, line: int, fault: str, advice: str = FETCH_AGAIN) -> None:
        super().__init__(f"{name}, line {line}: {fault}; {advice}")
        self.name, self.line, self.fault = name, line, fault


@dataclass(frozen=True, slots=True)
class Text:
    """A file as text: its provenance and its lines without line ends, the first one being line 1."""

    source: Source
    lines: tuple[str, ...]


_LETTERS = {chr(code) for code in range(0xE0, 0x100) if code != 0xF7} | set("ÀÁÂÄÅÆÇÈÉÊËÍÑÓÔÖÚÜŒœŠšŽžß")
_EXPECTED = _LETTERS | set("‘’“”–—…•®™©§½¼¾×∞π\xa0\u2028")
_TOLERATED_LOSSES = 20  # lost characters: the oldest edition has a few, a damaged file has thousands
_OTHER_KINDS = (
    (b"%PDF", "a PDF file"),
    (b"PK\x03\x04", "a ZIP or Word file"),
    (b"\xd0\xcf\x11\xe0", "a Word file"),
    (b"\x1f\x8b", "a gzip file"),
)


def read_text(data: bytes, name: str) -> Text:
    """The lines of an official file, whatever its encoding and line ends.

    `name` is the file's name for provenance and messages. Raises `UnreadableSource`.

    >>> read_text(b"\\xef\\xbb\\xbfIntroduction\\r\\n\\r\\nIt\\xe2\\x80\\x99s", "rules.txt").lines
    ('Introduction', '', 'It’s')
    """
    text, encoding = _decode(data, name)
    _refuse_other_formats(text, name)
    source = Source(name, len(data), hashlib.sha256(data).hexdigest(), encoding)
    return Text(source, tuple(_split_lines(text)))


def _decode(data: bytes, name: str) -> tuple[str, str]:
    for magic, kind in _OTHER_KINDS:
        if data.startswith(magic):
            raise UnreadableSource(name, 1, f"this is {kind}, not plain text", FETCH_TEXT)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return _decode_utf16(data, name)
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        raise UnreadableSource(name, line, "NUL bytes without a byte order mark, as in UTF-16 that lost its own")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return _decode_one_byte(data, name)
    return _mend_c1_controls(text, "utf-8-sig" if data.startswith(b"\xef\xbb\xbf") else "utf-8", name)


def _decode_utf16(data: bytes, name: str) -> tuple[str, str]:
    encoding = "utf-16-le" if data.startswith(b"\xff\xfe") else "utf-16-be"
    try:
        return data[2:].decode(encoding), encoding
    except UnicodeDecodeError as error:
        line = data[: error.start].decode(encoding, "replace").count("\n") + 1
        raise UnreadableSource(name, line, f"broken {encoding}: {error.reason}") from error


def _decode_one_byte(data: bytes, name: str) -> tuple[str, str]:
    """The text in the one-byte encoding that yields only letters and signs that the rules use."""
    worst: tuple[int, str] | None = None
    for encoding in ("cp1252", "mac_roman"):
        text = data.decode(encoding, "replace")
        strange = next((at for at, sign in enumerate(text) if sign > "\x7f" and sign not in _EXPECTED), None)
        if strange is None:
            return text, encoding
        if worst is None or strange > worst[0]:
            worst = (strange, text)
    at, text = worst or (0, "")
    fault = f"the bytes {data[at : at + 2].hex(' ')} are no letters of UTF-8, UTF-16, Windows-1252 or Mac Roman"
    advice = "if it is in another encoding (an East Asian one?), convert it to UTF-8; else fetch it again"
    raise UnreadableSource(name, text.count("\n", 0, at) + 1, fault, advice)


def _mend_c1_controls(text: str, encoding: str, name: str) -> tuple[str, str]:
    """Windows-1252 that was taken for Latin-1 on its way to UTF-8 made text again: the one reversible damage."""
    control = re.search(r"[\x80-\x84\x86-\x9f]", text)
    if control is None:
        return text, encoding
    try:
        return text.encode("latin-1").decode("cp1252"), "cp1252 as latin-1 in utf-8"
    except UnicodeError as error:
        line = text.count("\n", 0, control.start()) + 1
        fault = f"the control character U+{ord(control[0]):04X} is no text"
        raise UnreadableSource(name, line, fault) from error


def _refuse_other_formats(text: str, name: str) -> None:
    if re.match(r"\s*[{\[]", text):
        raise UnreadableSource(name, 1, "this is JSON, not the publisher's text", FETCH_TEXT)
    if re.match(r"(?i)\s*<(?:!doctype|html|\?xml)", text):
        raise UnreadableSource(name, 1, "this is a web page, not the publisher's text", FETCH_TEXT)
    if text.count("\ufffd") > _TOLERATED_LOSSES:
        line = text.count("\n", 0, text.index("\ufffd")) + 1
        raise UnreadableSource(name, line, "the replacement character U+FFFD stands for lost text")


def _split_lines(text: str) -> list[str]:
    doubled = text.count("\r\r\n")
    if doubled and doubled == text.count("\n") and text.count("\r") == 2 * doubled:
        text = text.replace("\r\r\n", "\n")  # a line end that was translated twice
    return re.split(r"\r\n|\r|\n", text)
