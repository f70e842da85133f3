"""Knows how a test builds a home, reads it as readers do, and runs another process over it."""

import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pyoxigraph import NamedNode

from kb.build import BuildFolder
from kb.home import Home

ROOT = Path(__file__).parent.parent
EDITION = NamedNode("urn:edition")


def quads(mark: str, count: int = 50) -> bytes:
    return b"".join(b'<urn:s:%d> <urn:mark> "%s" <urn:edition> .\n' % (n, mark.encode()) for n in range(count))


def build(home: Home, mark: str, count: int = 50) -> None:
    with home.new_build() as building:
        with building.open_record() as record:
            record.write(quads(mark, count))
        building.index.write_text(mark)
        building.commit([EDITION], {"mark": mark})


def marks(home: Home) -> set[str]:
    """Every mark in the store, the index and the description of the current build, opened as readers do."""
    folder, lock = home.reading()
    try:
        about = folder.description().about
        index = folder.index.read_text()
    finally:
        lock.release()
    with home.open_store() as store:
        found = {term.value for term in store.select("SELECT DISTINCT ?m { ?s <urn:mark> ?m }").column("m")}
    return found | {index, about["mark"]}


@contextmanager
def process(script: str, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """A Python process with `build`, `marks` and `Home` of this file at hand; it ends with the block."""
    head = "import sys, time\nfrom pathlib import Path\nfrom tests.homes import *\n"
    command = [sys.executable, "-c", head + textwrap.dedent(script), *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        try:
            yield running
        finally:
            running.kill()


def said(running: "subprocess.Popen[str]") -> str:
    assert running.stdout is not None
    return running.stdout.readline().strip()


def current(home: Home) -> BuildFolder:
    found = home.current()
    assert found is not None
    return found
