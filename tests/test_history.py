"""What a rule was called is told through every edition in the store."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ingest.build import Inputs, build_home
from kb.home import Home
from query.history import spans
from query.knowledge_base import KnowledgeBase
from query.renumbering import Renumbering
from tests.official import edition_file, needs_data

FILES = ("cr-20090501.txt", "cr-20191004.txt", "cr-20210723.txt", "cr-20260925.txt")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    """Four editions, the third added to a store that held the others."""
    home = Home(tmp_path_factory.mktemp("home"))
    build_home(Inputs(tuple(edition_file(name) for name in FILES if name != FILES[2])), home)
    build_home(Inputs((edition_file(FILES[2]),), add=True), home)
    with KnowledgeBase.open(home.path) as opened:
        yield opened


@needs_data
def test_a_rule_keeps_its_history_when_its_number_moves(base: KnowledgeBase) -> None:
    found = base.history("first strike")
    assert [(version.edition, version.key) for version in found] == [
        ("2009-05-01", "502.2"),
        ("2019-10-04", "702.7"),
        ("2021-07-23", "702.7"),
        ("2026-09-25", "702.7"),
    ]
    assert [(span.first, span.last, span.key, span.change) for span in spans(found)] == [
        ("2009-05-01", "2009-05-01", "502.2", "new"),
        ("2019-10-04", "2026-09-25", "702.7", "moved"),
    ]


@needs_data
def test_a_citation_of_an_old_edition_leads_to_the_rule_of_today(base: KnowledgeBase) -> None:
    old = base.of_edition("2019-10-04")
    assert old.history("702.36e")[-1].key == "702.37e"
    assert old.history("706.2")[-1].key == "707.2"


@needs_data
def test_an_edition_alone_has_no_other_versions(tmp_path_factory: pytest.TempPathFactory) -> None:
    with KnowledgeBase.open(tmp_path_factory.mktemp("outline")) as alone:
        assert [version.edition for version in alone.history("702.7")] == ["2026-09-25"]


COPY = "Is the effect that made the original bigger among the copiable values that a copy has?"
IN_EDITIONS = [
    (COPY, "2026-09-25", "707.2"),
    (COPY, "2019-10-04", "706.2"),
    (COPY, "2009-05-01", "503.2"),
    ("Is that what rule 706.2 says?", "2019-10-04", "706.2"),
    ("Is that what rule 706.2 says?", "2026-09-25", "706.2"),
    ("Is that what rule 503.2 says?", "2009-05-01", "503.2"),
]


@needs_data
@pytest.mark.parametrize(("text", "edition", "wanted"), IN_EDITIONS)
def test_rules_are_cited_by_the_numbers_of_the_edition(
    base: KnowledgeBase, text: str, edition: str, wanted: str
) -> None:
    cited = base.of_edition(edition).cite(text)
    assert cited.edition == edition
    assert wanted in [citation.rule for citation in cited.citations[:5]]
    assert all(base.of_edition(edition).show(citation.rule).text for citation in cited.citations)


@needs_data
def test_numbers_lead_to_another_edition_and_back(base: KnowledgeBase) -> None:
    numbers = Renumbering(base.store, base.names, "2019-10-04", base.edition)
    there = {key: numbers.then(key) for key in base.lookup.keys if key[0].isdigit()}
    assert sum(key is not None for key in there.values()) > 2400
    assert all(numbers.now(then) == key for key, then in there.items() if then is not None)
