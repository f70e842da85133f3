"""Knows the command `rulings`."""

from __future__ import annotations

from dataclasses import asdict

import click

from kb.errors import SeeruleError
from query.commands.options import (
    COUNT,
    answer_options,
    format_option,
    knowledge_base,
    origin,
    print_edition,
    print_json,
    wants_json,
    wants_markdown,
)
from query.knowledge_base import KnowledgeBase


@click.command()
@click.option("--card", "card_name", metavar="NAME", help="The rulings on this card.")
@click.option("--rule", metavar="NUMBER", help="The rulings that print this rule's number or name what it defines.")
@click.option("--limit", type=COUNT, default=20, show_default=True, help="How many to show; with --card all are shown.")
@format_option
@answer_options
def rulings(card_name: str | None, rule: str | None, limit: int) -> None:
    """List official rulings: those on a card, or those that lead to a rule, with what leads there.

    A rule whose number a ruling prints is cited by it; what a ruling names was inferred, with a confidence.
    """
    if card_name is not None and rule is not None:
        raise SeeruleError("--card and --rule are two questions: ask for the rulings on a card, or for those on a rule")
    if card_name is None and rule is None:
        raise SeeruleError("name a card or a rule: seerule rulings --card NAME, or seerule rulings --rule 702.111")
    with knowledge_base() as base:
        _rulings(base, card_name, rule, limit)


def _rulings(base: KnowledgeBase, card_name: str | None, rule: str | None, limit: int) -> None:
    if card_name is not None:
        found = base.cards.rulings.on_card(base.cards.find(card_name))
        total = len(found)
    else:
        found, total = base.cards.rulings.by_rule(base.lookup.find(rule or "")[0], limit)
    if wants_json():
        read = {"read_by": base.cards.reading.date}
        print_json(origin(base) | read | {"total": total, "rulings": [asdict(ruling) for ruling in found]})
        return
    from query.card_text import Style, editions_read, ruling_items

    style = Style(wants_markdown())
    for line in ruling_items(found, style):
        click.echo(line)
    click.echo(f"{len(found)} of {total:,} rulings. {editions_read(base.edition, base.cards.reading.date, style)}")
    if base.lookup.is_outline:
        print_edition(base)
