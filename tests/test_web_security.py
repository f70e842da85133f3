"""What strangers may try: each attempt is made, and nothing comes of it."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from query.web.connection import LARGEST_HEAD, LONGEST_TARGET
from query.web.guard import HEADERS
from tests.servers import server_that
from tests.tables import table
from tests.web_home import HTML, Served, asking, outline_home, serving

SCRIPT = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return outline_home(tmp_path_factory.mktemp("outline"))


@pytest.fixture(scope="module")
def web(home: Path) -> Iterator[TestClient]:
    with asking(home, body_bytes=10_000, queries=1) as client:
        yield client


@pytest.fixture(scope="module")
def served(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(home, tmp_path_factory.mktemp("served"), "--patience", "1") as server:
        yield server


@pytest.mark.parametrize(
    "path", ["/", "/cr/702.19", "/cr/nothing", "/api/v1/editions", "/sparql", "/static/site.css", "/health", "/nowhere"]
)
def test_every_answer_bears_the_headers(web: TestClient, path: str) -> None:
    answer = web.get(path, headers=HTML)
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    assert "'unsafe" not in answer.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/", "/cr/702.19", "/sparql", "/cite", "/board", "/glossary", "/about", "/api"])
def test_no_page_holds_a_script_or_style_of_its_own(web: TestClient, path: str) -> None:
    text = web.get(path, headers=HTML).text
    scripts = [part.partition(">")[0] for part in text.split("<script")[1:]]
    assert all(" src=" in script or "application/ld+json" in script for script in scripts)
    assert "<style" not in text
    assert " style=" not in text
    assert " onclick=" not in text
    assert "http://" not in text.replace("http://rules.test", "").replace("http://www.w3.org", "")


@pytest.mark.parametrize(("path", "status"), table("attacks.txt", at_least=17))
def test_a_path_leads_nowhere_else(web: TestClient, path: str, status: str) -> None:
    answer = web.get(path, headers=HTML)
    assert str(answer.status_code) == status, answer.text[:300]
    assert "root:" not in answer.text
    assert "Knows what can be set" not in answer.text
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "path",
    [f"/cr/{SCRIPT}", f"/search?q={SCRIPT}", f"/card/{SCRIPT}", f"/keyword/{SCRIPT}", f"/sparql?query={SCRIPT}",
     f"/cr?title={SCRIPT}", f"/problem/{SCRIPT}", f"/graphs?graph={SCRIPT}", f"/cr/702.9/cited-by?page={SCRIPT}"],
)  # fmt: skip
def test_what_is_asked_is_escaped(web: TestClient, path: str) -> None:
    answer = web.get(path, headers=HTML)
    if answer.headers["content-type"].startswith("text/html"):
        assert SCRIPT not in answer.text
        assert "&lt;script&gt;" in answer.text or answer.status_code == 404


def test_what_is_posted_is_escaped(web: TestClient) -> None:
    for path, fields in (
        ("/board", {"board": f"# {SCRIPT}", "question": SCRIPT}),
        ("/cite", {"text": SCRIPT, "cards": SCRIPT}),
    ):
        answer = web.post(path, data=fields, headers=HTML)
        assert SCRIPT not in answer.text
        assert "&lt;script&gt;" in answer.text


def test_texts_of_the_store_are_escaped(tmp_path: Path) -> None:
    """A card, a ruling or a rule with markup in it shows the markup, and no page is broken by it."""
    import pyoxigraph as ox
    from pyoxigraph import Literal, Quad, RdfFormat

    from kb.embedded import outline_quads
    from kb.home import Home
    from kb.vocabulary import DCTERMS, SR, Names

    names = Names()
    quads, holding = outline_quads(names)
    rule = names.rule(holding.edition, "702.19b")
    quads += [
        Quad(rule, SR.text, Literal(f"Words {SCRIPT} & more"), names.graph(holding.edition)),
        Quad(names.rule(holding.edition, "702.199"), DCTERMS.title, Literal(SCRIPT), names.graph(holding.edition)),
    ]
    with Home(tmp_path).new_build() as making:
        with making.open_record() as record:
            record.write(ox.serialize(quads, format=RdfFormat.N_QUADS) or b"")
        making.commit([names.graph(holding.edition)], {"holdings": [holding.as_json()]})
    with asking(tmp_path) as client:
        for path in ("/cr/702.19b", "/cr/702.19", "/cr/702.19b.md"):
            text = client.get(path, headers=HTML).text
            assert SCRIPT not in text
            assert "&lt;script" in text


@pytest.mark.parametrize(
    "query",
    ["SELECT * { SERVICE <%s> { ?s ?p ?o } }", "SELECT * FROM <%s> { ?s ?p ?o }", "LOAD <%s>",
     "SELECT * FROM NAMED <%s> { GRAPH ?g { ?s ?p ?o } }", "ASK { SERVICE SILENT <%s> { ?s ?p ?o } }"],
)  # fmt: skip
def test_no_query_reaches_another_server(web: TestClient, query: str) -> None:
    reached = []
    with server_that(lambda request: reached.append(request.path)) as address:
        answer = web.post("/sparql", data={"query": query % address})
        named = web.get("/sparql", params={"query": "ASK {}", "default-graph-uri": address})
        graph = web.get("/graphs", params={"graph": address})
    assert (answer.status_code, named.status_code, graph.status_code) == (403, 403, 404)
    assert reached == []


@pytest.mark.parametrize(
    "update", ["INSERT DATA { <urn:s> <urn:p> <urn:o> }", "CLEAR ALL", "DROP ALL", "DELETE WHERE { ?s ?p ?o }"]
)
def test_no_query_writes(web: TestClient, update: str) -> None:
    count = "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }"
    before = web.get("/sparql", params={"query": count}).json()
    for answer in (
        web.post("/sparql", data={"query": update}),
        web.post("/sparql", data={"update": update}),
        web.post("/sparql", content=update, headers={"Content-Type": "application/sparql-update"}),
        web.get("/sparql", params={"query": update}),
    ):
        assert answer.status_code == 403
    assert web.get("/sparql", params={"query": count}).json() == before


@pytest.mark.parametrize("path", ["/sparql", "/cite", "/board", "/api/v1/cite", "/api/v1/ask"])
def test_a_body_that_is_too_large_is_not_read(web: TestClient, path: str) -> None:
    answer = web.post(path, content=b"x" * 10_001)
    assert (answer.status_code, answer.headers["content-type"]) == (413, "application/problem+json")

    def unending() -> Iterator[bytes]:
        for _ in range(1000):
            yield b"x" * 1000

    assert web.post(path, content=unending()).status_code == 413


@pytest.mark.parametrize(
    "sent",
    [b"", b"GET", b"GET /cr/702.19 HTTP/1.1\r\nHost: x\r\n", b"GET /health HTTP/1.1\r\nHost: x\r\n\r\nGET /he",
     b"POST /sparql HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nquery="],
)  # fmt: skip
def test_a_client_that_does_not_finish_is_cut_off(served: Served, sent: bytes) -> None:
    host, port = served.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(sent)
        began, received = time.monotonic(), b""
        while piece := connection.recv(65536):
            received += piece
        assert time.monotonic() - began < 15
    if b"Content-Length" in sent:
        assert b" 408 " in received


HEADS = [
    ("414", [b"GET /search?q=" + b"x" * (LONGEST_TARGET + 1) + b" HTTP/1.1\r\nHost: x\r\n\r\n"]),
    ("414", [b"GET /search?q=", *[b"x" * 65_536] * 400]),
    ("431", [b"GET / HTTP/1.1\r\nHost: x\r\nX-Large: " + b"x" * LARGEST_HEAD + b"\r\n\r\n"]),
    ("431", [b"GET / HTTP/1.1\r\nHost: x\r\nX-Large: ", *[b"x" * 65_536] * 400]),
    ("431", [b"GET / HTTP/1.1\r\nHost: x\r\n", *[b"X-Many: " + b"x" * 1000 + b"\r\n"] * 20_000]),
    ("431", [b"GET / HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * 20_000 + b"\r\n"]),
    ("431", [b"POST /cite HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nX: " + b"x" * 70_000 + b"\r\n\r\ntext=some"]),
    ("431", [b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n", b"GET / HTTP/1.1\r\nX: ", *[b"x" * 65_536] * 400]),
    ("200", [b"GET /health?q=" + b"x" * 30_000 + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"]),
]


@pytest.mark.parametrize(("status", "sent"), HEADS)
def test_a_head_that_is_too_large_is_refused(served: Served, status: str, sent: list[bytes]) -> None:
    host, port = served.address.removeprefix("http://").split(":")
    received, written = b"", 0
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        with suppress(ConnectionError):
            for piece in sent:
                connection.sendall(piece)
                written += len(piece)
                if len(sent) > 1 and b"/health" in piece:
                    received += connection.recv(65536)
        with suppress(ConnectionError):
            while piece := connection.recv(65536):
                received += piece
    assert written < 5_000_000
    assert f"HTTP/1.1 {status} ".encode() in received or written > LARGEST_HEAD


def test_a_client_that_does_not_read_is_cut_off(served: Served) -> None:
    host, port = served.address.removeprefix("http://").split(":")
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect((host, int(port)))
        connection.sendall(b"GET /graph/cr/2026-09-25 HTTP/1.1\r\nHost: x\r\nAccept: application/n-triples\r\n\r\n")
        time.sleep(6)
        connection.settimeout(20)
        received = 0
        try:
            while piece := connection.recv(65536):
                received += len(piece)
        except ConnectionResetError:
            pass
    whole = len(served.get("/graph/cr/2026-09-25", Accept="application/n-triples")[1])
    assert received < whole


def test_a_fault_of_the_program_tells_strangers_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*given: object) -> None:
        raise RuntimeError("a secret of the machine")

    monkeypatch.setattr("query.web.documents.EntryPage", breaks)
    with asking(home) as client:
        answer = client.get("/cr/702.19", headers=HTML)
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"
