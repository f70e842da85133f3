"""Knows the command `search`."""

from __future__ import annotations

from dataclasses import replace

import click

from kb.errors import SeeruleError
from query.commands.options import (
    answer_options,
    knowledge_base,
    origin,
    print_edition,
    print_json,
    wants_json,
)
from query.search import KINDS, Filters, Found, Hit

_ALSO = 6


@click.command()
@click.argument("what", nargs=-1)
@click.option("--kind", type=click.Choice(KINDS), help="Only rules, glossary entries, examples or rulings.")
@click.option("--section", default="", metavar="NUMBER", help="Only what stands under a section or chapter: 7, 702.")
@click.option("--card", metavar="NAME", help="The rules of a card's keywords, and the rulings on it.")
@click.option("--limit", default=10, show_default=True, type=click.IntRange(min=1), help="How many hits at most.")
@click.option("--chapter", is_flag=True, help="The whole chapter of the best hit.")
@answer_options
def search(what: tuple[str, ...], kind: str | None, section: str, card: str | None, limit: int, chapter: bool) -> None:
    """Search rules, examples, glossary entries, rulings and the keywords of cards.

    WHAT is a number ("702.7": the rule, then what cites it), a keyword, title or glossary term, words, a question,
    "a phrase" in quotation marks, or -word for what must not be there.
    """
    if not "".join(what).strip("* ") and card is None:
        raise SeeruleError("there is nothing to search for: give words, a number, or --card NAME")
    with knowledge_base() as base:
        found = base.search(" ".join(what), Filters(kind, section, card, limit))
        hits = base.searching.chapter(found.hits[0].key) if chapter and found.hits else found.hits
        found = replace(found, hits=hits)
        if wants_json():
            print_json(found.as_json() | origin(base))
            return
        click.echo(found_text(found))
        print_edition(base)


def found_text(found: Found) -> str:
    """What a search found, as a page: each hit with its number, its titles, and the passage with the words marked."""
    from query.citation import written

    lines = [f"Nothing for {found.search!r}; searched for {found.asked!r}."] if found.asked != found.search else []
    if not found.hits:
        lines.append(f"Nothing found for {found.asked!r} in the rules of {written(found.edition)}.")
    lines += [_hit_text(hit) for hit in found.hits]
    if found.more:
        lines.append(f"{found.more} more: --limit {len(found.hits) + found.more}")
    return "\n\n".join(lines)


def _hit_text(hit: Hit) -> str:
    from query.render import filled

    named = {"glossary": f"Glossary: {hit.heading}", "ruling": f"Ruling on {hit.heading}"}
    name = (named | {"card": f"{hit.key}  {hit.heading}"}).get(hit.kind)
    name = name or (f"{hit.key} example" if hit.kind == "example" else hit.key)
    where = f"  {hit.heading}" if hit.kind in ("rule", "example") else ""
    why = "" if hit.why == "words" else f"  ({hit.why})"
    also = f"\n  also {_some(hit.also)}" if hit.also else ""
    return f"{click.style(name, bold=True)}{where}{click.style(why, dim=True)}\n{filled(_marked(hit), '  ')}{also}"


def _marked(hit: Hit) -> str:
    """The text with the words that were sought in bold."""
    parts, at = [], 0
    for start, end in hit.marks:
        parts += [hit.text[at:start], click.style(hit.text[start:end], bold=True, underline=True)]
        at = end
    return "".join([*parts, hit.text[at:]])


def _some(names: tuple[str, ...]) -> str:
    """The first of many, and how many more there are."""
    more = f" and {len(names) - _ALSO} more" if len(names) > _ALSO else ""
    return ", ".join(names[:_ALSO]) + more
