"""Knows the options that every command has, `--home`, `--edition` and `--json`, and what they open and print."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import isnan
from typing import Any, TypeVar

import click

from query.commands.completion import complete_edition
from query.knowledge_base import KnowledgeBase

COUNT = click.IntRange(0, 1_000_000)
"""How many of something to show: no more than anybody reads, so that it fits the engine's numbers too."""

LONGEST = 86_400.0
"""A day, in seconds: the longest that a command may be told to wait."""

F = TypeVar("F", bound=Callable[..., Any])


class Seconds(click.FloatRange):
    """A number of seconds above 0, up to a day; `nan`, which compares with nothing, is none."""

    def __init__(self) -> None:
        super().__init__(min=0, max=LONGEST, min_open=True)

    def convert(self, value: Any, parameter: click.Parameter | None, ctx: click.Context | None) -> float:
        """The seconds; fails as a usage error.

        >>> Seconds().convert("0.5", None, None)
        0.5
        """
        seconds: float = super().convert(value, parameter, ctx)
        if isnan(seconds):
            self.fail(f"{value!r} is no number of seconds", parameter, ctx)
        return seconds


def _keep(ctx: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """Puts an option that was given into the context, where it outlives the command's own call."""
    if value:
        ctx.ensure_object(dict)[parameter.name] = value
    return value


def home_option(command: F) -> F:
    """`--home DIR`, on a command as on the group."""
    text = "Where the store lives; also the address of a SPARQL endpoint."
    return click.option("--home", metavar="DIR", help=text, expose_value=False, callback=_keep)(command)


def edition_option(command: F) -> F:
    """`--edition DATE`."""
    text = "The edition, by its date as YYYY-MM-DD; by default the newest."
    return click.option(
        "--edition", metavar="DATE", help=text, expose_value=False, callback=_keep, shell_complete=complete_edition
    )(command)


def json_option(command: F) -> F:
    """`--json`."""
    text = "Print the answer as JSON."
    return click.option("--json", is_flag=True, help=text, expose_value=False, callback=_keep)(command)


def format_option(command: F) -> F:
    """`--format text|md|json`; `json` is the same as `--json`."""
    choice = click.Choice(["text", "md", "json"])
    text = "How to print the answer: as text, Markdown or JSON."
    return click.option("--format", "format", type=choice, help=text, expose_value=False, callback=_keep)(command)


def answer_options(command: F) -> F:
    """The three options of every command that answers from the store."""
    return home_option(edition_option(json_option(command)))


def settings() -> dict[str, Any]:
    """The options of the running command: `home`, `edition` and `json`."""
    found: dict[str, Any] = click.get_current_context().ensure_object(dict)
    return {"home": None, "edition": None, "json": False} | found


@contextmanager
def knowledge_base() -> Iterator[KnowledgeBase]:
    """The knowledge base that the running command's options name."""
    chosen = settings()
    with KnowledgeBase.open(chosen["home"], chosen["edition"]) as base:
        yield base


def wants_json() -> bool:
    """Whether the running command was asked for JSON."""
    return bool(settings()["json"]) or settings().get("format") == "json"


def wants_markdown() -> bool:
    """Whether the running command was asked for Markdown."""
    return settings().get("format") == "md"


def print_edition(base: KnowledgeBase, editions: str = "", *, err: bool = False) -> None:
    """Prints of which edition an answer is, and that the official text is not loaded where it is not.

    `editions` says it where more or others were asked than the chosen one; `err` puts the line on standard error, for
    an answer in a format that other programs read.
    """
    from query.render import NO_TEXT, edition_line

    said = editions or f"edition of {base.edition}"
    click.echo(edition_line(said, NO_TEXT if base.lookup.is_outline else ""), err=err)


def origin(base: KnowledgeBase) -> dict[str, Any]:
    """The same for JSON: `edition`, and `outline` where the official text is not loaded."""
    return {"edition": base.edition, "outline": base.lookup.is_outline}


def print_json(answer: Any) -> None:
    """Prints a JSON document, its keys in the order given."""
    click.echo(json.dumps(answer, ensure_ascii=False, indent=2))
