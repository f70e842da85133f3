"""Knows the command `export`: an edition's named graph in a format of RDF."""

from __future__ import annotations

import sys

import click

from query.commands.options import edition_option, home_option, knowledge_base

_FORMATS = {"turtle": "TURTLE", "nquads": "N_QUADS", "ntriples": "N_TRIPLES", "trig": "TRIG", "jsonld": "JSON_LD"}


@click.command()
@click.option(
    "--format", "name", type=click.Choice(list(_FORMATS)), default="turtle", show_default=True, help="The format."
)
@home_option
@edition_option
def export(name: str) -> None:
    """Write an edition of the rules as RDF to standard output."""
    from pyoxigraph import RdfFormat

    formats = dict(
        zip(
            _FORMATS,
            (RdfFormat.TURTLE, RdfFormat.N_QUADS, RdfFormat.N_TRIPLES, RdfFormat.TRIG, RdfFormat.JSON_LD),
            strict=True,
        )
    )
    with knowledge_base() as base:
        for piece in base.export(formats[name]):
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
