"""Measures builds, cold and warm look-ups, paths and the grammar: `python tests/bench/bench_rules.py [DATA]`.

DATA is the folder of official files (by default SEERULE_TEST_DATA or ../shared/data). Absolute times are this
machine's; the ratios at the end are taken within one run.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

if TYPE_CHECKING:
    from query.knowledge_base import KnowledgeBase

RUN = [sys.executable, "-m", "query.cli"]


def best(action: Callable[[], object], times: int) -> float:
    """The least of several times, in milliseconds: what a busy machine does not blur."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        action()
        taken.append(time.perf_counter() - start)
    return min(taken) * 1000


def command(*arguments: str) -> float:
    """The wall time of one command in a new process, in seconds."""
    start = time.perf_counter()
    subprocess.run([*RUN, *arguments], check=True, capture_output=True, cwd=ROOT)
    return time.perf_counter() - start


def peak() -> int:
    """The largest memory of any process that has ended, in MB."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024


def builds(data: Path, home: str) -> None:
    """One edition, then all."""
    files = sorted((data / "cr").glob("*.txt"))
    print(f"build of one edition          {command('--home', home, 'build', str(files[-1])):8.2f} s   peak {peak()} MB")
    with tempfile.TemporaryDirectory() as all_home:
        took = command("--home", all_home, "build", *map(str, files))
        print(f"build of {len(files)} editions          {took:8.2f} s   peak {peak()} MB of the largest process")


def lookups(home: str) -> None:
    """In new processes and in a warm one."""
    from query.knowledge_base import KnowledgeBase

    cold = [command("--home", home, "show", "702.7") for _ in range(7)]
    bare = best(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True), 7)
    print(f"seerule show 702.7, cold      {min(cold):8.3f} s   (an empty Python process {bare / 1000:.3f} s)")
    with KnowledgeBase.open(home) as base:
        base.show("702.7")
        print(f"look-up, warm                 {best(lambda: base.show('702.7'), 200):8.3f} ms")
        base.path("702.7", "510")
        for start, end in (("702.7", "510"), ("702.7", "704.5g"), ("506.1", "100.2a")):
            print(f"path {start} {end:<8}            {best(lambda s=start, e=end: path(base, s, e), 30):8.3f} ms")  # type: ignore[misc]
        node = base.lookup.node("702.7b")
        asked = f"SELECT DISTINCT ?x {{ {node} eli:cites+ ?x }}"
        asked = f"PREFIX eli: <http://data.europa.eu/eli/ontology#> {asked}"
        print(f"cites+ from 702.7b            {best(lambda: base.sparql(asked), 100):8.3f} ms")


def path(base: KnowledgeBase, start: str, end: str) -> None:
    """A path, or its absence."""
    from query.follow import NoPath

    try:
        base.path(start, end)
    except NoPath:
        return


def grammar(data: Path) -> None:
    """The reference grammar behind its cue, and scanning with it everywhere."""
    from kb.reference import _phrase, references

    text = (data / "cr" / "cr-20250919.txt").read_text(encoding="utf-8-sig")
    part = "\n".join(line for line in re.split(r"[\r\n]+", text)[: len(text) // 800])
    with_cue = best(lambda: list(references(part)), 3)
    everywhere = best(lambda: list(_phrase().scan_string(part)), 1)
    print(f"references in {len(part) // 1000} kB            {with_cue:8.1f} ms")
    print(f"scanning without a cue takes  {everywhere / with_cue:8.1f} times as long")


def main() -> None:
    """Prints every figure."""
    given = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("SEERULE_TEST_DATA", ROOT.parent / "shared" / "data")
    data = Path(given)
    with tempfile.TemporaryDirectory() as home:
        builds(data, home)
        lookups(home)
    grammar(data)


if __name__ == "__main__":
    main()
