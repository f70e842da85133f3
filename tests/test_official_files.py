"""The newest official files are found by the publishers' links, and what could not be checked is said."""

import hashlib
import os
import re
import sys
from dataclasses import replace
from datetime import date
from io import StringIO
from pathlib import Path

import pytest

from ingest.download import NoCurrentRules, UnknownKind, fetch_bulk, fetch_current_rules, rules_link
from ingest.download_errors import FROM_CACHE, LinkNotFound, NotInCache, NotTheFile, Refused, WrongHash
from ingest.fetch import Fetched
from ingest.sources import BadSources, Sources, read_sources
from kb.shipped import shipped
from query.progress import progress_bar
from tests.tables import table
from tests.web_site import BODY, PACKED, Client, Site, sending, validated, web_site

KNOWN, NEWER = "/2026/downloads/MagicCompRules%2020260925.txt", "/2027/downloads/MagicCompRules%2020270122.txt"


def sources_at(site: Site) -> Sources:
    """The shipped sources, moved to a site; the edition known is BODY."""
    shipped_ones = read_sources()
    known = replace(
        shipped_ones.rules.known,
        address=site.address + KNOWN,
        size=len(BODY),
        sha256=hashlib.sha256(BODY).hexdigest(),
    )
    return Sources(
        replace(shipped_ones.rules, page=f"{site.address}/en/rules", known=known),
        replace(shipped_ones.scryfall, list=f"{site.address}/bulk-data"),
        replace(shipped_ones.mtgjson, atomic_cards=f"{site.address}/api/v5/AtomicCards.json.gz"),
    )


def current(site: Site, client: Client, **options: bool) -> Fetched:
    return fetch_current_rules(cache=client.cache, sources=sources_at(site), patience=client.patience(), **options)


def page_linking(site: Site, path: str) -> bytes:
    link = (site.address + path).replace("%20", " ")
    return f'<!doctype html><a href="{link}">TXT</a><a href="{link[:-4]}.pdf">PDF</a>'.encode()


def test_the_edition_known_is_checked_and_not_asked_for_again(site: Site, client: Client) -> None:
    site.serves(validated(page_linking(site, KNOWN), ETag='"p"'), path="/en/rules")
    site.serves(sending(), path=KNOWN)
    first, second = current(site, client), current(site, client)
    assert (first.path.name, first.path.read_bytes()) == ("MagicCompRules 20260925.txt", BODY)
    assert (first.verified, first.notes, first.from_cache) == (True, (), False)
    assert second == replace(first, from_cache=True)
    assert site.paths() == ["/en/rules", KNOWN, "/en/rules"]


def test_another_edition_than_the_one_known_is_taken_and_its_hash_said_to_be_unchecked(
    site: Site, client: Client
) -> None:
    site.serves(sending(page_linking(site, NEWER)), path="/en/rules")
    site.serves(sending(BODY + b"100.400. A new rule.\n"), path=NEWER)
    fetched = current(site, client)
    assert (fetched.url, fetched.verified) == (site.address + NEWER, False)
    assert fetched.notes == (
        "MagicCompRules 20270122.txt is not the edition that this version knows (2026-09-25): its hash could not be"
        " checked",
    )


def test_other_bytes_at_the_known_address_are_refused(site: Site, client: Client) -> None:
    site.serves(sending(page_linking(site, KNOWN)), path="/en/rules")
    site.serves(sending(BODY[:-1]), path=KNOWN)
    with pytest.raises(
        WrongHash, match="so try again; or its publisher replaced it, then build from its address: seerule"
    ):
        current(site, client)


@pytest.mark.parametrize(
    ("page", "status", "reason"),
    [
        (b"", 403, r"the server answers 403 Forbidden"),
        (b"", 404, r"the server answers 404 Not Found"),
        (b"<!doctype html><p>Soon.", 200, r"the page has no link to MagicCompRules\*\.txt"),
        (b'<a href="http://[x/MagicCompRules.txt">', 200, r"the page links .* which is no address"),
    ],
)
def test_a_page_that_is_no_help_leads_to_the_edition_known(
    site: Site, client: Client, page: bytes, status: int, reason: str
) -> None:
    site.serves(sending(page, status), path="/en/rules")
    site.serves(sending(), path=KNOWN)
    fetched = current(site, client)
    assert fetched.verified
    said = (
        rf"/en/rules is no help \({reason}\): this is the newest edition known to this version, effective 2026-09-25;"
    )
    assert len(fetched.notes) == 1
    assert re.search(said, fetched.notes[0]), fetched.notes


