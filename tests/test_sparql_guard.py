"""Nothing of what is refused gets through, however it is written; what only reads is let through."""

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import Store

from kb.errors import SeeruleError
from kb.store.errors import QuerySyntaxError
from kb.store.words import UPDATE_FORMS, fill, form, keywords, mentions, tokens
from query.sparql.errors import QueryRefused
from query.sparql.guard import check, is_suspicious
from tests.tables import table

GRAPHS = ("urn:graph:a", "http://e/g")


def graphs() -> tuple[str, ...]:
    return GRAPHS


def unfolded(line: str) -> str:
    return line.replace("\\n", "\n")


REFUSED = [(unfolded(query), what) for query, what in table("sparql_refused.txt", at_least=70)]
ALLOWED = [unfolded(query) for query, _ in table("sparql_allowed.txt", at_least=30)]


@pytest.mark.parametrize(("query", "what"), REFUSED)
def test_refused(query: str, what: str) -> None:
    if what == "syntax":
        with pytest.raises(QuerySyntaxError):
            check(query, graphs)
        return
    with pytest.raises(QueryRefused) as caught:
        check(query, graphs)
    assert caught.value.what == what
    assert str(caught.value).startswith(f"{what} is refused: ")


@pytest.mark.parametrize("query", ALLOWED)
def test_allowed(query: str) -> None:
    check(query, graphs)
    assert Store().query(query) is not None


def test_every_update_form_is_in_the_table() -> None:
    assert {what for _, what in REFUSED} >= UPDATE_FORMS


def test_half_a_character_is_answered_with_its_place() -> None:
    with pytest.raises(QuerySyntaxError, match="line 2, column 9"):
        check('ASK {\n ?s ?p "\udcff" }', lambda: ())


def test_the_refusal_of_a_graph_says_which_there_are() -> None:
    with pytest.raises(QueryRefused, match=r"no such graph, and nothing is fetched; .* <urn:graph:a>"):
        check("SELECT * FROM <urn:graph:b> {}", graphs)


def test_graphs_are_asked_for_only_when_a_query_names_some() -> None:
    def asked() -> tuple[str, ...]:
        raise AssertionError("nobody needed the graphs")

    check("SELECT * { ?s ?p 'from' }", asked)


@pytest.mark.parametrize("nested", ["{" * 250, "(" * 250, "SELECT * { " + "[" * 250])
def test_deep_nesting_is_refused(nested: str) -> None:
    with pytest.raises(QueryRefused, match="nested more than 200 deep"):
        check(f"SELECT * {{ {nested}", graphs)


# --- the cue errs only towards yes -------------------------------------------------------------------------

noise = st.text(st.sampled_from("{}()<>?$:.;,'\"\\#@^*/|!= \n\tabSERVICEfromu0053x"), max_size=40)


@given(noise, st.sampled_from(["SERVICE", "FROM", "INSERT", "LOAD", "DROP", "\\u0053"]), noise, st.data())
def test_a_suspicious_word_is_never_overlooked(before: str, word: str, after: str, data: st.DataObject) -> None:
    cases = "".join(data.draw(st.sampled_from((letter.lower(), letter.upper()))) for letter in word)
    assert is_suspicious(before + cases + after)


@given(noise)
def test_what_is_not_suspicious_holds_no_such_keyword(text: str) -> None:
    if not is_suspicious(text):
        assert not {"SERVICE", "FROM"} & set(keywords(text))


# --- whatever is let through reaches for nothing -----------------------------------------------------------


@pytest.fixture(scope="module")
def listener() -> Iterator[tuple[str, list[int]]]:
    """An address that notes every connection."""
    calls: list[int] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.05)
        over = threading.Event()

        def note() -> None:
            while not over.is_set():
                try:
                    connection = listening.accept()[0]
                except TimeoutError:
                    continue
                calls.append(1)
                connection.close()

        noting = threading.Thread(target=note)
        noting.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/", calls
        over.set()
        noting.join()


