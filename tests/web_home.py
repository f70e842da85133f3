"""Knows the homes that the web is tested over, and how a test asks an application or a running server."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from kb.embedded import open_home
from kb.home import Home
from query.web.application import application
from query.web.setting import Setting
from tests.servers import PATIENCE, free_port

ROOT = Path(__file__).parent.parent
HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def outline_home(folder: Path) -> Path:
    """A home with the embedded outline, which every checkout has."""
    open_home(Home(folder)).close()
    return folder


def official_home(folder: Path, *editions: str, cards: bool = True, cite: bool = False) -> Path:
    """A home with official editions and the unmodified sample of cards, its rulings cited or not."""
    from ingest.build import Inputs, build_home
    from query.cite_rulings import cite_rulings
    from tests.card_files import ATOMIC, SCRYFALL, SCRYFALL_RULINGS
    from tests.official import edition_file

    files = tuple(edition_file(name) for name in editions or ("cr-20250919.txt", "cr-20260925.txt"))
    more = {"cards": (SCRYFALL, ATOMIC), "rulings": (SCRYFALL_RULINGS,)} if cards else {}
    build_home(Inputs(files, **more), Home(folder), infer=cite_rulings if cite else None)
    return folder


@contextmanager
def asking(home: Path | str, **setting: Any) -> Iterator[TestClient]:
    """A client of the application over a home, without a network; redirects are not followed."""
    site = application(Setting(store=str(home), address="http://rules.test", wait_until_warm=True, **setting))
    with TestClient(site, "http://rules.test", follow_redirects=False) as client:
        yield client


@dataclass(frozen=True, slots=True)
class Served:
    """A server that a test has started: its address and its process."""

    address: str
    process: subprocess.Popen[bytes]
    log: Path

    def get(self, path: str, **headers: str) -> tuple[int, bytes]:
        """The status and the body of an answer."""
        request = urllib.request.Request(
            self.address + path, headers={k.replace("_", "-"): v for k, v in headers.items()}
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()


@contextmanager
def serving(
    home: Path | str, folder: Path, *options: str, environment: dict[str, str] | None = None
) -> Iterator[Served]:
    """`seerule serve` over a home, as a process of its own on a free port of this machine."""
    port = free_port()
    command = [sys.executable, "-m", "query.cli", "--home", str(home), "serve", "--port", str(port), *options]
    log = folder / f"serve-{port}.log"
    with open(log, "wb") as lines:
        process = subprocess.Popen(command, cwd=ROOT, stderr=lines, env=os.environ | (environment or {}))
    served = Served(f"http://127.0.0.1:{port}", process, log)
    try:
        await_ready(served)
        yield served
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)


def await_ready(served: Served) -> None:
    """Returns when a server answers."""
    ends = time.monotonic() + PATIENCE
    while True:
        try:
            if served.get("/ready")[0] == 200:
                return
        except (urllib.error.URLError, ConnectionError):
            pass
        assert served.process.poll() is None, served.log.read_text()
        assert time.monotonic() < ends, served.log.read_text()
        time.sleep(0.05)


def copied(home: Path, folder: Path) -> Path:
    """A home of the same content."""
    shutil.copytree(home, folder, symlinks=True)
    return folder


def lines(log: Path) -> Sequence[str]:
    """What a server has logged."""
    return log.read_text(encoding="utf-8").splitlines()
