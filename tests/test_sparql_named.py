"""Named queries are found, explained and filled in, and a value never leaves its place."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, Store

from kb.store import OxigraphStore
from kb.store.words import declared
from kb.vocabulary import PREFIXES
from query.sparql.errors import BadNamedQuery, BadParameter, UnknownQuery
from query.sparql.guard import check
from query.sparql.named import NamedQuery, named_queries, named_query

FILE = """\
# Which rules does a rule cite,
# and how deep?
#
# parameter rule: a rule number, such as 702.7
# parameter edition (iri) = urn:edition:1: the edition
# parameter depth (integer) = 3: at most so many
PREFIX e: <urn:e:>  # not part of the question
SELECT ?cited {
  GRAPH $edition { ?s e:number $rule ; e:cites ?cited ; e:depth ?d FILTER(?d < $depth) }
}
"""
QUERY = NamedQuery.parse("cites", FILE)


def test_a_file_says_what_it_asks() -> None:
    assert QUERY.question == "Which rules does a rule cite, and how deep?"
    assert [(p.name, p.kind, p.default) for p in QUERY.parameters] == [
        ("rule", "string", None),
        ("edition", "iri", "urn:edition:1"),
        ("depth", "integer", "3"),
    ]
    assert QUERY.parameters[0].meaning == "a rule number, such as 702.7"


def test_values_become_terms() -> None:
    filled = QUERY.filled({"rule": "702.7", "depth": "02"})
    assert 'GRAPH <urn:edition:1> { ?s e:number "702.7" ;' in filled
    assert '"2"^^<http://www.w3.org/2001/XMLSchema#integer>' in filled
    assert list(Store().query(filled)) == []


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "query cites needs --parameter rule=VALUE (a rule number, such as 702.7)"),
        ({"rool": "1"}, "query cites has no parameter 'rool'; its parameters: rule, edition, depth"),
        ({"rule": "1", "depth": "deep"}, "parameter depth: expected a whole number, got 'deep'"),
        (
            {"rule": "1", "edition": "not an iri"},
            "parameter edition: expected an absolute IRI, got 'not an iri'",
        ),
        (
            {"rule": "1", "edition": "urn:x> } #"},
            "parameter edition: expected an absolute IRI, got 'urn:x> } #'",
        ),
        ({"rule": "1", "edition": "relative"}, "parameter edition: expected an absolute IRI, got 'relative'"),
    ],
)
def test_a_bad_value_is_told(values: dict[str, str], message: str) -> None:
    with pytest.raises(BadParameter) as caught:
        QUERY.filled(values)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SELECT * {}", "does not begin with its question"),
        ("# parameter x: y\nSELECT * { ?s ?p $x }", "does not begin with its question"),
        ("# What?\nSELECT * { ?s ?p $x }", "parameter x is never declared"),
        ("# What?\n# parameter x: y\nSELECT * { ?s ?p ?x }", "parameter x is declared and never used"),
        ("# What?\n# parameter x (colour): y\nSELECT * { ?s ?p $x }", "no known kind 'colour'; use string"),
        ("# What?\n# parameter x\nSELECT * { ?s ?p $x }", "expected 'parameter NAME"),
    ],
)
def test_a_bad_file_is_told(text: str, message: str) -> None:
    with pytest.raises(BadNamedQuery, match=message):
        NamedQuery.parse("odd", text)


@settings(deadline=None)
@given(st.text(st.characters(codec="utf-8"), max_size=20))
def test_any_text_is_a_text(value: str) -> None:
    query = NamedQuery.parse("echo", "# What was said?\n# parameter x: y\nSELECT ($x AS ?said) ('$x' AS ?kept) {}")
    (row,) = Store().query(query.filled({"x": value}))
    assert (row["said"], row["kept"]) == (Literal(value), Literal("$x"))


def test_a_miss_suggests_a_hit() -> None:
    with pytest.raises(UnknownQuery, match=r"no named query 'graph'; did you mean graphs\?"):
        named_query("graph")


@pytest.mark.parametrize("query", named_queries().values(), ids=lambda query: query.name)
def test_every_named_query_reads_and_runs(query: NamedQuery) -> None:
    assert query.question.endswith("?")
    samples = {"string": "702.7", "integer": "7", "date": "2026-01-16", "iri": "urn:s"}
    filled = query.filled({p.name: p.default or samples[p.kind] for p in query.parameters})
    filled = declared(filled, PREFIXES)
    check(filled, list)
    with OxigraphStore.in_memory() as store:
        store.load(b"<urn:s> <urn:p> <urn:o> <urn:g> .\n")
        store.query(filled, union=True)


def test_the_shipped_queries_answer() -> None:
    with OxigraphStore.in_memory() as store:
        store.load(b"<urn:s> <urn:p> <urn:o> <urn:g> .\n<urn:s> <urn:q> <urn:o> <urn:g> .\n")
        graphs = store.select(named_query("graphs").filled({}))
        assert [row[0] for row in graphs] == [NamedNode("urn:g")]
        about = store.select(named_query("about").filled({"thing": "<urn:s>"}))
        assert about.column("property") == (NamedNode("urn:p"), NamedNode("urn:q"))
    assert len(named_queries()) >= 4
