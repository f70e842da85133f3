"""Knows the command `keyword`."""

from __future__ import annotations

import click

from kb.number import RuleNumber
from query.commands.completion import complete_entry
from query.commands.options import (
    COUNT,
    answer_options,
    format_option,
    knowledge_base,
    print_json,
    wants_json,
    wants_markdown,
)
from query.errors import NoKeywords, UnknownEntry
from query.knowledge_base import KnowledgeBase


def _keyword_of(base: KnowledgeBase, asked: str) -> str:
    """The name of the keyword that the rule of that number, or of the subrule's, defines; else what was asked."""
    if RuleNumber.recognise(asked) is None:
        return asked
    key = base.lookup.find(asked)[0]
    named = (base.lookup.named(key), *reversed(base.lookup.above(key)))
    return next((one.title for one in named if one.title), asked)


@click.command()
@click.argument("name", nargs=-1, required=True, shell_complete=complete_entry)
@click.option(
    "--samples", type=COUNT, default=5, show_default=True, help="How many cards to name for each way of having it."
)
@click.option("--limit", type=COUNT, default=5, show_default=True, help="How many rulings to show.")
@format_option
@answer_options
def keyword(name: tuple[str, ...], samples: int, limit: int) -> None:
    """Show a keyword: its rule, its family, how many cards have it and how, and rulings that bear on it."""
    asked = " ".join(name)
    with knowledge_base() as base:
        try:
            entry = base.keyword(_keyword_of(base, asked), samples, limit)
        except UnknownEntry:
            if base.lookup.is_outline:
                raise NoKeywords(asked, base.edition) from None
            raise
    if wants_json():
        print_json(entry.as_json())
        return
    from query.card_text import Style, keyword_text

    click.echo(keyword_text(entry, Style(wants_markdown())))
