"""Knows the command `export`: an edition's named graph in a format of RDF."""

from __future__ import annotations

import sys

import click

from query.commands.options import edition_option, home_option, knowledge_base

_FORMATS = {"turtle": "TURTLE", "nquads": "N_QUADS", "ntriples": "N_TRIPLES", "trig": "TRIG", "jsonld": "JSON_LD"}


@click.command()
@click.option(
    "--format", "name", type=click.Choice(list(_FORMATS)), help="The format; turtle where neither this nor --json is."
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format jsonld.")
@home_option
@edition_option
def export(name: str | None, as_json: bool) -> None:
    """Write an edition of the rules as RDF to standard output."""
    if as_json and name not in (None, "jsonld"):
        raise click.UsageError(f"--json is --format jsonld, and --format {name} is another: give one of them")
    from pyoxigraph import RdfFormat

    formats = dict(
        zip(
            _FORMATS,
            (RdfFormat.TURTLE, RdfFormat.N_QUADS, RdfFormat.N_TRIPLES, RdfFormat.TRIG, RdfFormat.JSON_LD),
            strict=True,
        )
    )
    with knowledge_base() as base:
        for piece in base.export(formats["jsonld" if as_json else name or "turtle"]):
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
