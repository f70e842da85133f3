"""Knows the command `seerule sparql`: a query from the command line, a file, standard input or by its name."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import click
from pyoxigraph import NamedNode, RdfFormat

from kb.errors import SeeruleError
from kb.store import Answer, GraphStore, OxigraphStore, Solutions, Triples
from kb.store.words import declared, prefixes
from kb.vocabulary import PREFIXES
from query.commands.options import COUNT, Seconds, answer_options, knowledge_base, print_edition, print_json, wants_json
from query.knowledge_base import KnowledgeBase
from query.sparql import formats
from query.sparql.asked import editions_asked
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
@click.option(
    "--timeout",
    type=Seconds(),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="End the query after so many seconds.",
)
@click.option("--limit", type=COUNT, metavar="ROWS", help="Leave out what is beyond ROWS rows.")
@click.option(
    "--with",
    "beside",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A Turtle file that the query sees beside the edition, as `seerule ask --format ttl` writes it.",
)
@answer_options
def sparql(
    query: str | None,
    name: str | None,
    given: tuple[str, ...],
    listing: bool,
    format: str | None,
    timeout: float,
    limit: int | None,
    beside: tuple[Path, ...],
) -> None:
    """Ask a SPARQL query: QUERY is its text, the name of a file that holds it, or - for standard input.

    Queries only read. Without FROM they see the edition and what goes with it; every graph is open to GRAPH. The
    prefixes of the graph's own vocabulary need no declaration. The default format is a table, and Turtle for
    CONSTRUCT and DESCRIBE; --json is --format json.
    """
    chosen = format or ("json" if wants_json() else None)
    if listing:
        _list(chosen == "json")
        return
    _ask(_text(query, name, given), chosen, timeout, limit, beside)


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
        return _decoded("standard input", sys.stdin.buffer.read())
    if "{" in query or "\n" in query:
        return query
    if not os.path.isfile(query):
        if len(query.split()) < 2:
            raise SeeruleError(f"{query!r} is neither a query nor a file that exists")
        return query
    try:
        return _decoded(query, Path(query).read_bytes())
    except OSError as error:
        raise SeeruleError(f"{query} cannot be read: {error}") from error


def _decoded(name: str, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SeeruleError(f"{name}, line {line}: {data[error.start : error.end]!r} is not UTF-8") from error


def _ask(text: str, format: str | None, timeout: float, limit: int | None, beside: tuple[Path, ...]) -> None:
    text = declared(text, PREFIXES)
    with (
        knowledge_base() as base,
        _seen(base, beside) as store,
        Evaluator(store, timeout=timeout, prefixes=PREFIXES) as evaluator,
    ):
        graphs = [*_graphs(base), *([base.names.answers] if beside else [])]
        if format in (None, "table"):
            answer = evaluator.answer(text, limit=limit, default_graphs=graphs)
            truncated = not isinstance(answer, bool) and answer.truncated
            _print(answer, format, PREFIXES | prefixes(text))
            if isinstance(answer, Solutions) and not answer.rows:
                click.echo("Nothing was found.", err=True)
        else:
            written = evaluator.written(text, format, limit=limit, default_graphs=graphs)
            truncated = written.truncated
            click.echo(written.body.removesuffix(b"\n"))
        editions = {base.names.graph(edition).value: edition for edition in base.editions}
        print_edition(base, editions_asked(text, base.edition, editions), err=True)
        if truncated:
            click.echo(f"seerule: there is more; shown are the first {limit} (--limit)", err=True)


@contextmanager
def _seen(base: KnowledgeBase, beside: tuple[Path, ...]) -> Iterator[GraphStore]:
    """The store itself, or a copy of the edition in memory with what lies beside it."""
    if not beside:
        yield base.store
        return
    with OxigraphStore.in_memory() as store:
        store.engine.bulk_extend(base.store.quads(graph=base.names.graph(base.edition)))
        for path in beside:
            try:
                store.engine.load(path=path, format=RdfFormat.TURTLE, to_graph=base.names.answers)
            except (OSError, SyntaxError, ValueError) as error:
                raise SeeruleError(f"{path} cannot be read as Turtle: {error}") from error
        yield store


def _graphs(base: KnowledgeBase) -> list[NamedNode]:
    """What a query without FROM sees: the default graphs of the store, with the edition that was asked for."""
    editions = {base.names.graph(edition) for edition in base.editions}
    beside = [graph for graph in base.store.default_graphs if graph not in editions]
    return [base.names.graph(base.edition), *beside]


def _print(answer: Answer, format: str | None, shortening: Mapping[str, str]) -> None:
    if format is None and isinstance(answer, Triples):
        click.echo(formats.write(answer, "turtle", shortening).body, nl=False)
    else:
        show(answer, shortening, sys.stdout)


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
        print_json(said)
        return
    for query in queries:
        click.echo(f"{query.name}\t{query.question}")
        for p in query.parameters:
            default = f", {p.default} if not given" if p.default is not None else ""
            click.echo(f"\t{p.name}={p.kind}: {p.meaning}{default}")
