"""Knows where the official files come from: the publishers' addresses, and the newest edition known to this version."""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from ingest.download_errors import BadAddress
from ingest.web_address import web_address
from kb.errors import SeeruleError
from kb.shipped import shipped


class BadSources(SeeruleError):
    """The file that says where official files come from does not say it: `path` and `fault` tell where and why."""

    def __init__(self, path: Path, fault: str) -> None:
        super().__init__(f"{path}: {fault}; the form is that of {shipped('sources.toml')}")
        self.path, self.fault = path, fault


@dataclass(frozen=True, slots=True)
class KnownEdition:
    """An edition of the rules whose bytes are known: `size` in bytes, `sha256` in lower-case hexadecimal digits."""

    address: str
    effective: date
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class RulesSource:
    """The publisher's `page` that links the current rules, the pattern of the linked file's name (`*` for any
    characters), and the newest edition known.
    """

    page: str
    link: str
    known: KnownEdition


@dataclass(frozen=True, slots=True)
class ScryfallSource:
    """The `list` of Scryfall's files, the `kinds` in use, and the `fields` of an entry that may hold its address."""

    list: str
    fields: tuple[str, ...]
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MtgjsonSource:
    """The address of MTGJSON's AtomicCards."""

    atomic_cards: str


@dataclass(frozen=True, slots=True)
class Sources:
    """Where every official file comes from."""

    rules: RulesSource
    scryfall: ScryfallSource
    mtgjson: MtgjsonSource


def read_sources(path: Path | None = None) -> Sources:
    """The shipped sources, with what the file at `path` (by default the one that `$SEERULE_SOURCES` names, if it is
    set) says differently; raises `BadSources`.

    >>> read_sources().rules.known.effective
    datetime.date(2026, 9, 25)
    """
    origin = shipped("sources.toml")
    tables = _tables(origin)
    named = os.environ.get("SEERULE_SOURCES")
    own = path or (Path(named).expanduser() if named else None)
    if own is not None:
        _replace(tables, _tables(own), own, "")
        origin = own
    return _sources(tables, origin)


def _tables(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSources(path, (error.strerror or str(error)).lower()) from error
    except ValueError as error:  # of TOML, which tells line and column, or of UTF-8
        raise BadSources(path, f"this is not TOML: {error}") from error


def _replace(tables: dict[str, Any], own: Mapping[str, Any], path: Path, above: str) -> None:
    """Puts a file's own values in the place of those shipped; a name or type that is not there is an error."""
    for name, value in own.items():
        if name not in tables:
            near = difflib.get_close_matches(name, tables, 1)
            meant = (
                f"did you mean {above}{near[0]}?" if near else f"known are {', '.join(above + key for key in tables)}"
            )
            raise BadSources(path, f"{above}{name} is unknown, {meant}")
        if type(value) is not type(tables[name]):
            raise BadSources(path, f"{above}{name} should be {_TYPES[type(tables[name])]}")
        if isinstance(value, dict):
            _replace(tables[name], value, path, f"{above}{name}.")
        else:
            tables[name] = value


_TYPES = {str: "a string", int: "a whole number", list: "a list", dict: "a table", date: "a date", datetime: "a date"}


def _sources(tables: dict[str, Any], path: Path) -> Sources:
    rules, scryfall = tables["rules"], tables["scryfall"]
    known = rules["known"]
    if not re.fullmatch(r"[0-9a-fA-F]{64}", known["sha256"]):
        raise BadSources(path, "rules.known.sha256 should be 64 hexadecimal digits")
    for name in ("fields", "kinds"):
        if not scryfall[name] or not all(isinstance(value, str) for value in scryfall[name]):
            raise BadSources(path, f"scryfall.{name} should be a list of strings")
    try:
        edition = KnownEdition(
            web_address(known["address"]), known["effective"], known["size"], known["sha256"].lower()
        )
        return Sources(
            RulesSource(web_address(rules["page"]), rules["link"], edition),
            ScryfallSource(web_address(scryfall["list"]), tuple(scryfall["fields"]), tuple(scryfall["kinds"])),
            MtgjsonSource(web_address(tables["mtgjson"]["atomic_cards"])),
        )
    except BadAddress as error:
        raise BadSources(path, f"{error.address!r}: {error.reason}") from error
