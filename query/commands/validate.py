"""Knows the command `validate`: an edition's graph, or all of them, held to the contract of the graph."""

from __future__ import annotations

from dataclasses import asdict

import click

from query.commands.completion import complete_edition
from query.commands.options import home_option, json_option, print_json, settings, wants_json
from query.knowledge_base import KnowledgeBase


@click.command()
@click.option(
    "--edition",
    metavar="DATE",
    shell_complete=complete_edition,
    help="The edition, by its date as YYYY-MM-DD; by default all.",
)
@click.option("--shapes", is_flag=True, help="By SHACL (pySHACL, seconds an edition); by default the newest edition.")
@home_option
@json_option
@click.pass_context
def validate(ctx: click.Context, edition: str | None, shapes: bool) -> None:
    """Print what is wrong with the graph of the store's editions.

    A violation says that the graph or the file behind it is broken, a warning that the structure has a slip as official
    editions have some, and an info that the publisher made a mistake which the graph records. Exit status 1 where
    there is a violation or a warning.
    """
    from kb import validation

    with KnowledgeBase.open(settings()["home"], edition) as base:
        if shapes:
            from kb.shapes import validate_shapes

            asked: tuple[str, ...] = (base.edition,)
            results = validate_shapes(base.store, base.edition, base.names)
        else:
            asked = base.editions if edition is None else (edition,)
            results = validation.validate(base.store, edition, base.names)
    if wants_json():
        print_json({"editions": asked, "results": [asdict(result) for result in results]})
    else:
        for result in results:
            click.echo(f"{result.edition} {result}")
        click.echo(_summary(asked, [result.severity for result in results], validation.SEVERITIES))
    ctx.exit(0 if all(result.severity == "info" for result in results) else 1)


def _summary(editions: tuple[str, ...], found: list[str], severities: tuple[str, ...]) -> str:
    """The counts as a sentence.

    >>> _summary(("2026-09-25",), ["warning", "info", "info"], ("violation", "warning", "info"))
    'edition of 2026-09-25: 0 violations, 1 warning, 2 infos'
    """
    held = f"edition of {editions[0]}" if len(editions) == 1 else f"{len(editions)} editions"
    counts = ((found.count(severity), severity) for severity in severities)
    return f"{held}: {', '.join(f'{count} {severity}' + 's' * (count != 1) for count, severity in counts)}"
