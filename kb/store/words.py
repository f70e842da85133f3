"""Knows where the words of a SPARQL text are: its keywords and variables, told from strings, IRIs and
comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from pyoxigraph import Literal, NamedNode

from kb.store.errors import UnknownParameter

QUERY_FORMS = frozenset({"SELECT", "ASK", "CONSTRUCT", "DESCRIBE"})
UPDATE_FORMS = frozenset(
    {"INSERT", "DELETE", "WITH", "LOAD", "CLEAR", "DROP", "CREATE", "COPY", "MOVE", "ADD"},
)

_LETTER = r"A-Za-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C\u200D\u2070-\u218F"
_LETTER += r"\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\U00010000-\U000EFFFF"
_NAME = rf"{_LETTER}_\-0-9\u00B7\u0300-\u036F\u203F\u2040"
_LOCAL = rf"(?:[{_NAME}:]|%[0-9A-Fa-f]{{2}}|\\[_~.\-!$&'()*+,;=/?#@%])"

# The terminals of https://www.w3.org/TR/sparql11-query/#sparqlGrammar, longest first.
_TOKEN = re.compile(
    rf"""
      (?P<comment>  \#[^\r\n]* )
    | (?P<string>   '''(?:(?:'|'')?(?:[^'\\]|\\.))*''' | \"\"\"(?:(?:"|"")?(?:[^"\\]|\\.))*\"\"\"
                  | '(?:[^'\\\r\n]|\\.)*' | "(?:[^"\\\r\n]|\\.)*" )
    | (?P<iri>      <(?:[^<>"{{}}|^`\\\x00-\x20]|\\u[0-9A-Fa-f]{{4}}|\\U[0-9A-Fa-f]{{8}})*> )
    | (?P<variable> [?$][{_LETTER}_0-9][{_NAME.replace(chr(92) + "-", "")}]* )
    | (?P<blank>    _:[{_LETTER}_0-9](?:[{_NAME}.]*[{_NAME}])? )
    | (?P<name>     (?:[{_LETTER}](?:[{_NAME}.]*[{_NAME}])?)?:
                    (?:(?![\-\u00B7\u0300-\u036F\u203F\u2040]){_LOCAL}(?:(?:{_LOCAL}|\.)*{_LOCAL})?)? )
    | (?P<language> @[A-Za-z]+(?:-[A-Za-z0-9]+)* )
    | (?P<word>     [A-Za-z_]+[A-Za-z_0-9]* )
    | (?P<other>    . )
    """,
    re.VERBOSE | re.DOTALL,
)


def tokens(sparql: str) -> Iterator[tuple[str, str]]:
    """The parts of a SPARQL text in order, as (kind, text); joined they are the text again.

    A word of kind `word` is always a keyword or the name of a built-in function: nothing else may stand bare.

    >>> [text for kind, text in tokens("ASK { ?s ex:from 'SERVICE' } # FROM") if kind == "word"]
    ['ASK']
    """
    for token in _TOKEN.finditer(sparql):
        yield token.lastgroup or "other", token[0]


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
