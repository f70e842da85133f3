"""Measures how long the newest edition's graph takes to validate: `python tests/bench/bench_validate.py`.

It holds the SHACL shapes to the answers of the SPARQL checks on the whole edition, which takes too long for the suite.
The time of reading the official file is the measure beside which the two stand. Processor time, since the machine may
be busy with other things.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

T = TypeVar("T")


def timed(action: Callable[[], T]) -> tuple[float, T]:
    """The processor time that an action takes, in seconds, and what it gives."""
    start = time.process_time()
    given = action()
    return time.process_time() - start, given


def main() -> None:
    """Prints the three times and their ratios."""
    from kb.graph import EditionGraph
    from kb.shapes import validate_shapes
    from kb.store import OxigraphStore
    from kb.validation import validate
    from kb.vocabulary import Names
    from tests.official import EDITIONS, rulebook, rulebook_links

    name = max(EDITIONS)
    reading, links = timed(lambda: rulebook_links(name))
    edition, store, names = rulebook(name).edition, OxigraphStore.in_memory(), Names()
    quads = EditionGraph(rulebook(name), links, names).quads()
    store.replace_graph(names.graph(edition), (quad.triple for quad in quads))
    sparql, asked = timed(lambda: validate(store, edition))
    shacl, told = timed(lambda: validate_shapes(store, edition))
    print(f"{edition}: {len(store)} triples, {len(asked)} results, the same by both: {told == asked}")
    for step, seconds in (("read the file", reading), ("SPARQL checks", sparql), ("SHACL shapes", shacl)):
        print(f"{step:<14} {seconds:6.2f} s  {seconds / reading:6.2f} times the reading")


if __name__ == "__main__":
    main()