def test_a_linked_file_that_fails_is_not_replaced_by_an_older_one(site: Site, client: Client) -> None:
    site.serves(sending(page_linking(site, NEWER)), path="/en/rules")
    site.serves(sending(), path=KNOWN)
    with pytest.raises(Refused, match="404"):
        current(site, client)


def test_neither_page_nor_known_address_is_one_message(site: Site, client: Client) -> None:
    with pytest.raises(NoCurrentRules) as caught:
        current(site, client)
    assert str(caught.value) == (
        f"the current rules come neither from {site.address}/en/rules (the server answers 404 Not Found) nor"
        f" from {site.address}{KNOWN} (the server answers 404 Not Found); the publisher may have moved it: look for"
        " the link on its page and build from it: seerule build URL"
    )
    with pytest.raises(NoCurrentRules, match="build once without --offline, or from a file that you have"):
        current(site, client, offline=True)


def test_without_a_network_the_rules_come_from_the_cache_on_request(client: Client) -> None:
    with web_site() as site:
        site.serves(sending(page_linking(site, NEWER)), path="/en/rules")
        site.serves(sending(), path=NEWER)
        fetched = current(site, client)
    with pytest.raises(NoCurrentRules, match=f"{FROM_CACHE}$"):
        current(site, client)
    assert current(site, client, offline=True) == replace(fetched, from_cache=True)


@pytest.mark.parametrize(("page", "expected"), table("rules_links.txt", at_least=11))
def test_rules_links(page: str, expected: str) -> None:
    try:
        said = rules_link(page, "https://magic.wizards.com/en/rules")
    except LinkNotFound as error:
        said = f"refused: {error.reason}"
    assert said == expected


def test_a_page_of_any_size_is_searched_at_once() -> None:
    page = '<a href="MagicCompRules' + "MagicCompRules a" * 100_000 + '">' + "=('" * 100_000
    with pytest.raises(LinkNotFound):
        rules_link(page, "https://magic.wizards.com/en/rules")


def listing(site: Site, entries: str) -> None:
    site.serves(
        sending(entries.replace("SITE", site.address).encode(), Content_Type="application/json"), path="/bulk-data"
    )


def bulk(kind: str, site: Site, client: Client, **options: bool) -> Fetched:
    return fetch_bulk(kind, cache=client.cache, sources=sources_at(site), patience=client.patience(), **options)


NOW = '{"data": [{"type": "all_cards"}, {"type": "KIND", "jsonl_download_uri": "SITE/k-1.jsonl.gz"}]}'
BEFORE = '{"data": [{"type": "KIND", "download_uri": "SITE/k-1.jsonl.gz", "size": 1}]}'
BOTH = '{"data": [{"type": "KIND", "download_uri": "SITE/k.json", "jsonl_download_uri": "SITE/k-1.jsonl.gz"}]}'


@pytest.mark.parametrize("entries", [NOW, BEFORE, BOTH], ids=["now", "before", "both"])
@pytest.mark.parametrize("kind", ["oracle_cards", "rulings"])
def test_scryfalls_list_tells_where_a_kind_is(site: Site, client: Client, kind: str, entries: str) -> None:
    listing(site, entries.replace("KIND", kind))
    site.serves(sending(PACKED), path="/k-1.jsonl.gz")
    fetched = bulk(kind, site, client)
    assert (fetched.path.name, fetched.path.read_bytes()) == ("k-1.jsonl.gz", PACKED)
    assert "application/json" in site.requests[0][1]["accept"]
    assert bulk(kind, site, client, offline=True) == replace(fetched, from_cache=True)


