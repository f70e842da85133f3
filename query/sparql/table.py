"""Knows how an answer looks as a table: for a person at a terminal, and plain when it is piped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import IO

from pyoxigraph import Literal, NamedNode

from kb.store.results import Answer, Solutions, Term, Triples
from kb.vocabulary import XSD

_PLAIN_TYPES = frozenset((XSD.string, XSD.integer, XSD.decimal, XSD.boolean, XSD.date))


def show(answer: Answer, prefixes: Mapping[str, str], out: IO[str]) -> None:
    """Prints an answer: a coloured table on a terminal, aligned columns otherwise; `yes` or `no` for a
    truth.
    """
    if isinstance(answer, bool):
        print("yes" if answer else "no", file=out)
        return
    head, rows = _cells(answer, prefixes)
    if out.isatty():
        _show_rich(head, rows, out)
    else:
        _show_plain(head, rows, out)


def _cells(answer: Solutions | Triples, prefixes: Mapping[str, str]) -> tuple[list[str], list[list[str]]]:
    if isinstance(answer, Solutions):
        rows = [[cell(term, prefixes) for term in row] for row in answer]
        return list(answer.variables), rows
    parts = ((triple.subject, triple.predicate, triple.object) for triple in answer)
    return ["subject", "predicate", "object"], [[cell(term, prefixes) for term in row] for row in parts]


def cell(term: Term | None, prefixes: Mapping[str, str]) -> str:
    """A term as a reader wants it: a name shortened by the query's prefixes, a common literal without its
    type.

    >>> cell(NamedNode("http://e/term#cites"), {"t": "http://e/term#"})
    't:cites'
    >>> cell(Literal("7", datatype=NamedNode("http://www.w3.org/2001/XMLSchema#integer")), {}), cell(None, {})
    ('7', '')
    """
    match term:
        case None:
            return ""
        case NamedNode():
            return _shortened(term.value, prefixes)
        case Literal() if term.language:
            return f"{term.value}@{term.language}"
        case Literal() if term.datatype in _PLAIN_TYPES:
            return term.value
        case Literal():
            return f"{term.value}^^{_shortened(term.datatype.value, prefixes)}"
    return str(term)


def _shortened(name: str, prefixes: Mapping[str, str]) -> str:
    fitting = [prefix for prefix, start in prefixes.items() if start and name.startswith(start)]
    if not fitting:
        return name
    prefix = max(fitting, key=lambda prefix: len(prefixes[prefix]))
    return f"{prefix}:{name[len(prefixes[prefix]) :]}"


def _show_plain(head: Sequence[str], rows: Sequence[Sequence[str]], out: IO[str]) -> None:
    """Columns of equal width, one line a row, whatever the texts hold."""
    lines = [[" ".join(text.split()) for text in row] for row in (head, *rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        padded = (text.ljust(width) for text, width in zip(line, widths, strict=True))
        print("  ".join(padded).rstrip(), file=out)


def _show_rich(head: Sequence[str], rows: Sequence[Sequence[str]], out: IO[str]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD)
    for name in head:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*(Text(text) for text in row))
    Console(file=out).print(table)
