"""An edition's graph and what may be wrong with it: plain SPARQL and SHACL must say the same of each."""

import sys
from collections.abc import Iterable

import pytest
from pyoxigraph import Quad, Store

from ingest.audit import audit
from kb.graph import EditionGraph
from kb.outline import embedded_outline, read_outline
from kb.shapes import ShaclMissing, validate_shapes
from kb.store import GraphStore, OxigraphStore
from kb.validation import SEVERITIES, SHAPES, UnknownEdition, ValidationResult, checks, editions, validate
from kb.vocabulary import PREFIXES, RDF, SR, Names
from tests.official import EDITIONS, needs_data, rulebook, rulebook_links
from tests.small_rulebook import EDITION, small_graph, with_changes
from tests.tables import table

CORRUPTIONS = table("corruptions.txt", at_least=70)
"""The checks that must fail, and the update that makes them."""


def stored(quads: Iterable[Quad], edition: str = EDITION) -> GraphStore:
    store = OxigraphStore.in_memory()
    store.replace_graph(Names().graph(edition), (quad.triple for quad in quads))
    return store


def corrupted(*updates: str, edition: str = EDITION, quads: Iterable[Quad] | None = None) -> GraphStore:
    """The graph after the updates; each must change it."""
    engine = Store()
    engine.extend(Quad(*quad.triple) for quad in (small_graph() if quads is None else quads))
    prefixes = "".join(f"PREFIX {prefix}: <{namespace}>\n" for prefix, namespace in PREFIXES.items())
    for update in updates:
        before = set(engine)
        engine.update(f"BASE <{Names().edition(edition).value}/>\n{prefixes}{update}")
        assert set(engine) != before, f"changes nothing: {update}"
    return stored(engine, edition)


def said(results: Iterable[ValidationResult]) -> set[str]:
    return {f"{result.check} {result.place}" for result in results}


def expected_of(case: str) -> set[str]:
    return set(filter(None, case.split(", ")))


@pytest.mark.parametrize(("expected", "update"), CORRUPTIONS)
def test_a_corrupt_graph_is_reported(expected: str, update: str) -> None:
    assert said(validate(corrupted(update), EDITION)) == expected_of(expected)


def batches() -> list[list[tuple[str, str]]]:
    """The corruptions put together as far as none hides or adds to another, since SHACL takes a second a graph."""
    found: list[list[tuple[str, str]]] = []
    for case in CORRUPTIONS:
        if not any(_joins(batch, case) for batch in found):
            found.append([case])
    return found


def _joins(batch: list[tuple[str, str]], case: tuple[str, str]) -> bool:
    together = [*batch, case]
    wanted = [expected_of(expected) for expected, _ in together]
    if len(set().union(*wanted)) < sum(map(len, wanted)):
        return False
    try:
        results = validate(corrupted(*(update for _, update in together)), EDITION)
    except AssertionError:
        return False
    fits = said(results) == set().union(*wanted)
    if fits:
        batch.append(case)
    return fits


def test_shacl_says_the_same_of_every_corruption() -> None:
    tried = 0
    for batch in batches():
        store = corrupted(*(update for _, update in batch))
        assert validate_shapes(store, EDITION) == validate(store, EDITION)
        tried += len(batch)
    assert tried == len(CORRUPTIONS)


def test_every_check_is_tried() -> None:
    tried = {case.split()[0] for expected, _ in CORRUPTIONS for case in expected_of(expected)}
    assert tried == {check.name for check in checks()}


def test_every_check_has_its_query_and_every_query_its_check() -> None:
    queries = {path.stem for path in SHAPES.with_name("checks").glob("*.rq")}
    assert queries == {check.name for check in checks()}
    for check in checks():
        assert check.severity in SEVERITIES
        assert check.query.startswith("# "), f"{check.name}.rq begins with its question in English"
        assert ("?detail" in check.query.partition("WHERE")[0]) == ("{?detail}" in check.message), check.name


SECOND_101 = "\n101. The Marbles\n\n101.1. Each"
TEXTS: list[tuple[str, tuple[tuple[str, str], ...]]] = [
    ("", ()),
    (
        "heading-twice 101, number-repeated 101.1~2",
        (("\n2. Rolling\n\n200. Turns\n\n200.1.", f"{SECOND_101} one.\n\n2. Rolling\n\n200. Turns\n\n200.1."),),
    ),
    (
        "heading-lost contents/6, parent 201.1, parent 201.2",
        (("\n201. Slots\n\n201.1.", "\n201.1."),),
    ),
    ("number-gap 101.2", (("101.1. Each player has", "Each player has"),)),
    ("number-gap 201.2p", (("201.2n Slot number 13 takes the marbles that reach it.\n\n", ""),)),
    ("number-gap 201.2aa", (("201.2z Slot", "Slot"),)),
    ("number-repeated 201.2d~2, number-gap 201.2f", (("201.2e Slot", "201.2d Slot"),)),
    ("misordered 201.2c", (("201.2c Slot", "# Slot"), ("201.2d Slot", "201.2c Slot"), ("# Slot", "201.2d Slot"))),
    ("reference-fault 100.2/reference/1", (("rules 200.2a–c", "rules 200.2a–f"),)),
    ("reference-fault 100.1b/reference/1", (("(See rule 101, “The Marbles.”)", "(See rule 101, “The Balls.”)"),)),
    ("reference-fault term/hole/reference/1", (("See Slot.", "See Pocket."),)),
    ("misprinted-number 101.1", (("101.1. Each", "101.1 Each"),)),
]


