"""The same contract for every engine, real servers included."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Triple, parse

from kb.store import GraphStore, Solutions, Triples, open_store
from kb.store.errors import (
    BadRecord,
    QuerySyntaxError,
    ReadOnlyStore,
    UnknownParameter,
    WrongForm,
)
from kb.store.results import canonical
from tests.servers import oxigraph_server

XSD = "http://www.w3.org/2001/XMLSchema#"
A, B, C = (NamedNode(f"urn:graph:{name}") for name in "abc")
CITES, NUMBER = NamedNode("urn:cites"), NamedNode("urn:number")


def rule(number: str) -> NamedNode:
    return NamedNode(f"urn:rule:{number}")


RECORD = b"""\
<urn:rule:1> <urn:number> "1" <urn:graph:a> .
<urn:rule:1> <urn:cites> <urn:rule:2> <urn:graph:a> .
<urn:rule:2> <urn:number> "2"^^<http://www.w3.org/2001/XMLSchema#string> <urn:graph:a> .
<urn:rule:2> <urn:cites> <urn:rule:3> <urn:graph:b> .
<urn:rule:3> <urn:order> "007"^^<http://www.w3.org/2001/XMLSchema#integer> <urn:graph:b> .
<urn:rule:3> <urn:title> "Fl\\u00FCgel \\"x\\"\\t\\n"@DE-at <urn:graph:b> .
"""


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with oxigraph_server(tmp_path_factory.mktemp("oxigraph")) as address:
        yield address


@pytest.fixture(params=["memory", "folder", "endpoint"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[GraphStore]:
    if request.param == "endpoint":
        location = request.getfixturevalue("server")
    else:
        location = "memory:" if request.param == "memory" else str(tmp_path / "store")
    with open_store(location, writable=True) as opened:
        for graph in opened.graphs():
            opened.remove_graph(graph)
        yield opened


@pytest.fixture
def loaded(store: GraphStore) -> GraphStore:
    store.load(RECORD)
    return store


def test_graphs_and_length(loaded: GraphStore) -> None:
    assert loaded.graphs() == (A, B)
    assert len(loaded) == 6


def test_an_empty_store(store: GraphStore) -> None:
    assert store.graphs() == ()
    assert len(store) == 0
    assert list(store.quads()) == []
    assert b"".join(store.dump()) == b""


def test_terms_are_canonical(loaded: GraphStore) -> None:
    """A string equals itself with its datatype, a number in another spelling, a language in another case."""
    assert loaded.select("SELECT ?o { ?s <urn:number> ?o } ORDER BY ?o", default_graphs=[A]).rows == (
        (Literal("1"),),
        (Literal("2"),),
    )
    found = loaded.select("SELECT ?n ?t { ?s <urn:order> ?n ; <urn:title> ?t }", default_graphs=[B])
    assert found.rows == (
        (Literal("7", datatype=NamedNode(XSD + "integer")), Literal('Flügel "x"\t\n', language="de-at")),
    )


def test_a_query_sees_the_graphs_it_is_given(loaded: GraphStore) -> None:
    chain = "SELECT ?s ?o { ?s <urn:cites> ?o } ORDER BY ?s"
    assert loaded.select(chain, default_graphs=[A]).column("s") == (rule("1"),)
    assert loaded.select(chain, default_graphs=[A, B]).column("s") == (rule("1"), rule("2"))
    assert loaded.select(chain, union=True).column("s") == (rule("1"), rule("2"))
    assert loaded.select(chain).rows == ()


def test_the_store_knows_its_default_graphs(loaded: GraphStore) -> None:
    loaded.default_graphs = (B,)
    assert loaded.select("SELECT ?s { ?s <urn:cites> ?o }").column("s") == (rule("2"),)
    assert loaded.select("SELECT ?s { ?s <urn:cites> ?o }", default_graphs=[A]).column("s") == (rule("1"),)
    assert loaded.select("SELECT ?s { ?s <urn:cites> ?o }", default_graphs=[]).rows == ()


def test_from_overrides_the_default_graphs(loaded: GraphStore) -> None:
    loaded.default_graphs = (B,)
    chain = "SELECT ?s FROM <urn:graph:a> { ?s <urn:cites> ?o }"
    assert loaded.select(chain).column("s") == (rule("1"),)
    assert loaded.select(chain, union=True).column("s") == (rule("1"),)


@pytest.mark.parametrize("default", [(), (A,)], ids=["no default graph", "a default graph"])
def test_every_graph_is_open_to_graph_unless_some_are_named(loaded: GraphStore, default: tuple[NamedNode, ...]) -> None:
    which = "SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } } ORDER BY ?g"
    assert loaded.select(which, default_graphs=default).column("g") == (A, B)
    assert loaded.select(which, default_graphs=default, named_graphs=[B]).column("g") == (B,)


def test_unbound_cells_and_empty_rows(loaded: GraphStore) -> None:
    found = loaded.select("SELECT ?a ?b { VALUES (?a ?b) { (1 UNDEF) (UNDEF UNDEF) } }")
    assert found == Solutions(("a", "b"), ((Literal("1", datatype=NamedNode(XSD + "integer")), None), (None, None)))
    assert loaded.select("SELECT * {}") == Solutions((), ((),))


def test_ask_and_construct(loaded: GraphStore) -> None:
    assert loaded.query("ASK { GRAPH ?g { <urn:rule:1> ?p ?o } }") is True
    assert loaded.ask("ASK { <urn:rule:9> ?p ?o }", union=True) is False
    turned = loaded.query("CONSTRUCT { ?o <urn:cited> ?s } { ?s <urn:cites> ?o }", default_graphs=[A])
    assert turned == Triples((Triple(rule("2"), NamedNode("urn:cited"), rule("1")),))
    described = loaded.query("DESCRIBE <urn:rule:3>", default_graphs=[B])
    assert isinstance(described, Triples)
    assert {triple.predicate.value for triple in described} == {"urn:order", "urn:title"}
    assert Literal("7", datatype=NamedNode(XSD + "integer")) in {triple.object for triple in described}


def test_the_wrong_form_is_told(loaded: GraphStore) -> None:
    with pytest.raises(WrongForm, match=r"expected a query that answers with rows; .* with yes or no"):
        loaded.select("ASK {}")
    with pytest.raises(WrongForm, match=r"expected a query that answers with yes or no; .* with triples"):
        loaded.ask("CONSTRUCT WHERE { ?s ?p ?o }")


def test_a_syntax_error_has_its_place(store: GraphStore) -> None:
    with pytest.raises(QuerySyntaxError) as caught:
        store.query("SELECT ?s {\n  ?s ?p }")
    assert (caught.value.line, caught.value.column) == (2, 10)
    assert "line 2, column 10" in str(caught.value)
    assert "\n    ?s ?p }\n" in str(caught.value)
    assert len(str(caught.value)) < 300


def test_property_paths(loaded: GraphStore) -> None:
    reached = loaded.select("SELECT DISTINCT ?o { <urn:rule:1> <urn:cites>+ ?o } ORDER BY ?o", union=True)
    assert reached.column("o") == (rule("2"), rule("3"))


def test_values_fill_parameters(loaded: GraphStore) -> None:
    by_number = "SELECT ?s { ?s <urn:number> $number }"
    assert loaded.select(by_number, {"number": Literal("2")}, union=True).column("s") == (rule("2"),)
    assert loaded.select(by_number, {"number": Literal('2" } #')}, union=True).rows == ()
    with pytest.raises(UnknownParameter, match="no parameter 'numbre'; its parameters: number"):
        loaded.select(by_number, {"numbre": Literal("2")})


def test_quads_by_pattern(loaded: GraphStore) -> None:
    assert list(loaded.quads(rule("2"), graph=A)) == [Quad(rule("2"), NUMBER, Literal("2"), A)]
    assert {quad.graph_name for quad in loaded.quads(predicate=CITES)} == {A, B}
    assert list(loaded.quads(object=Literal("1"))) == [Quad(rule("1"), NUMBER, Literal("1"), A)]
    assert len(list(loaded.quads())) == 6
    assert list(loaded.quads(graph=C)) == []
    whole = Quad(rule("1"), CITES, rule("2"), A)
    assert list(loaded.quads(rule("1"), CITES, rule("2"), A)) == [whole]
    assert list(loaded.quads(rule("1"), CITES, rule("2"), B)) == []


def test_a_graph_is_replaced_whole(loaded: GraphStore) -> None:
    kept = [Triple(rule("9"), NUMBER, Literal('9 "\\ü\n'))]
    loaded.replace_graph(A, iter(kept))
    loaded.replace_graph(C, kept)
    loaded.replace_graph(B, [])
    assert [quad.triple for quad in loaded.quads(graph=A)] == kept
    assert loaded.graphs() == (A, C)


def test_a_graph_is_removed(loaded: GraphStore) -> None:
    loaded.remove_graph(A)
    loaded.remove_graph(C)
    assert loaded.graphs() == (B,)


def test_loading_adds(loaded: GraphStore, tmp_path: Path) -> None:
    more = b"<urn:rule:4> <urn:cites> <urn:rule:1> <urn:graph:a> .\n"
    (tmp_path / "more.nq").write_bytes(more)
    loaded.load(tmp_path / "more.nq")
    (tmp_path / "more.nq.gz").write_bytes(gzip.compress(more.replace(b"graph:a", b"graph:c")))
    loaded.load(str(tmp_path / "more.nq.gz"))
    with open(tmp_path / "more.nq", "rb") as opened:
        loaded.load(opened)
    assert len(loaded) == 8
    assert loaded.graphs() == (A, B, C)


def test_blank_nodes_stay_one_node(store: GraphStore) -> None:
    store.load(b"_:x <urn:p> _:y <urn:graph:a> .\n_:y <urn:p> _:x <urn:graph:a> .\n")
    assert store.ask("ASK { ?x <urn:p> ?y . ?y <urn:p> ?x FILTER(?x != ?y) }", union=True)


def test_what_is_no_record_is_refused(store: GraphStore, tmp_path: Path) -> None:
    bad = b"<urn:s> <urn:p> <urn:o> <urn:graph:a> .\n<urn:s> <urn:p> oops .\n"
    (tmp_path / "bad.nq").write_bytes(bad)
    for given_as in (bad, tmp_path / "bad.nq"):
        with pytest.raises(BadRecord, match="line 2"):
            store.load(given_as)
    assert len(store) == 0


@pytest.mark.parametrize("format", [RdfFormat.N_QUADS, RdfFormat.TRIG, RdfFormat.N_TRIPLES, RdfFormat.TURTLE])
def test_a_dump_read_again_is_the_store(loaded: GraphStore, format: RdfFormat) -> None:
    written = b"".join(loaded.dump(format, prefixes={"rule": "urn:rule:"}))
    again = set(parse(written, format))
    expected = set(loaded.quads())
    if not format.supports_datasets:
        expected = {Quad(quad.subject, quad.predicate, quad.object) for quad in expected}
    assert again == expected


def test_one_graph_is_dumped(loaded: GraphStore) -> None:
    assert b"".join(loaded.dump(graphs=[A])).count(b"<urn:graph:a> .\n") == 3
    assert b"urn:graph:b" not in b"".join(loaded.dump(graphs=[A]))


any_text = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
datatypes = ["string", "integer", "decimal", "double", "date", "boolean", "gYear", "anyURI"]
numbers = st.one_of(
    st.integers(-(10**20), 10**20).map(str), st.from_regex(r"[+-]?0*\d{1,3}(\.\d{0,4})?", fullmatch=True)
)
literals = st.one_of(
    any_text.map(Literal),
    any_text.map(lambda text: Literal(text, language="En-us")),
    st.builds(
        lambda text, kind: Literal(text, datatype=NamedNode(XSD + kind)),
        st.one_of(any_text, numbers),
        st.sampled_from(datatypes),
    ),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(literals, min_size=1, max_size=6))
def test_any_literal_comes_back_as_the_canonical_one(store: GraphStore, values: list[Literal]) -> None:
    expected = {canonical(value) for value in values}
    store.replace_graph(A, [Triple(rule("1"), NUMBER, value) for value in values])
    assert {quad.object for quad in store.quads(graph=A)} == expected
    assert set(store.select("SELECT ?o { ?s ?p ?o }", default_graphs=[A]).column("o")) == expected
    for value in expected:
        assert isinstance(value, Literal)
        assert list(store.quads(object=value, graph=A)) == [Quad(rule("1"), NUMBER, value, A)]
        assert store.ask("ASK { ?s ?p $value }", {"value": value}, default_graphs=[A])


rdflib_warns_of_itself = pytest.mark.filterwarnings("ignore:Dataset:DeprecationWarning")


@rdflib_warns_of_itself
def test_rdflib_sees_the_store(loaded: GraphStore) -> None:
    import rdflib

    loaded.default_graphs = (A,)
    dataset = loaded.rdflib_graph()
    one, number = rdflib.URIRef("urn:rule:1"), rdflib.URIRef("urn:number")
    assert (one, number, rdflib.Literal("1")) in dataset
    assert (rdflib.URIRef("urn:rule:2"), number, rdflib.Literal("2")) in dataset
    assert len(dataset.default_graph) == 3
    assert len(dataset.graph(rdflib.URIRef("urn:graph:b"))) == 3
    assert {graph.identifier for graph in dataset.graphs()} >= {rdflib.URIRef("urn:graph:a")}
    rows = list(dataset.query("SELECT ?o { ?s <urn:number> ?o } ORDER BY ?o"))
    assert rows == [(rdflib.Literal("1"),), (rdflib.Literal("2"),)]
    bound = dataset.query("SELECT ?s { ?s <urn:number> ?o }", initBindings={"o": rdflib.Literal("2")})
    assert [row[0] for row in bound] == [rdflib.URIRef("urn:rule:2")]
    assert dataset.query("ASK { <urn:rule:3> ?p ?o }").askAnswer is False
    inner = dataset.graph(rdflib.URIRef("urn:graph:b")).query("ASK { <urn:rule:3> ?p ?o }")
    assert inner.askAnswer is True
    built = dataset.query("CONSTRUCT { ?s <urn:n> ?o } { ?s <urn:number> ?o }").graph
    assert built is not None
    assert len(built) == 2
    assert "urn:rule:1" in dataset.default_graph.serialize(format="turtle")
    with pytest.raises(ReadOnlyStore):
        dataset.add((one, number, rdflib.Literal("3")))


@rdflib_warns_of_itself
def test_rdflib_sees_every_graph_where_none_is_the_default(loaded: GraphStore) -> None:
    dataset = loaded.rdflib_graph()
    assert len(list(dataset.triples((None, None, None)))) == 6
    assert len(dataset.query("SELECT * { ?s ?p ?o }")) == 6