def test_of_scryfalls_daily_files_only_the_newest_is_kept(site: Site, client: Client) -> None:
    for day in ("k-1", "k-2"):
        listing(site, NOW.replace("KIND", "rulings").replace("k-1", day))
        site.serves(sending(PACKED), path=f"/{day}.jsonl.gz")
        assert bulk("rulings", site, client).path.name == f"{day}.jsonl.gz"
    assert [path.name for path in client.cache.rglob("k-*")] == ["k-2.jsonl.gz"]


def test_mtgjson_needs_no_list(site: Site, client: Client) -> None:
    site.serves(sending(PACKED), path="/api/v5/AtomicCards.json.gz")
    assert bulk("atomic_cards", site, client).path.name == "AtomicCards.json.gz"
    assert site.paths() == ["/api/v5/AtomicCards.json.gz"]


@pytest.mark.parametrize(
    ("entries", "kind", "words"),
    [
        ('{"data": []}', LinkNotFound, "the list has no entry rulings"),
        ('{"data": [7, {"type": "rulings"}]}', LinkNotFound, "rulings has neither jsonl_download_uri nor download_uri"),
        ('{"data": [{"type": "rulings", "download_uri": 7}]}', LinkNotFound, "rulings has neither"),
        ('{"data": [{"type": "rulings", "download_uri": "file:///etc/passwd"}]}', LinkNotFound, "which is no address"),
        ('{"object": "error"}', NotTheFile, "not the list of files that it was"),
        ("[]", NotTheFile, "not the list of files that it was"),
        ('{"data": 7}', NotTheFile, "not the list of files that it was"),
        ("{", NotTheFile, "not the list of files that it was"),
        ("<html>", NotTheFile, "a web page instead of the file"),
    ],
)
def test_a_list_that_does_not_tell_is_an_error(
    site: Site, client: Client, entries: str, kind: type[Exception], words: str
) -> None:
    listing(site, entries)
    with pytest.raises(kind, match=words):
        bulk("rulings", site, client)


def test_a_kind_that_nobody_has_is_an_error(site: Site, client: Client) -> None:
    with pytest.raises(UnknownKind, match="'cards'; known are oracle_cards, rulings, atomic_cards"):
        bulk("cards", site, client)
    with pytest.raises(NotInCache):
        bulk("rulings", site, client, offline=True)


def test_the_known_edition_is_the_one_whose_outline_is_shipped() -> None:
    known = read_sources().rules.known
    newest = max(shipped("outline").glob("*.tsv"))
    with open(newest, encoding="utf-8") as outline:
        _, edition, _, size, digest, _ = outline.readline().split("\t")
    assert (str(known.effective), str(known.size), known.sha256) == (edition, size, digest)


def test_a_file_of_ones_own_replaces_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "mirror.toml"
    own.write_text('[rules]\npage = "http://127.0.0.1:8000/rules"\n[rules.known]\neffective = 2027-01-22\n')
    monkeypatch.setenv("SEERULE_SOURCES", str(own))
    read = read_sources()
    assert (read.rules.page, read.rules.known.effective) == ("http://127.0.0.1:8000/rules", date(2027, 1, 22))
    monkeypatch.delenv("SEERULE_SOURCES")
    assert replace(read, rules=read_sources().rules) == read_sources()
    assert read_sources(own) == read


@pytest.mark.parametrize(("text", "expected"), table("bad_sources.txt", at_least=12))
def test_a_file_of_ones_own_that_is_wrong_is_told(tmp_path: Path, text: str, expected: str) -> None:
    own = tmp_path / "mirror.toml"
    own.write_text(text.replace("\\n", "\n"))
    with pytest.raises(BadSources) as caught:
        read_sources(own)
    assert str(caught.value) == f"{own}: {expected}; the form is that of {shipped('sources.toml')}"


def test_a_file_of_ones_own_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadSources, match="no such file or directory"):
        read_sources(tmp_path / "nothing.toml")


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_is_shown_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setitem(os.environ, "TERM", "xterm")
    with progress_bar("rules [2026]") as advance:
        assert advance is not None
        advance(512_000, 1_024_000)
    assert "rules [2026]" in shown.getvalue()
    assert "512.0 kB" in shown.getvalue() or "0.5/1.0 MB" in shown.getvalue()


def test_elsewhere_no_bar_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar("rules") as advance:
        assert advance is None
    assert capsys.readouterr().err == ""
