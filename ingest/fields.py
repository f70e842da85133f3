"""Knows what the fields of a record may hold, and says which one does not: text, lists of text, numbers as text,
dates.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Any

_LONGEST = 100_000  # characters of one field
_UNFIT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class BadField(ValueError):
    """A field of the wrong kind; the message names it."""


def text_of(record: dict[str, Any], name: str, needed: bool = False) -> str:
    """The text of a field, empty where it is absent or null; line ends are made `\\n`.

    >>> text_of({"name": "Forest"}, "name")
    'Forest'
    >>> text_of({"name": 7}, "name")
    Traceback (most recent call last):
    ingest.fields.BadField: the field "name" is a number, not a text
    """
    value = record.get(name)
    if value is None or value == "":
        if needed:
            raise BadField(f'the field "{name}" is missing')
        return ""
    if not isinstance(value, str):
        raise BadField(f'the field "{name}" is {_kind(value)}, not a text')
    return _fit(value, name)


def optional_text(record: dict[str, Any], name: str) -> str | None:
    """The text of a field, None where it is absent, null or empty."""
    return text_of(record, name) or None


def texts_of(record: dict[str, Any], name: str) -> tuple[str, ...]:
    """The texts of a list, empty where it is absent or null."""
    value = record.get(name)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise BadField(f'the field "{name}" is {_kind(value)}, not a list of texts')
    return tuple(_fit(item, name) for item in value)


def number_of(record: dict[str, Any], name: str) -> str | None:
    """A number as text, without a needless fraction, None where it is absent or null.

    >>> number_of({"cmc": 2.0}, "cmc"), number_of({"cmc": 0.5}, "cmc")
    ('2', '0.5')
    """
    value = record.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value or abs(value) > 1e9:
        raise BadField(f'the field "{name}" is {_kind(value)}, not a number of mana')
    return f"{value:g}" if abs(value) < 1e5 else str(int(value))


def objects_of(record: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The objects of a list, empty where it is absent or null."""
    value = record.get(name)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise BadField(f'the field "{name}" is {_kind(value)}, not a list of objects')
    return value


def pairs_of(record: dict[str, Any], name: str) -> tuple[tuple[str, str], ...]:
    """The names and texts of an object, in order of name, empty where it is absent or null."""
    value = record.get(name)
    if value is None:
        return ()
    if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
        raise BadField(f'the field "{name}" is {_kind(value)}, not an object of texts')
    return tuple(sorted((_fit(key, name), _fit(item, name)) for key, item in value.items()))


def date_of(record: dict[str, Any], name: str) -> str | None:
    """A date as YYYY-MM-DD, None where it is absent, null or empty.

    >>> date_of({"date": "2020-02-30"}, "date")
    Traceback (most recent call last):
    ingest.fields.BadField: the field "date" is '2020-02-30', not a date like 2026-09-25
    """
    value = text_of(record, name)
    if not value:
        return None
    try:
        if re.fullmatch(r"\d{4}-\d\d-\d\d", value, re.ASCII):
            return date.fromisoformat(value).isoformat()
    except ValueError:
        pass
    raise BadField(f'the field "{name}" is {value[:40]!r}, not a date like 2026-09-25')


def _fit(value: str, name: str) -> str:
    if len(value) > _LONGEST:
        raise BadField(f'the field "{name}" is {len(value):,} characters long')
    unfit = _UNFIT.search(value)
    if unfit is not None:
        raise BadField(f'the field "{name}" holds U+{ord(unfit[0]):04X}, which is no character of a text')
    return value.replace("\r\n", "\n").replace("\r", "\n")


def _kind(value: object) -> str:
    for kind, said in (
        (bool, "true or false"),
        ((int, float), "a number"),
        (str, "a text"),
        (list, "a list"),
        (dict, "an object"),
    ):
        if isinstance(value, kind):
            return said
    return "null"
