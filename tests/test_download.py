"""A file is fetched whole or not at all, and every way of failing says what to do."""

import gzip
import hashlib
import socket
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from ingest.download_errors import (
    BadAddress,
    BadRedirect,
    Busy,
    CutShort,
    NotTheFile,
    Refused,
    TimedOut,
    TooLarge,
    Unreachable,
    WrongHash,
)
from ingest.web_address import moved, web_address
from ingest.wire import _UNPACKED, Patience, _unpacked
from kb.errors import SeeruleError
from tests.tables import table
from tests.web_site import (
    BODY,
    PACKED,
    Client,
    Serve,
    Site,
    Visit,
    babbling,
    chunked,
    hanging_up,
    packed,
    parts,
    send,
    sending,
    sending_parts,
    sending_to,
    stalling,
    stalling_at,
)

SHA256 = hashlib.sha256(BODY).hexdigest()
HALF = len(BODY) // 2
CUT = sending_parts(BODY[:HALF], announced=len(BODY))
BOMB = gzip.compress(bytes(3 * _UNPACKED))
LONG_AGO = "Thu, 01 Jan 2015 00:00:00 GMT"


# what is served at /rules.txt, one after another; the pauses that are made
WHOLE: list[tuple[str, list[Serve], list[float]]] = [
    ("plain", [sending()], []),
    ("in small parts", [sending_parts(*parts(BODY, 999))], []),
    ("in chunks", [chunked(BODY[:HALF], BODY[HALF:])], []),
    ("of no announced length", [sending_parts(BODY)], []),
    ("packed for the transfer", [packed(PACKED)], []),
    ("packed, by the old name", [sending(PACKED, Content_Encoding="X-GZIP")], []),
    ("packed, in small parts", [sending_parts(*parts(PACKED, 7), Content_Encoding="gzip")], []),
    ("packed twice over", [packed(gzip.compress(BODY[:HALF]) + gzip.compress(BODY[HALF:]))], []),
    ("packed as it is", [sending(Content_Encoding="identity")], []),
    ("moved", [sending_to("{site}/there.txt")], []),
    ("moved, relative", [sending_to("there.txt", 301)], []),
    ("moved, with a blank", [sending_to("/MagicCompRules 2026.txt", 307)], []),
    ("moved three times", [sending_to("/1"), sending()], []),
    ("busy for two seconds", [sending(b"", 429, Retry_After="2"), sending()], [2.0]),
    ("busy until a time that is past", [sending(b"", 503, Retry_After=LONG_AGO), sending()], [0.0]),
    ("busy twice", [sending(b"", 503, Retry_After="1"), sending(b"", 429, Retry_After="60"), sending()], [1.0, 60.0]),
    ("cut short once", [CUT, sending()], [1.0]),
    ("cut short twice", [CUT, CUT, sending()], [1.0, 2.0]),
    ("chunks cut short once", [chunked(BODY[:HALF], whole=False), sending()], [1.0]),
    ("hung up once", [hanging_up, sending()], [1.0]),
    ("with a mark of its encoding", [sending(b"\xef\xbb\xbf" + BODY)], []),
]


@pytest.mark.parametrize(("behaviours", "pauses"), [case[1:] for case in WHOLE], ids=[case[0] for case in WHOLE])
def test_a_file_arrives_whole(site: Site, client: Client, behaviours: list[Serve], pauses: list[float]) -> None:
    site.serves(sending(), path="/there.txt")
    site.serves(sending(), path="/MagicCompRules%202026.txt")
    for hop, status in enumerate((301, 307, 308), 1):
        site.serves(sending_to(f"/{hop + 1}", status), path=f"/{hop}")
    site.serves(sending(), path="/4")
    address = site.serves(*behaviours)
    fetched = client.fetch(address)
    assert fetched.path.read_bytes().removeprefix(b"\xef\xbb\xbf") == BODY
    assert (fetched.url, fetched.path.name, fetched.from_cache) == (address, "rules.txt", False)
    assert (fetched.size, fetched.sha256) == (
        fetched.path.stat().st_size,
        hashlib.sha256(fetched.path.read_bytes()).hexdigest(),
    )
    assert client.pauses == pauses
    assert client.leftovers() == []


BRIEFLY = {"stall": 0.05}
PAGE = b"\xef\xbb\xbf \r\n<!DOCTYPE html><title>Please log in</title>"
OTHER = BODY + b"!"
HASHES = f"its sha256 should be {SHA256} and is {hashlib.sha256(OTHER).hexdigest()}"


@dataclass(frozen=True, slots=True)
class Fault:
    """What is served, the error that it means, words of its message, and how often it is asked for."""

    name: str
    serve: Serve
    kind: type[SeeruleError]
    words: str
    attempts: int = 1
    seconds: dict[str, float] = field(default_factory=dict)
    options: dict[str, object] = field(default_factory=dict)


