"""Knows the command `seerule`: which commands there are, and that each is imported only when called."""

from __future__ import annotations

import sys
from importlib import import_module

import click

from kb.errors import SeeruleError

COMMANDS = {
    "show": ("lookup", "A rule, chapter, section or glossary entry with its links."),
    "card": ("card", "A card: its keywords with their rules, tags, legalities and rulings."),
    "keyword": ("keyword", "A keyword: its rule, its family, the cards that have it and how."),
    "rulings": ("rulings", "The rulings on a card, or those that lead to a rule."),
    "search": ("search", "Rules, examples, glossary, rulings and cards by words."),
    "cite": ("cite", "The rules that govern a ruling or a question."),
    "links": ("links", "The references out of an entry and into it."),
    "path": ("links", "The shortest chain of references between two entries."),
    "hubs": ("links", "The most cited rules."),
    "references": ("links", "Every reference of the rules, a source and a target a line."),
    "editions": ("lookup", "The editions in the store."),
    "history": ("lookup", "What a rule is called in every edition, and when its words changed."),
    "ask": ("ask", "A question about a board, answered with its proof."),
    "combat": ("ask", "The whole of a combat, line by line with its rules."),
    "lint-rules": ("ask", "Whether the rule files cite truly."),
    "sparql": ("sparql", "A SPARQL query of your own, or a named one."),
    "export": ("export", "An edition as Turtle, N-Quads or JSON-LD."),
    "build": ("build", "Build the store from official files."),
    "serve": ("serve", "Pages, JSON API and SPARQL endpoint on this machine."),
    "mcp": ("mcp", "Tools for chat assistants."),
    "audit": ("build", "What is wrong with an official file."),
    "validate": ("validate", "What is wrong with the graph of an edition."),
    "completion": ("completion", "The completion script of a shell."),
}
"""The commands in the order of the help: the module in `query.commands` that holds each, and what it does."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called; the help needs none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of `COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of that name, or None."""
        if name not in COMMANDS:
            return None
        module = import_module(f"query.commands.{COMMANDS[name][0]}")
        command: click.Command = getattr(module, name.replace("-", "_"))
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, and with the nearest command for one that does not exist."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, 1)
            hint = f" Did you mean {near[0]!r}?" if near else f" To look something up: seerule show {args[0]}"
            ctx.fail(f"There is no command {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table of commands, from `COMMANDS` alone."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--home", metavar="DIR", help="Where the store lives; also the address of a SPARQL endpoint.")
@click.version_option(package_name="seerule", prog_name="seerule")
@click.pass_context
def group(ctx: click.Context, home: str | None) -> None:
    """The rules of Magic: The Gathering as a graph: look up, follow, prove, cite."""
    ctx.obj = {"home": home, "json": False, "edition": None}


def _check_words(arguments: list[str]) -> None:
    """Refuses words that are no text: a shell can hand over any bytes, which only the name of a file may be."""
    from os.path import lexists

    for word in arguments:
        if any("\ud800" <= sign <= "\udfff" for sign in word) and not lexists(word):
            raise SeeruleError(f"{word!r} is no text: its bytes are not UTF-8; set the terminal to UTF-8")


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line; a fault that the user can act on is one message and exit status 2."""
    try:
        _check_words(sys.argv[1:] if arguments is None else arguments)
        group.main(arguments, prog_name="seerule", standalone_mode=True)
    except SeeruleError as error:
        click.echo(f"{click.style('seerule:', fg='red', bold=True)} {error}", err=True)
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()  # whoever read the output has seen enough
        sys.exit(0)
    except OSError as error:  # a disk that is full, a file that may not be read
        place = f"{error.filename}: " if error.filename else ""
        click.echo(f"{click.style('seerule:', fg='red', bold=True)} {place}{error.strerror or error}", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
