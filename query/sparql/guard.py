"""Knows what a query of somebody else's may not do: change anything, or reach for anything outside the
store.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from pyoxigraph import Store

from kb.store.errors import QuerySyntaxError
from kb.store.oxigraph import syntax_error
from kb.store.words import UPDATE_FORMS, form, keywords, tokens
from query.sparql.errors import QueryRefused

DEEPEST = 200
"""How deep the brackets of a query may be nested; parsers end badly at some hundreds or thousands."""

_CUES = tuple(sorted({"SERVICE", "FROM", "\\U"} | UPDATE_FORMS - {"WITH"}))
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_CLOSEST = 3


def check(sparql: str, graphs: Callable[[], Collection[str]]) -> None:
    """Returns when a query only reads, and reads only from the store; `graphs` gives the names of its graphs.

    Raises `QueryRefused` for an update in any form, for SERVICE anywhere, and for FROM with a graph that the
    store does not have; raises `QuerySyntaxError` for what is no SPARQL query. What is allowed is decided
    from the parsed query. Where no suspicious word occurs anywhere, not even inside a string, there is
    nothing to decide, and the costly parse is left out.
    """
    _check_text(sparql)
    _check_form(sparql)
    _check_depth(sparql)
    if not is_suspicious(sparql):
        return
    escaped = _ESCAPE.search(sparql)  # which the engine reads in names and strings only, others anywhere
    if not escaped and (complaint := _complaint(sparql)):
        raise complaint
    services = _keyword_count(sparql, "SERVICE")
    said = _dataset_and_services(sparql) if not services else _Said()
    if said.services or services:
        raise QueryRefused("SERVICE", "a query is answered from this store alone, never by asking another")
    if len(said.graphs) != _keyword_count(sparql, "FROM"):
        raise QueryRefused("this query", "its FROM clauses can be read in two ways; write it more plainly")
    if said.graphs:
        for word in ("FROM", "FROM NAMED"):
            check_graphs([name for clause, name in said.graphs if clause == word], graphs(), word)


def is_suspicious(sparql: str) -> bool:
    r"""Whether a text could hold anything to refuse; errs only towards yes.

    Letters that some parser takes for the plain ones count as those, and so does any codepoint escape.

    >>> [is_suspicious(text) for text in ("ASK { ?s ?p 7 }", "ASK { ?s ?p 'a service' }", r"ASK { \u0053 }")]
    [False, True, True]
    """
    capitals = sparql.upper()
    return any(cue in capitals for cue in _CUES)


def _check_text(sparql: str) -> None:
    """Refuses what no encoding of Unicode can hold: half of a surrogate pair, as from bytes that are no UTF-8."""
    try:
        sparql.encode()
    except UnicodeEncodeError as error:
        before = sparql[: error.start]
        line, column = before.count("\n") + 1, error.start - before.rfind("\n")
        raise QuerySyntaxError(
            f"line {line}, column {column}: {sparql[error.start]!r} is no character; write the query in UTF-8"
        ) from None


def _check_form(sparql: str) -> None:
    found = form(sparql)
    if found in UPDATE_FORMS:
        raise QueryRefused(found, "queries only read; the content of a store comes from `seerule build`")
    if not found:
        raise _complaint(sparql) or QuerySyntaxError("expected SELECT, ASK, CONSTRUCT or DESCRIBE")


def _check_depth(sparql: str) -> None:
    depth = 0
    for kind, text in tokens(sparql):
        if kind == "other":
            depth += (text in "{([") - (text in "})]")
            if depth > DEEPEST:
                raise QueryRefused("this query", f"its brackets are nested more than {DEEPEST} deep")


def _keyword_count(sparql: str, keyword: str) -> int:
    """How often a keyword stands in the text, read with and without its codepoint escapes decoded.

    The specification decodes them before anything else, most engines only where a name or string may stand.
    """
    decoded = _ESCAPE.sub(lambda escape: _character(escape[1] or escape[2]), sparql)
    return max(list(keywords(text)).count(keyword) for text in (sparql, decoded))


def _character(code: str) -> str:
    number = int(code, 16)
    return chr(number) if number < 0x110000 else " "


class _Said:
    """What a parsed query says about where it reads from."""

    def __init__(self) -> None:
        self.graphs: list[tuple[str, str]] = []
        self.services = 0


def _dataset_and_services(sparql: str) -> _Said:
    """The graphs of FROM and FROM NAMED as absolute names after these words, and the number of SERVICE patterns."""
    from pyparsing import ParseBaseException
    from rdflib.plugins.sparql.algebra import translatePrologue
    from rdflib.plugins.sparql.parser import parseQuery

    try:
        prologue_part, query = parseQuery(sparql)
        prologue = translatePrologue(prologue_part, None)
        said = _Said()
        for node in _nodes(query):
            if node.name == "ServiceGraphPattern":
                said.services += 1
            elif node.name == "DatasetClause":
                word = "FROM" if node.default else "FROM NAMED"
                said.graphs.append((word, str(prologue.absolutize(node.default or node.named))))
        return said
    except ParseBaseException:
        raise _complaint(sparql) or QuerySyntaxError(
            "it ends too early, or is written in a newer SPARQL than 1.1, which cannot be checked"
        ) from None
    except RecursionError:
        raise QueryRefused("this query", "it is nested too deep to be checked") from None
    except Exception as error:  # rdflib raises bare Exception and ValueError for a bad name, base or escape
        raise _complaint(sparql) or QueryRefused("this query", f"it cannot be checked: {error}") from None


def _nodes(part: Any) -> Iterator[Any]:
    """Every node of rdflib's parse tree, without recursion."""
    from pyparsing import ParseResults
    from rdflib.plugins.sparql.parserutils import CompValue

    waiting = [part]
    while waiting:
        node = waiting.pop()
        if isinstance(node, CompValue):
            yield node
            waiting += node.values()
        elif isinstance(node, list | tuple | ParseResults):
            waiting += list(node)


def _complaint(sparql: str) -> QuerySyntaxError | None:
    """What the engine has to say against the syntax of a text, which is not evaluated; None where it is
    content.

    The character added at the end is allowed nowhere in SPARQL: parsing always fails, and only a failure
    before that character is one of the text itself.
    """
    try:
        Store().query(f"{sparql}\n\0")
    except SyntaxError as error:
        complaint = syntax_error(error, sparql)
        lines = sparql.count("\n") + 2
        return None if complaint.line >= lines else complaint
    raise AssertionError("a text with a NUL character was accepted as a query")


def check_graphs(asked: Sequence[str], known: Collection[str], word: str = "FROM") -> None:
    """Returns when every graph that was `asked` for is `known`; raises `QueryRefused` with those of a like name.

    `word` is what stood before the name, for the message.
    """
    missing = [name for name in asked if name not in known]
    if missing:
        import difflib

        close = difflib.get_close_matches(missing[0], known, n=_CLOSEST) or sorted(known)[:_CLOSEST]
        hint = f"; its graphs are such as {', '.join(f'<{name}>' for name in close)}" if close else ""
        raise QueryRefused(f"{word} <{missing[0]}>", f"the store has no such graph, and nothing is fetched{hint}")
