"""`seerule sparql` as a person types it."""

import json
from pathlib import Path

import pyoxigraph as ox
import pytest
from click.testing import CliRunner, Result

from kb.catalogue import Holding, catalogue_quads
from kb.home import Home
from kb.vocabulary import Names
from query.commands.sparql import sparql

OLD, NEW = "2025-01-31", "2026-01-16"
NUMBER = '<urn:s:%d> <urn:number> "%d"^^<http://www.w3.org/2001/XMLSchema#integer> %s .\n'
TWO = "PREFIX s: <urn:s:> SELECT ?s ?n { ?s <urn:number> ?n FILTER(?n < 2) } ORDER BY ?n"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    with Home(folder).new_build() as build:
        holdings = [Holding(date, f"{date}.txt", "0", "0", 0, 0, 0, 0, 30) for date in (OLD, NEW)]
        graphs = {date: Names().graph(date) for date in (OLD, NEW)}
        with build.open_record() as record:
            record.write("".join(NUMBER % (n, n, graphs[NEW]) for n in range(30)).encode())
            record.write((NUMBER % (0, 77, graphs[OLD])).encode())
            record.write(ox.serialize(catalogue_quads(holdings, Names()), format=ox.RdfFormat.N_QUADS) or b"")
        build.commit([graphs[NEW]])
    return folder


def run(home: Path, *arguments: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(sparql, arguments, input=typed, obj={"home": home})


def test_a_table(home: Path) -> None:
    assert run(home, TWO).stdout == "s    n\ns:0  0\ns:1  1\n"


def test_a_file_and_standard_input(home: Path, tmp_path: Path) -> None:
    (tmp_path / "two.rq").write_text("\ufeff" + TWO)
    assert run(home, str(tmp_path / "two.rq")).stdout == run(home, TWO).stdout
    assert run(home, "-", typed=TWO).stdout == run(home, TWO).stdout
    (tmp_path / "bytes.rq").write_bytes(b'ASK {\n ?s ?p "\xff" }')
    assert "line 2" in str(run(home, str(tmp_path / "bytes.rq")).exception)
    assert "neither a query nor a file" in str(run(home, "nowhere.rq").exception)


def test_formats(home: Path) -> None:
    assert run(home, TWO, "--format", "csv").stdout_bytes == b"s,n\r\nurn:s:0,0\r\nurn:s:1,1\r\n"
    assert run(home, TWO, "--format", "tsv").stdout == "?s\t?n\n<urn:s:0>\t0\n<urn:s:1>\t1\n"
    assert json.loads(run(home, TWO, "--json").stdout) == json.loads(run(home, TWO, "--format", "json").stdout)
    assert run(home, "ASK { ?s ?p 7 }").stdout == "yes\n"
    assert run(home, "ASK { ?s ?p 77 }").stdout == "no\n"
    assert run(home, "CONSTRUCT WHERE { <urn:s:1> ?p ?o }").stdout.split() == [
        "<urn:s:1>",
        "<urn:number>",
        "1",
        ".",
    ]
    assert "@id" in run(home, "DESCRIBE <urn:s:1>", "--format", "jsonld").stdout


def test_a_limit_is_told_apart_from_the_answer(home: Path) -> None:
    cut = run(home, "SELECT * { ?s ?p ?o }", "--limit", "3", "--format", "csv")
    assert len(cut.stdout.splitlines()) == 4
    assert "there is more; shown are the first 3" in cut.stderr
    assert "there is more" not in run(home, TWO, "--limit", "3").stderr


def test_an_empty_answer_is_said(home: Path) -> None:
    nothing = run(home, "SELECT ?s { ?s ?p 'nothing' }")
    assert (nothing.stdout, nothing.stderr.splitlines()[0]) == ("s\n", "Nothing was found.")
    assert f"edition of {NEW}" in nothing.stderr
    assert "Nothing was found" not in run(home, TWO).stderr


def test_named_queries(home: Path) -> None:
    graphs = run(home, "--name", "graphs", "--format", "csv").stdout.splitlines()
    assert f"{Names().graph(NEW).value},30" in graphs
    about = run(home, "--name", "about", "--parameter", "thing=urn:s:7", "--format", "csv")
    assert about.stdout.splitlines() == ["property,value,graph", f"urn:number,7,{Names().graph(NEW).value}"]
    listed = run(home, "--list").stdout
    assert "graphs\tWhich named graphs are there" in listed
    assert "\tthing=iri: the IRI of the thing" in listed
    assert {query["name"] for query in json.loads(run(home, "--list", "--json").stdout)} >= {
        "about",
        "graphs",
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["DROP ALL"], "DROP is refused"),
        (["SELECT * { SERVICE <http://127.0.0.1/> {} }"], "SERVICE is refused"),
        (["SELECT * {\n ?s ?p }"], "line 2, column 9"),
        (["SELECT * { ?s ?p foo"], '^\nexpected one of ".", ":"'),
        (["ASK FROM <urn:none> {}"], "FROM <urn:none> is refused"),
        (["ASK FROM NAMED <urn:none> {}"], "FROM NAMED <urn:none> is refused"),
        (["--name", "about"], "needs --parameter thing=VALUE"),
        (["--name", "about", "--parameter", "thing"], "expected KEY=VALUE"),
        (["--name", "nothing"], "there is no named query 'nothing'"),
        (["SELECT * { ?s ?p ?o }", "--format", "turtle"], "cannot be written as turtle"),
        (
            [
                "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?o ?q . ?r ?t ?u }",
                "--timeout",
                "0.2",
            ],
            "did not end within 0.2 s",
        ),
    ],
)
def test_errors_are_answers(home: Path, arguments: list[str], message: str) -> None:
    result = run(home, *arguments)
    assert result.exit_code != 0
    assert message in str(result.exception)
    assert "FFFD" not in str(result.exception)


