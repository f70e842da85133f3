"""An endpoint that misbehaves is told from one that answers, soon and by name."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler

import pytest
from pyoxigraph import BlankNode, Literal, NamedNode

from kb.store.addresses import Addresses, without_password
from kb.store.endpoint import EndpointStore
from kb.store.errors import (
    AnswerTooLarge,
    EndpointError,
    EndpointRefused,
    EndpointTimedOut,
    EndpointUnreachable,
    MalformedAnswer,
    QuerySyntaxError,
    StoreError,
    UnknownLocation,
)
from tests.servers import Behaviour, answering, free_port, server_that
from tests.tables import table

ROWS = b'{"head":{"vars":["n"]},"results":{"bindings":[{"n":{"type":"literal","value":"7"}}]}}'
SELECT = "SELECT ?n { ?s ?p ?n }"


@contextmanager
def store_over(behaves: Behaviour, timeout: float = 20.0, largest: int = 1 << 20) -> Iterator[EndpointStore]:
    with (
        server_that(behaves) as address,
        EndpointStore(address, timeout=timeout, load_timeout=timeout, largest=largest) as store,
    ):
        yield store


def headers_then(rest: Callable[[BaseHTTPRequestHandler], None], length: int) -> Behaviour:
    def behaves(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Type", "application/sparql-results+json")
        request.send_header("Content-Length", str(length))
        request.end_headers()
        rest(request)
        request.close_connection = True

    return behaves


def silence(request: BaseHTTPRequestHandler) -> None:
    time.sleep(30)


def drips(request: BaseHTTPRequestHandler) -> None:
    for byte in ROWS * 20:
        request.wfile.write(bytes([byte]))
        request.wfile.flush()
        time.sleep(0.05)


def drips_headers(request: BaseHTTPRequestHandler) -> None:
    request.wfile.write(b"HTTP/1.1 200 OK\r\n")
    for number in range(1000):
        request.wfile.write(f"X-{number}: y\r\n".encode())
        request.wfile.flush()
        time.sleep(0.05)


@pytest.mark.parametrize(
    "behaves",
    [silence, drips_headers, headers_then(silence, 10), headers_then(drips, len(ROWS) * 20)],
    ids=["no answer", "a header now and then", "no body", "a byte now and then"],
)
def test_the_time_limit_holds_in_every_phase(behaves: Behaviour) -> None:
    began = time.monotonic()
    with store_over(behaves, timeout=0.3) as store, pytest.raises(EndpointTimedOut, match=r"within 0\.3 s"):
        store.query(SELECT)
    assert time.monotonic() - began < 20, "ended by the limit, not by the server"


def test_a_body_cut_short() -> None:
    half = headers_then(lambda request: request.wfile.write(ROWS[:40]) and None, len(ROWS))
    with store_over(half) as store, pytest.raises(MalformedAnswer, match="cut short"):
        store.query(SELECT)


def test_a_whole_body_with_half_an_answer() -> None:
    """An engine that meets its own time limit ends such an answer as if it were whole."""
    for cut in range(1, len(ROWS), 7):
        with store_over(answering(ROWS[:cut])) as store, pytest.raises(MalformedAnswer, match="cut short"):
            store.query(SELECT)


def test_triples_cut_short() -> None:
    half = answering(b"<urn:s> <urn:p> <urn:o> .\n<urn:s> <ur", media_type="application/n-triples")
    with store_over(half) as store, pytest.raises(MalformedAnswer, match="cut short"):
        store.query("CONSTRUCT WHERE { ?s ?p ?o }")


def test_a_body_without_end() -> None:
    sent = []

    def endless(request: BaseHTTPRequestHandler) -> None:
        while True:
            request.wfile.write(b"x" * 65536)
            sent.append(65536)

    with (
        store_over(headers_then(endless, 1 << 40)) as store,
        pytest.raises(AnswerTooLarge, match="1,048,576"),
    ):
        store.query(SELECT)
    assert sum(sent) < 64 << 20, "read no further than the cap and what was under way"


def test_a_packed_body_that_unpacks_without_end() -> None:
    import gzip

    bomb = answering(gzip.compress(b" " * (64 << 20)), Content_Encoding="gzip")
    with store_over(bomb) as store, pytest.raises(AnswerTooLarge):
        store.query(SELECT)


def test_a_page_instead_of_an_answer() -> None:
    page = answering(b"<html><body>Welcome</body></html>", media_type="text/html; charset=utf-8")
    with store_over(page) as store, pytest.raises(MalformedAnswer, match=r"got text/html: <html><body>Welc"):
        store.query(SELECT)


@pytest.mark.parametrize(("status", "said"), [(500, "engine on fire"), (403, "not you"), (404, ""), (503, "busy")])
def test_a_status_of_failure(status: int, said: str) -> None:
    failing = answering(said.encode(), status, "text/plain")
    with store_over(failing) as store, pytest.raises(EndpointRefused) as caught:
        store.query(SELECT)
    assert (caught.value.status, caught.value.said) == (status, said)
    assert f"HTTP status {status}: {said or 'no message'}" in str(caught.value)


def test_a_bad_request_is_a_syntax_error() -> None:
    with (
        store_over(answering(b"error at 1:3: expected SELECT", 400, "text/plain")) as store,
        pytest.raises(QuerySyntaxError) as caught,
    ):
        store.query("SELECTED")
    assert (caught.value.line, caught.value.column) == (1, 3)


def test_a_redirect_is_not_followed() -> None:
    moved = answering(b"", 302, "text/plain", Location="http://127.0.0.1:1/elsewhere")
    with (
        store_over(moved) as store,
        pytest.raises(EndpointRefused, match=r"moved to http://127\.0\.0\.1:1/elsewh"),
    ):
        store.query(SELECT)


def test_a_refused_connection() -> None:
    with (
        EndpointStore(f"http://127.0.0.1:{free_port()}") as store,
        pytest.raises(EndpointUnreachable, match="cannot be reached"),
    ):
        store.query(SELECT)


def test_a_host_that_does_not_exist() -> None:
    with EndpointStore("http://nowhere.invalid") as store, pytest.raises(EndpointUnreachable):
        store.query(SELECT)


def test_no_http_at_all() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def talk() -> None:
            with listening.accept()[0] as line:
                asked = b""
                while b"query=" not in asked:
                    asked += line.recv(65536)
                line.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")

        talking = threading.Thread(target=talk)
        talking.start()
        with (
            EndpointStore(f"http://127.0.0.1:{listening.getsockname()[1]}") as store,
            pytest.raises(MalformedAnswer, match="not HTTP"),
        ):
            store.query(SELECT)
        talking.join()


def test_every_failure_is_an_endpoint_error() -> None:
    kinds = (AnswerTooLarge, EndpointRefused, EndpointTimedOut, EndpointUnreachable, MalformedAnswer)
    assert all(issubclass(kind, EndpointError) for kind in kinds)


def test_the_request_is_the_protocols() -> None:
    seen: dict[str, str] = {}

    def remembers(request: BaseHTTPRequestHandler) -> None:
        seen.update({"method": request.command, "path": request.path})
        seen.update({name.lower(): value for name, value in request.headers.items()})
        answering(ROWS)(request)

    with store_over(remembers) as store:
        assert store.select(SELECT).rows == ((Literal("7"),),)
    assert (seen["method"], seen["path"]) == ("POST", "/query")
    assert seen["content-type"] == "application/x-www-form-urlencoded"
    assert seen["accept"] == "application/sparql-results+json"


def test_a_blank_node_cannot_be_asked_for() -> None:
    with store_over(answering(ROWS)) as store, pytest.raises(StoreError, match="blank node"):
        list(store.quads(BlankNode("x")))


def test_typed_literals_of_the_old_form_are_read() -> None:
    old = ROWS.replace(b'"literal"', b'"typed-literal","datatype":"http://www.w3.org/2001/XMLSchema#integer"').replace(
        b'"7"', b'"07"'
    )
    with store_over(answering(old)) as store:
        assert store.select(SELECT).rows == (
            (Literal("7", datatype=NamedNode("http://www.w3.org/2001/XMLSchema#integer")),),
        )


def test_each_thread_has_its_own_connection() -> None:
    found = []
    with store_over(answering(ROWS)) as store:
        askers = [threading.Thread(target=lambda: found.append(len(store.select(SELECT)))) for _ in range(8)]
        for asker in askers:
            asker.start()
        for asker in askers:
            asker.join()
    assert found == [1] * 8


@pytest.mark.parametrize(("location", "addresses"), table("endpoints.txt", at_least=12))
def test_addresses_follow_from_the_layout(location: str, addresses: str) -> None:
    found = Addresses.of(location)
    assert [found.query, found.update, found.data] == addresses.split()


def test_no_address() -> None:
    with pytest.raises(UnknownLocation):
        Addresses.of("http://a/query http://a/update")


def test_a_password_is_not_shown() -> None:
    assert without_password("http://u:p@h/x http://u:p@h/y") == "http://u@h/x http://u@h/y"
    with (
        EndpointStore(f"http://judge:secret@127.0.0.1:{free_port()}/sparql") as store,
        pytest.raises(EndpointUnreachable) as caught,
    ):
        store.query(SELECT)
    assert "secret" not in str(caught.value) + store.location
