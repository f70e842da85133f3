"""Knows how the newest official files are found: by the publishers' own links, else by the addresses known."""

from __future__ import annotations

import fnmatch
import html
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin

from ingest.download_errors import (
    FROM_CACHE,
    BadAddress,
    DownloadError,
    LinkNotFound,
    NotTheFile,
)
from ingest.fetch import Fetched, fetch
from ingest.sources import RulesSource, ScryfallSource, Sources, read_sources
from ingest.web_address import file_name, web_address
from ingest.wire import Advance, Patience
from kb.errors import SeeruleError

__all__ = ["Fetched", "fetch", "fetch_bulk", "fetch_current_rules", "rules_link"]

_LARGEST_TEXT = 32 << 20
_LARGEST_PAGE = 16 << 20
_TEXT, _PAGE, _JSON = "text/plain, */*;q=0.1", "text/html, */*;q=0.1", "application/json, */*;q=0.1"


class NoCurrentRules(SeeruleError):
    """Neither the publisher's page nor the address known gives the rules; the message tells both reasons."""


class UnknownKind(SeeruleError):
    """No publisher is known to have such files."""


def fetch_current_rules(
    *,
    cache: Path,
    sources: Sources | None = None,
    progress: Advance | None = None,
    offline: bool = False,
    patience: Patience | None = None,
) -> Fetched:
    """The current Comprehensive Rules: what the publisher's page links, or the newest edition known to this version
    where the page cannot be read.

    The hash is checked where the edition is the one known; the notes say where it could not be, and why the page was
    not used. Raises `NoCurrentRules` and what `fetch` raises.
    """
    rules = (sources or read_sources()).rules
    options: dict[str, Any] = {"cache": cache, "offline": offline, "patience": patience}
    text = options | {"progress": progress, "accept": _TEXT, "largest": _LARGEST_TEXT}
    try:
        linked = _linked(rules, options)
    except DownloadError as error:
        return _known(rules, error, text)
    if linked == rules.known.address:
        return fetch(linked, expected_sha256=rules.known.sha256, **text)
    note = (
        f"{file_name(linked)} is not the edition that this version knows ({rules.known.effective}): its hash could not"
        " be checked"
    )
    return replace(fetch(linked, **text), notes=(note,))


def _linked(rules: RulesSource, options: dict[str, Any]) -> str:
    """The address that the publisher's page links."""
    page = fetch(rules.page, **options, accept=_PAGE, page=True, largest=_LARGEST_PAGE)
    return rules_link(page.path.read_text(encoding="utf-8", errors="replace"), page.url, rules.link)


def _known(rules: RulesSource, reason: DownloadError, options: dict[str, Any]) -> Fetched:
    """The newest edition known, `reason` being why the publisher's page is no help."""
    try:
        fetched = fetch(rules.known.address, expected_sha256=rules.known.sha256, **options)
    except DownloadError as error:
        said = f"from {reason.address} ({reason.reason}) nor from {error.address} ({error.reason})"
        advice = FROM_CACHE if reason.advice == FROM_CACHE else error.advice
        raise NoCurrentRules(f"the current rules come neither {said}; {advice}") from error
    note = (
        f"{reason.address} is no help ({reason.reason}): this is the newest edition known to this version,"
        f" effective {rules.known.effective}; there may be a newer one"
    )
    return replace(fetched, notes=(note,))


def rules_link(page: str, address: str, pattern: str = "MagicCompRules*.txt") -> str:
    """The address of the current rules that a page links; `address` is the page's own, `pattern` that of the name.

    Of several the newest by folder of the year and date in the name. Raises `LinkNotFound`.

    >>> rules_link('<a href="/2026/downloads/MagicCompRules 20260925.txt">TXT</a>', "https://media.wizards.com/en")
    'https://media.wizards.com/2026/downloads/MagicCompRules%2020260925.txt'
    """
    text = html.unescape(page.replace("\\u002F", "/").replace("\\/", "/"))
    found: set[str] = set()
    for match in re.finditer(r"""["'=(]\s*([^\s"'<>=()][^"'<>=()]*\.txt)(?=[\s"'<>()?#]|$)""", text, re.IGNORECASE):
        if fnmatch.fnmatch(unquote(match[1].rpartition("/")[2]).casefold(), pattern.casefold()):
            found.add(_absolute(match[1], address))
    if not found:
        raise LinkNotFound(address, f"the page has no link to {pattern}")
    return max(found, key=_date_in)


def _absolute(link: str, address: str) -> str:
    """A link of a page as an address, over a secure connection where the page came over one."""
    try:
        target = web_address(urljoin(address, link))
    except (BadAddress, ValueError) as error:
        raise LinkNotFound(address, f"the page links {link!r}, which is no address") from error
    return re.sub("^http:", "https:", target) if address.startswith("https:") else target


def _date_in(address: str) -> tuple[str, str, str]:
    """The year of the folder and the date of the name, for comparison."""
    year = re.search(r"/(\d{4})/", address)
    name = re.search(r"\d{8}", file_name(address))
    return (year[1] if year else "", name[0] if name else "", address)


def fetch_bulk(
    kind: str,
    *,
    cache: Path,
    sources: Sources | None = None,
    progress: Advance | None = None,
    offline: bool = False,
    patience: Patience | None = None,
) -> Fetched:
    """The newest file of a kind: Scryfall's `oracle_cards` or `rulings`, MTGJSON's `atomic_cards`.

    The file may be a JSON array or JSON lines, gzipped or not: its first bytes tell. Raises `UnknownKind`,
    `LinkNotFound` and what `fetch` raises.
    """
    known = sources or read_sources()
    options: dict[str, Any] = {"cache": cache, "offline": offline, "patience": patience}
    if kind == "atomic_cards":
        address = known.mtgjson.atomic_cards
    elif kind in known.scryfall.kinds:
        address = _listed(kind, known.scryfall, options)
    else:
        kinds = ", ".join((*known.scryfall.kinds, "atomic_cards"))
        raise UnknownKind(f"no source is known for files of the kind {kind!r}; known are {kinds}")
    return fetch(address, **options, progress=progress, series=kind)


def _listed(kind: str, scryfall: ScryfallSource, options: dict[str, Any]) -> str:
    """The address that Scryfall's list gives for a kind."""
    listed = fetch(scryfall.list, **options, accept=_JSON, largest=_LARGEST_PAGE)
    for entry in _entries(listed):
        if isinstance(entry, dict) and entry.get("type") == kind:
            for field in scryfall.fields:
                if isinstance(entry.get(field), str):
                    return _absolute(entry[field], scryfall.list)
            fields = " nor ".join(scryfall.fields)
            raise LinkNotFound(scryfall.list, f"the entry {kind} has neither {fields}")
    raise LinkNotFound(scryfall.list, f"the list has no entry {kind}")


def _entries(listed: Fetched) -> list[Any]:
    try:
        return list(json.loads(listed.path.read_bytes())["data"])
    except (ValueError, KeyError, TypeError) as error:
        raise NotTheFile(listed.url, "this is not the list of files that it was") from error
