"""What was fetched is kept whole, asked for no more than needed, and safe from whoever is killed or full."""

import hashlib
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from ingest.download_errors import (
    CacheUnwritable,
    NotInCache,
    Unreachable,
)
from tests.web_site import (
    BODY,
    PACKED,
    Client,
    Site,
    sending,
    stalling_at,
    validated,
    web_site,
)

SHA256 = hashlib.sha256(BODY).hexdigest()
HALF = len(BODY) // 2
LONG_AGO = "Thu, 01 Jan 2015 00:00:00 GMT"


@pytest.mark.parametrize(
    "validators",
    [{"ETag": '"v1"'}, {"Last_Modified": LONG_AGO}, {"ETag": 'W/"v1"', "Last_Modified": LONG_AGO}],
    ids=str,
)
def test_an_unchanged_file_is_not_sent_again(site: Site, client: Client, validators: dict[str, str]) -> None:
    address = site.serves(validated(BODY, **validators))
    first, second = client.fetch(address), client.fetch(address)
    assert (first.from_cache, second.from_cache) == (False, True)
    assert replace(second, from_cache=False) == first
    site.serves(validated(BODY + b"more\n", ETag='"v2"'))
    third = client.fetch(address)
    assert (third.from_cache, third.path.read_bytes()) == (False, BODY + b"more\n")
    assert not first.path.exists(), "the file that was replaced is removed"


def test_a_file_whose_hash_is_known_is_asked_for_once(site: Site, client: Client) -> None:
    address = site.serves(sending())
    first = client.fetch(address, expected_sha256=SHA256.upper())
    second = client.fetch(address, expected_sha256=SHA256)
    assert (first.verified, second.verified, second.from_cache) == (True, True, True)
    assert len(site.requests) == 1


def test_offline_asks_nobody(site: Site, client: Client) -> None:
    address = site.serves(sending())
    with pytest.raises(NotInCache, match=r"--offline forbids to fetch it; build once without --offline, or"):
        client.fetch(address, offline=True)
    assert not client.cache.exists()
    fetched = client.fetch(address)
    assert client.fetch(address, offline=True) == replace(fetched, from_cache=True)
    with pytest.raises(NotInCache):
        client.fetch(address, offline=True, expected_sha256="0" * 64)
    assert len(site.requests) == 1


@pytest.mark.parametrize("harm", ["shorten", "remove", "spoil the record", "empty the record", "name another place"])
def test_a_damaged_copy_is_fetched_again(site: Site, client: Client, harm: str) -> None:
    address = site.serves(validated(BODY, ETag='"v1"'))
    path = client.fetch(address).path
    record = path.parent.parent / "origin.json"
    match harm:
        case "shorten":
            path.write_bytes(BODY[:HALF])
        case "remove":
            path.unlink()
        case "spoil the record":
            record.write_text("{")
        case "empty the record":
            record.write_text("[]")
        case _:
            record.write_text(record.read_text().replace('"place"', '"palace"'))
    with pytest.raises(NotInCache):
        client.fetch(address, offline=True)
    fetched = client.fetch(address)
    assert (fetched.from_cache, fetched.path.read_bytes()) == (False, BODY)


def test_of_a_series_only_the_newest_is_kept(site: Site, client: Client) -> None:
    old = client.fetch(site.serves(validated(BODY, ETag="1"), path="/cards-1.json"), series="cards")
    newer = site.serves(validated(BODY + b"!", ETag="1"), path="/cards-2.json")
    new = client.fetch(newer, series="cards")
    assert [path.name for path in client.cache.rglob("cards-*")] == ["cards-2.json"]
    assert new.path.read_bytes() != BODY
    assert client.fetch(old.url, series="cards", offline=True).url == newer, "offline, whichever it has"


def test_a_name_does_not_claim_a_packing_that_was_for_the_transfer_only(site: Site, client: Client) -> None:
    packed = client.fetch(site.serves(sending(PACKED, Content_Type="application/gzip"), path="/cards.jsonl.gz"))
    plain = client.fetch(site.serves(sending(PACKED, Content_Encoding="gzip"), path="/rulings.jsonl.gz"))
    assert (packed.path.name, packed.path.read_bytes()) == ("cards.jsonl.gz", PACKED)
    assert (plain.path.name, plain.path.read_bytes()) == ("rulings.jsonl", BODY)


def test_without_a_network_a_kept_copy_is_offered(client: Client) -> None:
    with web_site() as site:
        address = site.serves(sending())
        client.fetch(address)
    with pytest.raises(Unreachable, match="a copy is in the cache: build from it with --offline"):
        client.fetch(address)
    assert client.fetch(address, offline=True).path.read_bytes() == BODY


def test_a_full_disk_is_told(site: Site, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(path: Path, mode: str, **options: object) -> object:
        return open("/dev/full" if mode == "wb" else path, mode, **options)  # type: ignore[call-overload]

    monkeypatch.setattr("ingest.cache.open", opened, raising=False)
    with pytest.raises(CacheUnwritable, match="the disk is full; make room, or choose another: --home DIR"):
        client.fetch(site.serves(sending()))


def test_a_cache_that_is_no_folder_is_told(site: Site, client: Client) -> None:
    client.cache.write_text("")
    with pytest.raises(CacheUnwritable, match="not a directory; make the folder writable"):
        client.fetch(site.serves(sending()))


def test_a_killed_download_does_no_harm(site: Site, client: Client) -> None:
    address = site.serves(stalling_at(HALF), sending())
    script = f"import pathlib, ingest.fetch as f; f.fetch({address!r}, cache=pathlib.Path({str(client.cache)!r}))"
    with subprocess.Popen([sys.executable, "-c", script], cwd=Path(__file__).parent.parent) as killed:
        end = time.monotonic() + 30
        while not any(path.stat().st_size for path in client.leftovers()):
            assert killed.poll() is None, "the download ended before it began"
            assert time.monotonic() < end, "the download did not begin"
            time.sleep(0.005)
        killed.kill()
    assert len(client.leftovers()) == 1
    with pytest.raises(NotInCache):
        client.fetch(address, offline=True)
    assert client.fetch(address).path.read_bytes() == BODY
    assert client.leftovers() == []


def test_two_who_fetch_at_once_do_not_meet(site: Site, client: Client) -> None:
    address = site.serves(validated(BODY, ETag='"v1"'))
    fetched = []
    both = [threading.Thread(target=lambda: fetched.append(client.fetch(address))) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert sorted(one.from_cache for one in fetched) == [False, True]
    assert {one.path.read_bytes() for one in fetched} == {BODY}
