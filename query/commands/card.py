"""Knows the command `card`."""

from __future__ import annotations

import click

from query.commands.options import answer_options, format_option, knowledge_base, print_json, wants_json, wants_markdown


@click.command()
@click.argument("name", nargs=-1, required=True)
@format_option
@answer_options
def card(name: tuple[str, ...]) -> None:
    """Show a card: its text with each keyword's rule, rulings, tags and legalities.

    NAME is the card's or one face's, in any case, accents and punctuation.
    """
    with knowledge_base() as base:
        entry = base.card(" ".join(name))
    if wants_json():
        print_json(entry.as_json())
        return
    from query.card_text import Style, card_text

    click.echo(card_text(entry, Style(wants_markdown())))
