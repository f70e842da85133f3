"""Knows the commands that look something up: `show`, `editions` and `history`."""

from __future__ import annotations

from dataclasses import asdict

import click

from query.commands.completion import complete_entry
from query.commands.options import answer_options, knowledge_base, print_json, wants_json


@click.command()
@click.argument("what", nargs=-1, required=True, shell_complete=complete_entry)
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


@click.command()
@click.argument("what", nargs=-1, required=True, shell_complete=complete_entry)
@answer_options
def history(what: tuple[str, ...]) -> None:
    """Tell what a rule or chapter is called in every edition in the store, and when its words changed.

    WHAT is meant in the edition of --edition, by default the newest: a citation of 2019 is asked with its own.
    Rules are recognised by their words from each edition to the next; this is inferred, not stated by the publisher.
    """
    from query.history import spans

    with knowledge_base() as base:
        found = base.history(" ".join(what))
        if wants_json():
            print_json({"edition": base.edition, "versions": [asdict(version) for version in found]})
            return
        for span in spans(found):
            dates = span.first if span.first == span.last else f"{span.first} to {span.last}"
            alike = f", {span.likeness:.0%} of the words" if span.likeness is not None and span.likeness < 1 else ""
            click.echo(f"{dates:<25} {click.style(span.key, bold=True):<10} {span.change}{alike}")
