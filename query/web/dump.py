"""Knows how a whole graph is sent, however large: by a process of its own, as fast as the client takes it."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Sequence

from pyoxigraph import NamedNode, RdfFormat

from kb.store.graph_store import GraphStore
from kb.vocabulary import PREFIXES

_BEGIN = "import json,sys; sys.path[:] = json.loads(sys.argv[1]); from query.web.dump import main; main(*sys.argv[2:])"
_CHUNK = 1 << 16
_NICENESS = 10
FORMS = {
    "turtle": RdfFormat.TURTLE,
    "ntriples": RdfFormat.N_TRIPLES,
    "jsonld": RdfFormat.JSON_LD,
    "rdfxml": RdfFormat.RDF_XML,
}


async def dumped(store: GraphStore, graphs: Sequence[NamedNode], form: str) -> AsyncIterator[bytes]:
    """Named graphs, merged, in a form of `FORMS`, piece by piece; the process ends with the one who asked."""
    if store.location == "memory:":
        for piece in store.dump(FORMS[form], graphs, prefixes=PREFIXES):
            yield piece
        return
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        _BEGIN,
        json.dumps(sys.path),
        store.full_location,
        form,
        *(graph.value for graph in graphs),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdout is not None
    try:
        while piece := await process.stdout.read(_CHUNK):
            yield piece
        if await process.wait():
            raise OSError(f"the process that was to send {form} ended too early")
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def main(location: str, form: str, *graphs: str) -> None:
    """Writes graphs to standard output."""
    from query.sparql.worker import open_reading

    os.nice(_NICENESS)
    for piece in open_reading(location).dump(FORMS[form], [*map(NamedNode, graphs)], prefixes=PREFIXES):
        sys.stdout.buffer.write(piece)
