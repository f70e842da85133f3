"""Knows the commands that look something up: `show` and `editions`."""

from __future__ import annotations

import click

from query.commands.options import answer_options, knowledge_base, print_json, wants_json


@click.command()
@click.argument("what", nargs=-1, required=True)
@answer_options
def show(what: tuple[str, ...]) -> None:
    """Show a rule, chapter, section or glossary entry with its examples and links.

    WHAT is a number ("702.7", "CR 702.7a", "Section 7"), a keyword ("first strike"), a chapter title or a glossary
    term.
    """
    with knowledge_base() as base:
        entry = base.show(" ".join(what))
        if wants_json():
            print_json(entry.as_json())
            return
    from query.render import entry_text

    click.echo(entry_text(entry))


@click.command()
@answer_options
def editions() -> None:
    """List the editions in the store, oldest first."""
    with knowledge_base() as base:
        if wants_json():
            print_json({"editions": list(base.editions), "current": base.editions[-1]})
            return
        for edition in base.editions:
            click.echo(edition)
