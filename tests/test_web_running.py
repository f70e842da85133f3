"""A server as its operator has it: it starts, counts, logs, stops in good order, follows rebuilt stores, and has
company.
"""

from __future__ import annotations

import json
import signal
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import pyoxigraph as ox
import pytest
from pyoxigraph import NamedNode, Quad, RdfFormat

from kb.embedded import outline_quads
from kb.home import Home
from kb.store import open_store
from kb.vocabulary import DCTERMS, Names
from tests.servers import PATIENCE, oxigraph_server
from tests.web_home import Served, copied, lines, outline_home, serving

EDITION = "2026-09-25"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return outline_home(tmp_path_factory.mktemp("outline") / "home")


def requests(served: Served) -> list[dict[str, object]]:
    """The lines that a server has logged, each of which is a JSON object."""
    return [json.loads(line) for line in lines(served.log) if line.startswith("{")]


def test_a_server_is_alive_ready_and_counted(home: Path, tmp_path: Path) -> None:
    with serving(home, tmp_path) as served:
        assert served.get("/health") == (200, b"ok\n")
        assert f"edition {EDITION}".encode() in served.get("/ready")[1]
        served.get("/cr/702.19")
        served.get("/cr/nothing")
        meters = served.get("/metrics")[1].decode()
        assert 'seerule_requests_total{method="GET",route="/cr/{path:path}",status="200"} 1.0' in meters
        assert 'seerule_requests_total{method="GET",route="/cr/{path:path}",status="404"} 1.0' in meters
        assert "seerule_request_seconds_bucket" in meters
        logged = [line for line in requests(served) if line.get("path") == "/cr/702.19"]
        assert [(line["status"], line["method"], line["route"]) for line in logged] == [(200, "GET", "/cr/{path:path}")]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_server_that_has_judged_leaves_nothing_behind(home: Path, tmp_path: Path, workers: str) -> None:
    asked = {"board": "players: [ann, bob]", "question": "legal_attacks"}
    with serving(home, tmp_path, "--workers", workers) as served:
        request = urllib.request.Request(
            f"{served.address}/api/v1/ask", json.dumps(asked).encode(), {"Content-Type": "application/json"}
        )
        with suppress(urllib.error.HTTPError):
            urllib.request.urlopen(request, timeout=PATIENCE).close()
    said = served.log.read_text()
    assert '"stopped"' in said
    assert "leaked" not in said
    assert "resource_tracker" not in said


def test_several_processes_count_together(home: Path, tmp_path: Path) -> None:
    with serving(home, tmp_path, "--workers", "2") as served:
        for _ in range(20):
            assert served.get("/cr/702.19")[0] == 200
        meters = served.get("/metrics")[1].decode()
        found = [line for line in meters.splitlines() if 'route="/cr/{path:path}"' in line and "total" in line]
        assert found == ['seerule_requests_total{method="GET",route="/cr/{path:path}",status="200"} 20.0']


def test_a_stop_finishes_what_was_begun(home: Path, tmp_path: Path) -> None:
    slow = "/sparql?query=SELECT%20(COUNT(*)%20AS%20%3Fn)%20%7B%20%3Fa%20%3Fb%20%3Fc%20.%20%3Fd%20%3Fe%20%3Ff%20%7D"
    with serving(home, tmp_path, "--query-timeout", "3") as served, ThreadPoolExecutor(1) as beside:
        served.get("/sparql?query=ASK%7B%7D")
        begun = beside.submit(served.get, slow)
        while b"seerule_requests_running 2.0" not in served.get("/metrics")[1]:
            assert not begun.done()
        served.process.send_signal(signal.SIGTERM)
        status, body = begun.result(PATIENCE)
        assert status in (200, 504), body
        served.process.wait(PATIENCE)
        assert requests(served)[-1]["event"] == "stopped"


def rebuild(home: Path, title: str) -> None:
    """Builds the outline anew, with another title for trample."""
    names = Names()
    quads, holding = outline_quads(names)
    rule = names.rule(holding.edition, "702.19")
    kept = [quad for quad in quads if (quad.subject, quad.predicate) != (rule, DCTERMS.title)]
    kept.append(Quad(rule, DCTERMS.title, ox.Literal(title), names.graph(holding.edition)))
    with Home(home).new_build() as making:
        with making.open_record() as record:
            record.write(ox.serialize(kept, format=RdfFormat.N_QUADS) or b"")
        making.commit([names.graph(holding.edition)], {"holdings": [holding.as_json()]})


def test_a_rebuilt_store_takes_over_without_a_lost_request(home: Path, tmp_path: Path) -> None:
    own = copied(home, tmp_path / "own")
    with serving(own, tmp_path) as served:
        stop, statuses = threading.Event(), []

        def ask() -> None:
            while not stop.is_set():
                statuses.append(served.get("/cr/702.19", Accept="text/html")[0])
                statuses.append(served.get("/sparql?query=ASK%7B%7D", Accept="application/json")[0])

        asking = [threading.Thread(target=ask) for _ in range(3)]
        for thread in asking:
            thread.start()
        for title in ("Stomping", "Storming"):
            before = served.get("/cr/702.19.json")[1]
            rebuild(own, title)
            ends = time.monotonic() + PATIENCE
            while title.encode() not in served.get("/cr/702.19", Accept="text/html")[1]:
                assert time.monotonic() < ends
                time.sleep(0.1)
            assert served.get("/cr/702.19.json")[1] != before
        stop.set()
        for thread in asking:
            thread.join()
        assert len(statuses) > 20
        assert set(statuses) == {200}
        assert b"seerule_store_renewals_total 2.0" in served.get("/metrics")[1]
    assert len(list((own / "builds").iterdir())) <= 3


