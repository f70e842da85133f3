"""Knows how a test gets a SPARQL server: a real one, or one that misbehaves in a chosen way."""

import shutil
import socket
import subprocess
import sysconfig
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.error import URLError

PATIENCE = 30.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def oxigraph_server(folder: Path, mode: str = "serve") -> Iterator[str]:
    """A real Oxigraph server over the store in `folder`, made when missing; gives its address.

    `mode` is its command: `serve`, or `serve-read-only`.
    """
    program = shutil.which("oxigraph", path=sysconfig.get_path("scripts")) or shutil.which("oxigraph")
    assert program, "the oxigraph package puts its program beside python"
    address = f"127.0.0.1:{free_port()}"
    command = [program, mode, "--location", str(folder), "--bind", address]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            await_answer(f"http://{address}/query?query=ASK%7B%7D", server)
            yield f"http://{address}"
        finally:
            server.terminate()


def await_answer(address: str, server: "subprocess.Popen[bytes]") -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            urllib.request.urlopen(address, timeout=PATIENCE).close()
            return
        except (URLError, ConnectionError):
            assert server.poll() is None, "the server ended before it answered"
            assert time.monotonic() < end, "the server did not answer"
            time.sleep(0.02)


Behaviour = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def server_that(behaves: Behaviour) -> Iterator[str]:
    """A server on 127.0.0.1 that does with every request what `behaves` does; gives its address."""

    class Answering(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            self.rfile.read(int(self.headers.get("content-length") or 0))
            try:
                behaves(self)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        do_GET = do_POST = do_PUT = do_DELETE = answer

        def log_message(self, format: str, *args: object) -> None:
            """Silence."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    server.daemon_threads = True
    server.block_on_close = False
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/query"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def answering(
    body: bytes, status: int = 200, media_type: str = "application/sparql-results+json", **headers: str
) -> Behaviour:
    """The behaviour of sending one whole answer."""

    def behaves(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        request.send_header("Content-Type", media_type)
        request.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            request.send_header(name.replace("_", "-"), value)
        request.end_headers()
        request.wfile.write(body)

    return behaves
