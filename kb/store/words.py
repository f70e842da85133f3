"""Knows where the words of a SPARQL text are: its keywords and variables, told from strings, IRIs and
comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

from pyoxigraph import Literal, NamedNode

from kb.store.errors import UnknownParameter

QUERY_FORMS = frozenset({"SELECT", "ASK", "CONSTRUCT", "DESCRIBE"})
UPDATE_FORMS = frozenset(
    {"INSERT", "DELETE", "WITH", "LOAD", "CLEAR", "DROP", "CREATE", "COPY", "MOVE", "ADD"},
)

# Every character beyond ASCII but a space counts as one of a name: engines differ little there, and the exact
# ranges would take 60 ms to compile.
_LETTER = r"[^\x00-\x40\x5B-\x60\x7B-\x7F\s]"
_PLAIN = r"[^\x00-\x2F\x3A-\x40\x5B-\x5E\x60\x7B-\x7F\s]"  # a letter, a digit or _
_NAME = r"[^\x00-\x2C\x2E\x2F\x3A-\x40\x5B-\x5E\x60\x7B-\x7F\s]"  # or -
_NAMES = r"[^\x00-\x2C\x2F\x3A-\x40\x5B-\x5E\x60\x7B-\x7F\s]{0,250}"  # or a point; bounded against quadratic time
_LOCAL = rf"(?:{_NAME}|[:]|%[0-9A-Fa-f]{{2}}|\\[_~.\-!$&'()*+,;=/?#@%])"

# The terminals of https://www.w3.org/TR/sparql11-query/#sparqlGrammar, longest first.
_QUOTED = r"""
      (?P<string>   '''(?:(?:'|'')?(?:[^'\\]|\\.))*''' | \"\"\"(?:(?:"|"")?(?:[^"\\]|\\.))*\"\"\"
                  | '(?:[^'\\\r\n]|\\[^\r\n])*' | "(?:[^"\\\r\n]|\\[^\r\n])*" )
    | (?P<unclosed> ['"][^\r\n]* ) |"""
_UNQUOTED = rf"""
      (?P<comment>  \#[^\r\n]* )
    | (?P<iri>      <(?:[^<>"{{}}|^`\\\x00-\x20]|\\u[0-9A-Fa-f]{{4}}|\\U[0-9A-Fa-f]{{8}})*> )
    | (?P<variable> [?$]{_PLAIN}+ )
    | (?P<blank>    _:{_PLAIN}(?:{_NAMES}{_NAME})? )
    | (?P<name>     (?:{_LETTER}(?:{_NAMES}{_NAME})?)?:
                    (?:(?!-){_LOCAL}(?:(?:{_LOCAL}|\.)*{_LOCAL})?)? )
    | (?P<language> @[A-Za-z]+(?:-[A-Za-z0-9]+)* )
    | (?P<word>     [A-Za-z_]+[A-Za-z_0-9]* )
    | (?P<other>    . )"""
_TOKEN = re.compile(_QUOTED + _UNQUOTED, re.VERBOSE | re.DOTALL)
_TOKEN_OF_UNCLOSED = re.compile(_UNQUOTED, re.VERBOSE | re.DOTALL)


def tokens(sparql: str) -> Iterator[tuple[str, str]]:
    """The parts of a SPARQL text in order, as (kind, text); joined they are the text again.

    A word of kind `word` is always a keyword or the name of a built-in function: nothing else may stand bare.

    >>> [text for kind, text in tokens("ASK { ?s ex:from 'SERVICE' } # FROM") if kind == "word"]
    ['ASK']
    """
    for token in _TOKEN.finditer(sparql):
        if token.lastgroup != "unclosed":
            yield token.lastgroup or "other", token[0]
            continue
        # A quote that nothing closes hides nothing: what follows on its line counts as words.
        for part in _TOKEN_OF_UNCLOSED.finditer(token[0]):
            yield part.lastgroup or "other", part[0]


def keywords(sparql: str) -> Iterator[str]:
    """The bare words of a SPARQL text, in capitals.

    >>> list(keywords("prefix ex: <http://select/> select * from ex:ask {}"))
    ['PREFIX', 'SELECT', 'FROM']
    """
    return (text.upper() for kind, text in tokens(sparql) if kind == "word")


def form(sparql: str) -> str:
    """The keyword that says what a SPARQL text does: `SELECT`, `ASK`, `INSERT`, ... or the empty string.

    >>> form("BASE <http://x/> PREFIX p: <y> ASK { }"), form("LOAD <http://x/>"), form("?")
    ('ASK', 'LOAD', '')
    """
    first = next((word for word in keywords(sparql) if word not in {"PREFIX", "BASE", "VERSION"}), "")
    return first if first in QUERY_FORMS | UPDATE_FORMS else ""


def mentions(sparql: str, keyword: str) -> bool:
    """Whether `keyword` (in capitals) stands in a SPARQL text as a keyword.

    >>> mentions("SELECT * FROM <g> {}", "FROM"), mentions("SELECT * { ?from ?p 'from' }", "FROM")
    (True, False)
    """
    return keyword.lower() in sparql.lower() and keyword in keywords(sparql)


@lru_cache(maxsize=256)
def _template(sparql: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A text cut at its `$name` variables: the pieces between them, and the names."""
    pieces, names = [""], []
    for kind, text in tokens(sparql):
        if kind == "variable" and text[0] == "$":
            names.append(text[1:])
            pieces.append("")
        else:
            pieces[-1] += text
    return tuple(pieces), tuple(names)


def parameters(sparql: str) -> tuple[str, ...]:
    """The names written with a dollar sign, each once, in order: the places that `fill` fills.

    >>> parameters("SELECT ?s { ?s ?p $rule FILTER($rule != '$no') }")
    ('rule',)
    """
    return tuple(dict.fromkeys(_template(sparql)[1]))


def fill(sparql: str, values: Mapping[str, NamedNode | Literal]) -> str:
    r"""The text with each `$name` of `values` replaced by its term, written and escaped as SPARQL writes it.

    `?name` stays a variable, and so does a `$name` that has no value. Raises `UnknownParameter` where a value
    has no place in the text.

    >>> fill("SELECT ?s { ?s ?p $n }", {"n": Literal('7" } #')})
    'SELECT ?s { ?s ?p "7\\" } #" }'
    """
    pieces, names = _template(sparql)
    if unknown := [name for name in values if name not in names]:
        raise UnknownParameter(unknown[0], parameters(sparql))
    written = [str(values[name]) if name in values else f"${name}" for name in names]
    return pieces[0] + "".join(term + piece for term, piece in zip(written, pieces[1:], strict=True))


def prefixes(sparql: str) -> dict[str, str]:
    """The prefixes that a SPARQL text declares with absolute names, for showing its answers in the same
    words.

    >>> prefixes("PREFIX ex: <http://e/> PREFIX : <x> SELECT * {}")
    {'ex': 'http://e/'}
    """
    parts = [(kind, text) for kind, text in tokens(sparql) if kind != "comment" and not text.isspace()]
    declared = {}
    for (_, keyword), (kind, name), (_, iri) in zip(parts, parts[1:], parts[2:], strict=False):
        if keyword.upper() == "PREFIX" and kind == "name" and ":" in iri:
            declared[name[:-1]] = iri[1:-1]
    return declared


def declared(sparql: str, known: Mapping[str, str]) -> str:
    """The text with the `known` prefixes that it uses and does not declare put in front, on its first line.

    >>> declared("ASK { ?s ex:p ?o }", {"ex": "http://e/", "rdf": "http://r/"})
    'PREFIX ex: <http://e/> ASK { ?s ex:p ?o }'
    """
    names = [text.partition(":")[0] for kind, text in tokens(sparql) if kind == "name"]
    parts = [text for kind, text in tokens(sparql) if kind in ("word", "name")]
    own = {name.rstrip(":") for word, name in pairwise(parts) if word.upper() == "PREFIX"}
    missing = [name for name in dict.fromkeys(names) if name in known and name not in own]
    return "".join(f"PREFIX {name}: <{known[name]}> " for name in missing) + sparql