@pytest.mark.parametrize("arguments", [[], ["ASK {}", "--name", "graphs"], ["ASK {}", "--parameter", "a=b"]])
def test_one_query_at_a_time(home: Path, arguments: list[str]) -> None:
    result = run(home, *arguments)
    assert result.exit_code == 2
    assert "--name" in result.stderr


def test_every_edition_can_be_asked(home: Path) -> None:
    assert run(home, "SELECT ?n { ?s ?p ?n }", "--edition", OLD, "--format", "csv").stdout.split() == ["n", "77"]
    assert f"edition of {NEW}" in run(home, "ASK {}").stderr
    assert f"edition of {OLD}" in run(home, "ASK {}", "--edition", OLD).stderr
    for name in ("csv", "tsv", "json", "xml"):
        assert f"edition of {NEW}" in run(home, "ASK {}", "--format", name).stderr
    assert "2031-01-01" in str(run(home, "ASK {}", "--edition", "2031-01-01").exception)


OLD_GRAPH, CATALOGUE = Names().graph(OLD).value, Names().catalogue.value
ASKED = [
    (f"ASK FROM <{OLD_GRAPH}> {{}}", f"edition of {OLD}"),
    (f"PREFIX g: <{OLD_GRAPH[:-10]}> SELECT * FROM g:{OLD} {{ ?s ?p ?o }}", f"edition of {OLD}"),
    (f"BASE <{OLD_GRAPH}> ASK FROM <{NEW}> FROM <{OLD}> {{}}", f"editions of {OLD} and {NEW}"),
    (f"ASK FROM NAMED <{OLD_GRAPH}> {{ GRAPH ?g {{ ?s ?p ?o }} }}", f"edition of {OLD}"),
    (f"ASK FROM <{CATALOGUE}> {{}}", f"no edition: <{CATALOGUE}> was asked"),
    (f"ASK {{ GRAPH <{OLD_GRAPH}> {{ ?s ?p ?o }} }}", f"editions of {OLD} and {NEW}"),
    ("ASK { GRAPH ?g { ?s ?p ?o } }", f"edition of {NEW}, and by GRAPH all 2 in the store"),
    ("ASK { ?s ?p 'FROM <x> GRAPH ?g' } # FROM <y>", f"edition of {NEW}"),
]


@pytest.mark.parametrize(("query", "told"), ASKED)
def test_the_edition_told_is_the_one_that_was_asked(home: Path, query: str, told: str) -> None:
    for written in ([], ["--format", "json"]):
        result = run(home, query, *written)
        assert result.exception is None
        assert f"Comprehensive Rules, {told}\n" in result.stderr


def test_the_vocabularys_own_prefixes_need_no_declaration(home: Path) -> None:
    known = "SELECT DISTINCT ?p { GRAPH ?g { ?s a eli:Work ; ?p ?o } }"
    assert run(home, known.replace("eli:Work", "?c")).exit_code == 0
    assert run(home, known).exit_code == 0
    assert "line 1" in str(run(home, "ASK { ?s nowhere:p ?o }").exception)


def test_a_fresh_machine_answers_from_the_outline(tmp_path: Path) -> None:
    counted = run(tmp_path, "SELECT (COUNT(*) AS ?n) { ?s a sr:Chapter }", "--format", "csv").stdout.split()
    assert counted[0] == "n"
    assert int(counted[1]) > 100
