"""Knows the named queries: a file each, with its question in English and its parameters as terms."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TypeAlias

from pyoxigraph import Literal, NamedNode

from kb.store.words import fill, parameters, tokens
from kb.vocabulary import XSD
from query.sparql.errors import BadNamedQuery, BadParameter, UnknownQuery

FOLDER = Path(__file__).parent

_DECLARATION = re.compile(r"parameter (\w+)(?: \((\w+)\))?(?: = (.*?))?: (.+)")

Value: TypeAlias = NamedNode | Literal


def _string(text: str) -> Value:
    return Literal(text)


def _integer(text: str) -> Value:
    return Literal(str(int(text)), datatype=XSD.integer)


def _date(text: str) -> Value:
    return Literal(date.fromisoformat(text).isoformat(), datatype=XSD.date)


def _iri(text: str) -> Value:
    node = NamedNode(text.removeprefix("<").removesuffix(">"))
    if re.search(r"[\x00-\x20<>\"{}|^`\\]", node.value):
        raise ValueError("a character that no IRI holds")
    return node


KINDS: Mapping[str, tuple[str, Callable[[str], Value]]] = {
    "string": ("a text", _string),
    "integer": ("a whole number", _integer),
    "date": ("a date like 2026-09-25", _date),
    "iri": ("an absolute IRI", _iri),
}
"""The kinds of parameters: what to call one, and how its term is made from what the user wrote."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A place `$name` in a named query; `default` is None where a value must be given."""

    name: str
    kind: str
    meaning: str
    default: str | None = None

    def term(self, text: str) -> Value:
        """The value as a term; raises `BadParameter` where it is none of this kind.

        >>> str(Parameter("n", "integer", "how many").term("07"))
        '"7"^^<http://www.w3.org/2001/XMLSchema#integer>'
        """
        called, make = KINDS[self.kind]
        try:
            return make(text)
        except ValueError:
            raise BadParameter(f"parameter {self.name}: expected {called}, got {text!r}") from None


@dataclass(frozen=True, slots=True)
class NamedQuery:
    """A query with a name, the question that it answers, and its parameters in order."""

    name: str
    question: str
    parameters: tuple[Parameter, ...]
    sparql: str

    @classmethod
    def parse(cls, name: str, text: str) -> NamedQuery:
        """A query as its file is written: comment lines with the question and the parameters, then SPARQL.

        A parameter is declared as `# parameter NAME: meaning`, with `(KIND)` of `KINDS` after the name
        where it is no text and `= VALUE` where it has a default, and stands in the query as `$NAME`, which
        is nowhere selected. Raises `BadNamedQuery`.

        >>> text = '''# Which rules bear this number?
        ... # parameter number = 702.7: a rule number
        ... SELECT ?rule { ?rule <urn:number> $number }'''
        >>> NamedQuery.parse("numbered", text).filled({}).splitlines()[-1]
        'SELECT ?rule { ?rule <urn:number> "702.7" }'
        """
        said = [line.lstrip("# ").rstrip() for line in _leading_comment(text)]
        declared = [line for line in said if line.startswith("parameter ")]
        question = " ".join(line for line in said if line and line not in declared)
        if not question:
            raise BadNamedQuery(f"{name}.rq does not begin with its question as a comment")
        query = cls(name, question, tuple(_declared(name, line) for line in declared), text)
        query._check_places()
        return query

    def _check_places(self) -> None:
        declared, used = {parameter.name for parameter in self.parameters}, set(parameters(self.sparql))
        if wrong := sorted(declared ^ used):
            fault = "never declared" if wrong[0] in used else "declared and never used"
            raise BadNamedQuery(f"{self.name}.rq: parameter {wrong[0]} is {fault}")

    def filled(self, values: Mapping[str, str]) -> str:
        """The query with its parameters filled in; raises `BadParameter`."""
        known = {parameter.name: parameter for parameter in self.parameters}
        if unknown := [name for name in values if name not in known]:
            has = ", ".join(known) or "none"
            raise BadParameter(f"query {self.name} has no parameter {unknown[0]!r}; its parameters: {has}")
        given = {name: values.get(name, parameter.default) for name, parameter in known.items()}
        if missing := [known[name] for name, text in given.items() if text is None]:
            first = missing[0]
            raise BadParameter(f"query {self.name} needs --parameter {first.name}=VALUE ({first.meaning})")
        return fill(self.sparql, {name: known[name].term(text) for name, text in given.items() if text is not None})


def _leading_comment(text: str) -> list[str]:
    lines = []
    for kind, part in tokens(text):
        if kind == "comment":
            lines.append(part)
        elif not part.isspace():
            break
    return lines


def _declared(name: str, line: str) -> Parameter:
    said = _DECLARATION.fullmatch(line)
    if said is None:
        raise BadNamedQuery(f"{name}.rq: expected 'parameter NAME (KIND) = DEFAULT: meaning', got {line!r}")
    parameter, kind, default, meaning = said.groups()
    if kind not in {None, *KINDS}:
        raise BadNamedQuery(f"{name}.rq: parameter {parameter} is of no known kind {kind!r}; use {', '.join(KINDS)}")
    return Parameter(parameter, kind or "string", meaning, default)


def named_queries(folder: Path = FOLDER) -> dict[str, NamedQuery]:
    """Every named query, by name; raises `BadNamedQuery` where one is not written as it must be.

    >>> named_queries()["graphs"].question
    'Which named graphs are there, and how many triples does each hold?'
    """
    return {path.stem: _read(path) for path in sorted(folder.glob("*.rq"))}


def named_query(name: str, folder: Path = FOLDER) -> NamedQuery:
    """The query of this name; raises `UnknownQuery` with those of a like name."""
    known = {path.stem: path for path in sorted(folder.glob("*.rq"))}
    if name not in known:
        raise UnknownQuery(name, tuple(known))
    return _read(known[name])


def _read(path: Path) -> NamedQuery:
    return NamedQuery.parse(path.stem, path.read_text(encoding="utf-8"))