@pytest.mark.parametrize(("expected", "changes"), TEXTS)
def test_a_corrupt_text_is_reported_by_both(expected: str, changes: tuple[tuple[str, str], ...]) -> None:
    store = stored(small_graph(with_changes(*changes)))
    assert said(validate(store, EDITION)) == expected_of(expected)
    assert validate_shapes(store, EDITION) == validate(store, EDITION)


def test_a_graph_of_two_editions_is_reported_by_both() -> None:
    store = corrupted("INSERT DATA { <../2019> a sr:Edition }")
    assert "edition sr:Edition" in said(validate(store, EDITION))
    assert validate_shapes(store, EDITION) == validate(store, EDITION)


def test_a_graph_without_an_edition_is_reported() -> None:
    store = stored([Quad(Names().edition(EDITION), RDF.type, SR.Rule)])
    assert "edition sr:Edition" in said(validate(store, EDITION))


def test_the_gravest_comes_first_and_reads_as_a_sentence() -> None:
    results = validate(stored(small_graph(with_changes(("101.1. Each", "Each"), ("See Slot.", "See Pocket.")))))
    assert [str(result) for result in results] == [
        "warning: 101.2: the number 101.1 before it is missing (number-gap)",
        "info: term/hole/reference/1: the reference does not mean what it says: "
        "the glossary has no entry 'Pocket' (reference-fault)",
    ]


def test_all_editions_of_a_store_are_validated() -> None:
    store = stored(small_graph(with_changes(("101.1. Each", "Each"))))
    older = with_changes(("February 3, 2020", "March 4, 2019"), ("101.1. Each", "101.1 Each"))
    store.replace_graph(Names().graph("2019-03-04"), (quad.triple for quad in small_graph(older)))
    assert editions(store) == ("2019-03-04", EDITION)
    assert [(result.edition, result.check) for result in validate(store)] == [
        ("2019-03-04", "misprinted-number"),
        (EDITION, "number-gap"),
    ]


def test_an_edition_that_is_not_there_is_said_so() -> None:
    store = stored(small_graph())
    for ask in (validate, validate_shapes):
        with pytest.raises(UnknownEdition, match=f"no edition '1999-01-01'; it holds {EDITION}"):
            ask(store, "1999-01-01")


def test_without_pyshacl_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyshacl", None)
    with pytest.raises(ShaclMissing, match=r"pip install 'seerule\[shapes\]'"):
        validate_shapes(stored(small_graph()), EDITION)


def test_another_base_validates_as_well() -> None:
    names = Names("https://rules.example/")
    store = OxigraphStore.in_memory()
    store.replace_graph(names.graph(EDITION), (quad.triple for quad in small_graph(names=names)))
    assert validate(store, names=names) == () == validate_shapes(store, EDITION, names)


def test_the_embedded_outline_conforms() -> None:
    book, found = read_outline(embedded_outline().read_text(encoding="utf-8"))
    results = validate(stored(EditionGraph(book, found, Names()).quads(), book.edition))
    assert {result.severity for result in results} <= {"info"}


def official(name: str) -> list[Quad]:
    return list(EditionGraph(rulebook(name), rulebook_links(name), Names()).quads())


SAME = {
    "dangling-reference": "reference-fault",
    "wrong-title": "reference-fault",
    "duplicate-number": "number-repeated",
    "missing-number": "number-gap",
}
"""Findings of the audit, which reads the values, and the checks of the graph that mean the same."""

GAPS = {"2001-07-23": ["214.8k"], "2003-03-15": ["214.8k"], "2009-07-11": ["113.9"], "2023-04-14": ["712.3d"]}
"""Where official editions leave out a number before a rule, as one sees by looking at the files."""


@needs_data
@pytest.mark.parametrize("name", EDITIONS)
def test_an_official_edition_has_no_violation_and_the_warnings_of_its_audit(name: str) -> None:
    book = rulebook(name)
    results = validate(stored(official(name), book.edition))
    assert [str(result) for result in results if result.severity == "violation"] == []
    findings = audit(book, rulebook_links(name))
    for kind in {"reference-fault", "number-repeated", "number-gap"}:
        same = [finding for finding in findings if SAME.get(finding.kind) == kind]
        assert len(same) == sum(result.check == kind for result in results), kind
    assert [result.place for result in results if result.severity == "warning"] == GAPS.get(book.edition, [])
    labelled = [rule.key for rule in book.rules if rule.label]
    assert labelled == [result.place for result in results if result.check == "misprinted-number"]


@needs_data
def test_shacl_says_the_same_of_an_official_edition_and_of_its_corruption() -> None:
    name = min(EDITIONS)  # the smallest; tests/bench validates the newest
    edition = rulebook(name).edition
    assert validate_shapes(stored(official(name), edition), edition) == validate(stored(official(name), edition))
    store = corrupted(
        "DELETE WHERE { <101.2> ?p ?o }",
        "INSERT DATA { <102> sr:line 1 . <101.3> eli:cites <../2019-01-01/510> }",
        'DELETE { ?r oa:exact ?q } INSERT { ?r oa:exact "" } WHERE { ?r oa:exact ?q ; oa:hasSource <term/landwalk> }',
        edition=edition,
        quads=official(name),
    )
    asked = validate(store, edition)
    assert {
        "number-gap 101.3",
        "heading-twice 102",
        "target-outside 101.3",
        "empty-quote term/landwalk/reference/1",
    } <= said(asked)
    assert validate_shapes(store, edition) == asked