def test_a_remote_engine_by_one_setting(tmp_path: Path) -> None:
    record = ox.serialize(outline_quads(Names())[0], format=RdfFormat.N_QUADS) or b""
    with oxigraph_server(tmp_path / "loading") as address, open_store(address) as store:
        store.load(record)
    engine = oxigraph_server(tmp_path / "loading", "serve-read-only")
    with engine as address, serving(f"{address}/query", tmp_path) as served:
        assert b"702.19" in served.get("/cr/702.19", Accept="text/html")[1]
        assert json.loads(served.get("/api/v1/editions")[1])["edition"] == EDITION
        rows = served.get(
            "/sparql?query=SELECT%20%3Ft%20%7B%20%3Fr%20eli%3Anumber%20%22702.9%22%20%3B%20dcterms%3Atitle%20%3Ft%20%7D",
            Accept="text/csv",
        )
        assert rows == (200, b"t\r\nFlying\r\n")
        status, said = served.get("/search?q=first+strike+damage", Accept="text/html")
        assert (status, b"no full-text index" in said) == (200, True)
        assert served.get("/graph/cr/2026-09-25", Accept="application/n-triples")[1].count(b"\n") > 20_000


@contextmanager
def balancer(replicas: list[str]) -> Iterator[str]:
    """A balancer of the simplest kind: each connection goes to the next replica that can be reached."""
    turn = count()
    with socket.create_server(("127.0.0.1", 0)) as door:
        door.settimeout(0.2)
        stop = threading.Event()

        def pass_on(client: socket.socket) -> None:
            first = next(turn)
            for at in range(len(replicas)):
                host, port = replicas[(first + at) % len(replicas)].removeprefix("http://").split(":")
                try:
                    server = socket.create_connection((host, int(port)), timeout=5)
                except OSError:
                    continue
                with client, server:
                    server.sendall(client.recv(65536))
                    while piece := server.recv(65536):
                        client.sendall(piece)
                return
            client.close()

        def accept() -> None:
            while not stop.is_set():
                try:
                    client, _ = door.accept()
                except TimeoutError:
                    continue
                threading.Thread(target=pass_on, args=(client,), daemon=True).start()

        thread = threading.Thread(target=accept)
        thread.start()
        try:
            yield f"http://127.0.0.1:{door.getsockname()[1]}"
        finally:
            stop.set()
            thread.join()


def fetched(address: str, **headers: str) -> tuple[int, str]:
    """The status and the entity tag of an answer, over a connection of its own."""
    request = urllib.request.Request(address, headers={"Connection": "close", **headers})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.headers["ETag"]
    except urllib.error.HTTPError as error:
        return error.code, error.headers["ETag"]


def test_two_replicas_are_one_site(home: Path, tmp_path: Path) -> None:
    with (
        serving(copied(home, tmp_path / "one"), tmp_path) as one,
        serving(copied(home, tmp_path / "two"), tmp_path) as two,
        balancer([one.address, two.address]) as site,
    ):
        answers = [fetched(f"{site}/cr/702.19") for _ in range(6)]
        assert len(set(answers)) == 1
        ends = time.monotonic() + PATIENCE
        while {fetched(f"{site}/cr/702.19", **{"If-None-Match": answers[0][1]})[0] for _ in range(4)} != {304}:
            assert time.monotonic() < ends, "each replica knows the tag of the other, once it is warm"
        seen = [sum(line.get("path") == "/cr/702.19" for line in requests(served)) for served in (one, two)]
        assert min(seen) >= 3
        one.process.send_signal(signal.SIGTERM)
        one.process.wait(PATIENCE)
        assert {fetched(f"{site}/cr/702.19")[0] for _ in range(6)} == {200}


def test_a_store_that_is_not_there_is_told_before_anything_is_served(tmp_path: Path) -> None:
    import subprocess
    import sys

    from tests.web_home import ROOT

    command = [sys.executable, "-m", "query.cli", "--home", "http://127.0.0.1:9/query", "serve", "--port", "0"]
    run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE, check=False)
    assert run.returncode == 2
    assert "cannot be reached" in run.stderr
    assert "Traceback" not in run.stderr


def test_the_names_of_things_are_those_of_the_store(home: Path, tmp_path: Path) -> None:
    with serving(home, tmp_path, "--address", "https://rules.test/") as served:
        text = served.get("/cr/702.19", Accept="text/html")[1].decode()
        assert '<link rel="canonical" href="https://rules.test/cr/2026-09-25/702.19">' in text
        assert NamedNode("https://seerule.example/id/cr/2026-09-25/702.19").value in text
