"""Knows the commands that follow references: `links`, `path`, `hubs` and `references`."""

from __future__ import annotations

from dataclasses import asdict

import click

from query.commands.completion import complete_entry
from query.commands.options import answer_options, knowledge_base, origin, print_edition, print_json, wants_json
from query.follow import Direction, Hop, Reached


@click.command()
@click.argument("what", nargs=-1, required=True, shell_complete=complete_entry)
@click.option("--in", "inward", is_flag=True, help="Only the links that lead to it.")
@click.option("--out", "outward", is_flag=True, help="Only the links that lead out of it.")
@click.option("--depth", type=click.IntRange(1, 9), default=1, show_default=True, help="How many steps to go.")
@answer_options
def links(what: tuple[str, ...], inward: bool, outward: bool, depth: int) -> None:
    """List the references out of an entry and into it, its subrules included, with the words that make them."""
    chosen: list[Direction] = ["out"] if outward and not inward else ["in"] if inward and not outward else ["out", "in"]
    with knowledge_base() as base:
        found = {direction: list(base.links(" ".join(what), direction, depth)) for direction in chosen}
        if wants_json():
            said = {side: [{"depth": at.depth, **asdict(at.link)} for at in reached] for side, reached in found.items()}
            print_json(origin(base) | said)
            return
        for direction, reached in found.items():
            click.echo(click.style({"out": "Leads to", "in": "Cited by"}[direction], bold=True))
            click.echo("\n".join(_reached_lines(reached, direction)) or "  nothing")
        print_edition(base)


def _reached_lines(reached: list[Reached], direction: Direction) -> list[str]:
    from query.render import other_end, quoted

    lines = []
    for at in reached:
        near, far = at.link.source, other_end(at.link, outward=direction == "out")
        ends = f"{near} → {far}" if direction == "out" else f"{far} → {at.link.target}"
        lines.append(f"{'  ' * at.depth}{ends}  {quoted(at.link)}")
    return lines


@click.command()
@click.argument("start", shell_complete=complete_entry)
@click.argument("end", shell_complete=complete_entry)
@answer_options
def path(start: str, end: str) -> None:
    """Show the shortest chain of references from START to END, each step with the words that make it."""
    with knowledge_base() as base:
        hops = base.path(start, end)
        if wants_json():
            print_json(origin(base) | {"hops": [asdict(hop) for hop in hops]})
            return
        click.echo(click.style(str(hops[0].source), bold=True))
        for hop in hops:
            click.echo(_hop_line(hop))
        print_edition(base)


def _hop_line(hop: Hop) -> str:
    from query.render import quoted

    evidence = f"  {quoted(hop.link)}" if hop.link else ""
    return f"  {hop.step} {click.style(str(hop.target), bold=True)}{evidence}"


@click.command()
@click.option("--count", type=click.IntRange(1, 10_000), default=20, show_default=True, help="How many to list.")
@answer_options
def hubs(count: int) -> None:
    """List the most cited rules, with the number of rules and glossary entries that cite each."""
    with knowledge_base() as base:
        found = base.hubs(count)
        if wants_json():
            print_json(origin(base) | {"hubs": [asdict(hub) for hub in found]})
            return
        for hub in found:
            click.echo(f"{hub.cited_by:5}  {hub.entry}")
        print_edition(base)


@click.command()
@answer_options
def references() -> None:
    """Print every reference of the rules and their examples: SOURCE, a tab, TARGET; ranges are expanded.

    A reference whose target does not exist is printed as the text has it. References to sections are left out.
    """
    with knowledge_base() as base:
        pairs = base.references()
        if wants_json():
            print_json(origin(base) | {"references": [{"source": a, "target": b} for a, b in pairs]})
            return
        print_edition(base, err=True)  # first: whoever reads the lines may stop early
        click.echo("".join(f"{source}\t{target}\n" for source, target in pairs), nl=False)
