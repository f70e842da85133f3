"""Knows the command `seerule sparql`: a query from the command line, a file, standard input or by its
name.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path

import click

from kb.errors import SeeruleError
from kb.store import Triples, open_store
from kb.store.words import prefixes
from query.sparql import formats
from query.sparql.errors import BadParameter
from query.sparql.evaluate import Evaluator
from query.sparql.named import named_queries, named_query
from query.sparql.table import show

FORMATS = ("table", *formats.ROWS, *formats.TRIPLES)


@click.command()
@click.argument("query", required=False)
@click.option("--name", metavar="NAME", help="Ask the named query NAME.")
@click.option("--parameter", "given", multiple=True, metavar="KEY=VALUE", help="Fill in a parameter of it.")
@click.option("--list", "listing", is_flag=True, help="List the named queries with their questions.")
@click.option("--format", "format", type=click.Choice(FORMATS), help="How to write the answer.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="End the query after so many seconds.",
)
@click.option("--limit", type=click.IntRange(min=0), metavar="ROWS", help="Leave out what is beyond ROWS rows.")
def sparql(
    query: str | None,
    name: str | None,
    given: tuple[str, ...],
    listing: bool,
    format: str | None,
    as_json: bool,
    timeout: float,
    limit: int | None,
) -> None:
    """Ask a SPARQL query: QUERY is its text, the name of a file that holds it, or - for standard input.

    Queries only read. Without FROM they see the current edition, the cards and the rulings; every graph is
    open to GRAPH. The default format is a table, and Turtle for CONSTRUCT and DESCRIBE.
    """
    chosen = format or ("json" if as_json else None)
    if listing:
        _list(chosen == "json")
        return
    _ask(_text(query, name, given), chosen, timeout, limit)


def _text(query: str | None, name: str | None, given: tuple[str, ...]) -> str:
    """The text of the query that was asked for, in one way and one only."""
    if (query is None) == (name is None):
        raise click.UsageError("give a query, a file or -, or the name of a query with --name (see --list)")
    if name is not None:
        return named_query(name).filled(_values(given))
    if given:
        raise click.UsageError("--parameter belongs to --name")
    return _read(query or "")


def _values(given: tuple[str, ...]) -> dict[str, str]:
    values = {}
    for pair in given:
        key, equals, value = pair.partition("=")
        if not equals:
            raise BadParameter(f"--parameter {pair}: expected KEY=VALUE")
        values[key] = value
    return values


def _read(query: str) -> str:
    """The text itself, or that of the file or of standard input which it names."""
    if query == "-":
        return sys.stdin.read()
    if "{" in query or "\n" in query:
        return query
    if not os.path.isfile(query):
        if len(query.split()) < 2:
            raise SeeruleError(f"{query!r} is neither a query nor a file that exists")
        return query
    try:
        return Path(query).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SeeruleError(f"{query} cannot be read: {error}") from error


def _ask(text: str, format: str | None, timeout: float, limit: int | None) -> None:
    with open_store(_home()) as store, Evaluator(store, timeout=timeout) as evaluator:
        if format in (None, "table"):
            answer = evaluator.answer(text, limit=limit)
            truncated = not isinstance(answer, bool) and answer.truncated
            if format is None and isinstance(answer, Triples):
                click.echo(formats.write(answer, "turtle", prefixes(text)).body, nl=False)
            else:
                show(answer, prefixes(text), sys.stdout)
        else:
            written = evaluator.written(text, format, limit=limit)
            truncated = written.truncated
            body = written.body if written.body.endswith(b"\n") else written.body + b"\n"
            click.echo(body, nl=False)
        if truncated:
            click.echo(f"seerule: there is more; shown are the first {limit} (--limit)", err=True)


def _home() -> str | None:
    """The home that the whole program was told to use, if any."""
    told = click.get_current_context().obj
    home = told.get("home") if isinstance(told, Mapping) else None
    return str(home) if home else None


def _list(as_json: bool) -> None:
    queries = named_queries().values()
    if as_json:
        said = [
            {
                "name": query.name,
                "question": query.question,
                "parameters": [
                    {"name": p.name, "kind": p.kind, "meaning": p.meaning, "default": p.default}
                    for p in query.parameters
                ],
            }
            for query in queries
        ]
        click.echo(json.dumps(said, indent=2, ensure_ascii=False))
        return
    for query in queries:
        click.echo(f"{query.name}\t{query.question}")
        for p in query.parameters:
            default = f", {p.default} if not given" if p.default is not None else ""
            click.echo(f"\t{p.name}={p.kind}: {p.meaning}{default}")
