"""The same answers come from a SPARQL server that holds the record of a build."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kb.embedded import outline_quads
from kb.store import open_store
from kb.vocabulary import Names
from query.knowledge_base import KnowledgeBase
from tests.servers import oxigraph_server


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[KnowledgeBase, KnowledgeBase]]:
    """The outline in a home, and the same in a real server that this test starts."""
    import pyoxigraph as ox

    folder: Path = tmp_path_factory.mktemp("remote")
    record = ox.serialize(outline_quads(Names())[0], format=ox.RdfFormat.N_QUADS) or b""
    with oxigraph_server(folder / "server") as address:
        with open_store(address, writable=True) as store:
            store.load(record)
        with KnowledgeBase.open(folder / "home") as here, KnowledgeBase.open(address) as there:
            yield here, there


@pytest.mark.parametrize("asked", ["702.7", "510", "704.5aa", "first strike", "landwalk", "Section 7"])
def test_an_entry_is_the_same(both: tuple[KnowledgeBase, KnowledgeBase], asked: str) -> None:
    here, there = both
    assert here.show(asked) == there.show(asked)


def test_paths_references_and_hubs_are_the_same(both: tuple[KnowledgeBase, KnowledgeBase]) -> None:
    here, there = both
    assert here.path("702.7", "704.5g") == there.path("702.7", "704.5g")
    assert here.hubs(10) == there.hubs(10)
    assert there.editions == ("2026-09-25",)
    assert list(here.links("702.9", "in", 2)) == list(there.links("702.9", "in", 2))
