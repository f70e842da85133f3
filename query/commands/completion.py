"""Knows the command `completion`: the script that makes a shell complete the words of `seerule`."""

from __future__ import annotations

import click


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script of a shell: add `eval "$(seerule completion bash)"` to its start file."""
    from click.shell_completion import get_completion_class

    from query.cli import group

    chosen = get_completion_class(shell)
    if chosen is None:
        raise click.UsageError(f"no completion for {shell}")
    click.echo(chosen(group, {}, "seerule", "_SEERULE_COMPLETE").source())