def test_the_engine_would_call_out(listener: tuple[str, list[int]]) -> None:
    """Without the guard: this is what it guards against, and the listener hears it."""
    address, calls = listener
    with pytest.raises(OSError, match=r".+"):
        list(Store().query(f"SELECT * {{ SERVICE <{address}> {{ ?s ?p ?o }} }}"))
    assert calls
    calls.clear()


@st.composite
def hidings(draw: st.DrawFn) -> str:
    """A query with a SERVICE somewhere among strings, comments, escapes and names that try to hide it."""
    quote = st.sampled_from(["'", '"', "'''", '"""', "", "\\'", '\\"', "\\u0027", "\\u0022", "\\\\"])
    mark = st.sampled_from(["#", "\n", "\r", "\\u000A", "\\u0023", " . ", "<", ">", "<urn:a#b>", "{", "}", " "])
    word = st.sampled_from(["?s ?p ", "?s ?p ?o", "ex:a", "ex:a\\'", "_:b", "1", "@en", "FILTER(1<2)", "OPTIONAL"])
    hiding = st.lists(st.one_of(quote, mark, word), max_size=6).map("".join)
    service = st.sampled_from(["SERVICE", "service", "SERVICE SILENT", "\\u0053ERVICE", "SERVICE#\n"])
    head = draw(st.sampled_from(["SELECT * { ", "PREFIX ex: <urn:e> SELECT * { ", "ASK { ", "CONSTRUCT WHERE { "]))
    return f"{head}{draw(hiding)} {draw(service)} <ADDRESS> {{ ?s ?p ?o }} {draw(hiding)} }} {draw(hiding)}"


@settings(max_examples=400, deadline=None)
@given(hidings())
def test_nothing_that_is_let_through_calls_out(listener: tuple[str, list[int]], query: str) -> None:
    address, calls = listener
    query = query.replace("ADDRESS", address)
    try:
        check(query, graphs)
    except SeeruleError:
        return
    try:
        result = Store().query(query)
        for _ in result if not hasattr(result, "__bool__") else ():
            pass
    except SyntaxError:
        pass
    assert not calls, query


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_judged(text: str) -> None:
    for query in (text, f"SELECT * {{ ?s ?p ?o }} # from {text}", f"SELECT * {{ service {text}"):
        verdict = ""
        with suppress(SeeruleError):
            check(query, graphs)
            verdict = "allowed"
        assert verdict == "" or not set(keywords(query)) & {"SERVICE", "FROM"}


# --- words -------------------------------------------------------------------------------------------------


@given(st.text(max_size=80))
def test_the_tokens_are_the_text(text: str) -> None:
    assert "".join(part for _, part in tokens(text)) == text


@pytest.mark.parametrize("query", [query for query, _ in REFUSED] + ALLOWED)
def test_the_tokens_of_every_query_are_the_query(query: str) -> None:
    assert "".join(part for _, part in tokens(query)) == query


LONG = ["é", "a.", "a.é-", "<a", "'", "'''a", '"\\', "?", "a:.", "a:a.", "_:a.", "#", "@a-", "\\", "'b\\'"]


@pytest.mark.parametrize("piece", LONG)
def test_long_texts_have_no_slow_path(piece: str) -> None:
    """A quadratic reader would take hours over these."""
    text = piece * 100_000
    assert sum(len(part) for _, part in tokens(text)) == len(text)


def test_keywords_and_forms() -> None:
    assert form("SELECT * {}") == "SELECT"
    assert form("prefix select: <urn:insert> # DROP\n describe select:x") == "DESCRIBE"
    assert not mentions("SELECT * { ?s ex:from 'FROM' }", "FROM")
    assert mentions("SELECT*FROM<urn:g>{}", "FROM")
    assert list(keywords("ASK{?a<?b&&?c>?d}")) == ["ASK"]


@settings(deadline=None)
@given(st.text(st.characters(codec="utf-8"), max_size=30))
def test_no_value_leaves_its_place(value: str) -> None:
    from pyoxigraph import Literal

    text = fill("SELECT ('$x' AS ?a) ($x AS ?b) ($x AS ?c) { } # $x", {"x": Literal(value)})
    (row,) = Store().query(text)
    assert (row["a"], row["b"], row["c"]) == (Literal("$x"), Literal(value), Literal(value))