FAULTS = [
    Fault("gone", sending(b"", 404), Refused, "the server answers 404 Not Found; the publisher may have moved it"),
    Fault("gone for good", sending(b"", 410), Refused, "410 Gone; the publisher may have moved it"),
    Fault("forbidden", sending(b"", 403), Refused, "403 Forbidden; download it with a browser"),
    Fault("broken", sending(b"", 500), Refused, "500 Internal Server Error"),
    Fault("a part unasked", sending(BODY[:9], 206), Refused, "206 Partial Content"),
    Fault("no content", sending(b"", 204), Refused, "204 No Content"),
    Fault("unchanged, unasked", sending(b"", 304), Refused, "304 Not Modified"),
    Fault("busy for long", sending(b"", 429, Retry_After="3600"), Busy, "429 Too Many Requests; try again in 3600 s"),
    Fault("busy for an unknown time", sending(b"", 503), Busy, "503 Service Unavailable; try again in a few minutes"),
    Fault("busy, in riddles", sending(b"", 429, Retry_After="soon"), Busy, "try again in a few minutes"),
    Fault("busy again and again", sending(b"", 429, Retry_After="1"), Busy, "try again in 1 s, as it asks", 3),
    Fault("cut short", CUT, CutShort, f"broke off after {HALF:,} of {len(BODY):,} bytes; try again", 3),
    Fault("chunks cut short", chunked(BODY[:HALF], whole=False), CutShort, "broke off", 3),
    Fault("packed, cut short", packed(PACKED[:-20]), CutShort, "the packed answer broke off before its end", 3),
    Fault("packed, damaged", packed(PACKED[:90] + bytes(4) + PACKED[94:]), CutShort, "packed answer is damaged", 3),
    Fault("not packed at all", packed(BODY), CutShort, "the packed answer is damaged", 3),
    Fault("packed in a way unasked", sending(Content_Encoding="br"), NotTheFile, "the answer is packed as 'br'"),
    Fault("no answer", hanging_up, CutShort, "the server closed the connection without an answer; try again", 3),
    Fault("another protocol", babbling, Unreachable, "the server does not speak HTTP"),
    Fault("silence", stalling, TimedOut, "did not answer within 0.05 s; check the network", 1, BRIEFLY),
    Fault("silence in the middle", stalling_at(HALF), TimedOut, "the server sent nothing for 0.05 s", 1, BRIEFLY),
    Fault("beyond patience", stalling_at(HALF), TimedOut, "did not arrive within 0 s", 1, {"whole": 0.0}),
    Fault("other bytes", sending(OTHER), WrongHash, HASHES, options={"expected_sha256": SHA256}),
    Fault("a page", sending(PAGE, Content_Type="text/html"), NotTheFile, "a web page instead of the file"),
    Fault("a page that poses as text", sending(PAGE), NotTheFile, "a web page instead of the file"),
    Fault("a page, packed", packed(gzip.compress(PAGE)), NotTheFile, "a web page instead of the file"),
    Fault("nothing", sending(b""), NotTheFile, "the server answers with an empty file"),
    Fault("huge", sending_parts(announced=10**15), TooLarge, "larger than 1,073,741,824 bytes"),
    Fault("huge, unannounced", sending_parts(BODY, BODY), TooLarge, "larger than 30,000", options={"largest": 30_000}),
    Fault("huge, unpacked", packed(BOMB), TooLarge, "larger than 1,048,576", options={"largest": _UNPACKED}),
    Fault("a circle", sending_to("/rules.txt"), BadRedirect, "the server sends in a circle, back to http://"),
    Fault("a larger circle", sending_to("/round"), BadRedirect, "the server sends in a circle", 2),
    Fault("endless elsewhere", sending_to("/0"), BadRedirect, "the server sends elsewhere more than 8 times", 9),
    Fault("to a file", sending_to("file:///etc/passwd"), BadRedirect, "sends to file:///etc/passwd, not followed"),
    Fault("to ftp", sending_to("ftp://127.0.0.1/rules.txt"), BadRedirect, "not followed: this is no web address"),
    Fault("to data", sending_to("data:text/plain,rules"), BadRedirect, "not followed: this is no web address"),
    Fault("to nowhere", sending_to(""), BadRedirect, "the server sends elsewhere without saying where"),
    Fault("to no address", sending_to("http://[::1"), BadRedirect, "the server sends to what is no address"),
    Fault("to an account", sending_to("http://me:secret@127.0.0.1/"), BadRedirect, "sends to http://127.0.0.1/, not"),
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_is_told_and_leaves_nothing(site: Site, client: Client, fault: Fault) -> None:
    site.serves(sending_to("/rules.txt"), path="/round")
    for hop in range(20):
        site.serves(sending_to(f"/{hop + 1}"), path=f"/{hop}")
    address = site.serves(fault.serve)
    with pytest.raises(fault.kind) as caught:
        client.fetch(address, client.patience(**fault.seconds), **fault.options)
    said = str(caught.value)
    assert (type(caught.value), said[: len(site.address)]) == (fault.kind, site.address)
    assert fault.words in said
    assert "seerule build" in said, "the message says what to do next"
    assert len(site.requests) == fault.attempts
    assert [path for path in client.cache.rglob("*") if path.is_file() and path.name != "lock"] == []


def test_the_tables_have_not_shrunk() -> None:
    assert len(WHOLE) >= 21
    assert len(FAULTS) >= 39


@pytest.mark.parametrize(("given", "expected"), table("web_addresses.txt", at_least=20))
def test_addresses(given: str, expected: str) -> None:
    try:
        said = web_address(given)
    except BadAddress as error:
        said = f"refused: {error.reason}"
    assert said == expected


@pytest.mark.parametrize(("given", "expected"), table("redirects.txt", at_least=10))
def test_redirects(given: str, expected: str) -> None:
    address, _, location = given.partition(" ")
    try:
        said = moved(address, location)
    except BadRedirect as error:
        said = f"refused: {error.reason}"
    assert said == expected


def test_a_request_names_the_program_and_what_it_takes(site: Site, client: Client) -> None:
    client.fetch(site.serves(sending()), accept="text/plain")
    sent = site.requests[0][1]
    assert sent["user-agent"].startswith("seerule/")
    assert (sent["accept"], sent["accept-encoding"]) == ("text/plain", "gzip")
    assert "if-none-match" not in sent


def test_progress_counts_the_bytes_received(site: Site, client: Client) -> None:
    told: list[tuple[int, int | None]] = []
    client.fetch(site.serves(sending()), progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (len(BODY), len(BODY))
    assert told == sorted(told)
    told.clear()
    client.fetch(site.serves(sending_parts(BODY), path="/2"), progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (len(BODY), None)


def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def test_an_answer_may_take_longer_than_a_connection(site: Site, client: Client) -> None:
    def slow(visit: Visit) -> None:
        visit.site.ended.wait(0.2)
        send(visit)

    assert client.fetch(site.serves(slow), client.patience(connect=0.1)).path.read_bytes() == BODY


def test_what_is_packed_is_unpacked_in_pieces() -> None:
    sizes = [len(piece) for piece in _unpacked([BOMB], "https://example.org/")]
    assert (sum(sizes), max(sizes)) == (3 * _UNPACKED, _UNPACKED)


def test_without_a_network_the_message_says_what_to_do(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    address = f"http://127.0.0.1:{unused_port()}/rules.txt"
    with pytest.raises(Unreachable, match=r"cannot be reached \(Connection refused\); check the network, or build"):
        client.fetch(address)

    def unknown(*arguments: object, **options: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(Unreachable) as caught:
        client.fetch("https://media.wizards.com/rules.txt")
    assert str(caught.value) == (
        "https://media.wizards.com/rules.txt: no network, or no host media.wizards.com (Name or service not known);"
        " check the network, or build from a file that you have: seerule build FILE; what is in the store answers as"
        " before"
    )


def test_what_is_not_tls_is_no_secure_connection(site: Site, client: Client) -> None:
    with pytest.raises(Unreachable, match="no secure connection"):
        client.fetch(site.serves(sending()).replace("http:", "https:"))


def test_a_handshake_that_never_ends_is_no_connection(client: Client) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as mute,
        pytest.raises(TimedOut, match=r"no connection within 0\.05 s"),
    ):
        client.fetch(f"https://127.0.0.1:{mute.getsockname()[1]}/", client.patience(connect=0.05))


def test_the_usual_patience_ends() -> None:
    usual = Patience()
    assert 0 < usual.connect <= usual.stall <= usual.whole <= 3600
    assert usual.attempts <= 3
    assert usual.longest_pause <= 60


@pytest.mark.parametrize(("seconds", "pauses"), [(30, 1), (90, 0)])
def test_a_date_to_come_back_is_understood(site: Site, client: Client, seconds: int, pauses: int) -> None:
    when = format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)
    address = site.serves(sending(b"", 503, Retry_After=when), sending())
    if pauses:
        assert client.fetch(address).path.read_bytes() == BODY
        assert 0 < client.pauses[0] <= seconds
    else:
        with pytest.raises(Busy):
            client.fetch(address)
    assert len(client.pauses) == pauses
