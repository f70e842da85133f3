"""Knows how a shell completes the words of `seerule`: the command `completion`, and what there is in the store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from kb.errors import SeeruleError

if TYPE_CHECKING:
    from query.knowledge_base import KnowledgeBase
    from query.lookup import Lookup

_MOST = 200  # offered at once; a shell asks before it lists more


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


def complete_edition(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The editions in the store that begin as typed."""
    with suppress(SeeruleError), _store(ctx) as base:
        return [CompletionItem(edition) for edition in base.editions if edition.startswith(incomplete)]
    return []


def complete_entry(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The numbers, titles, keywords and glossary terms that begin as typed; of a name in several words the rest.

    Words are joined by hyphens, which a look-up takes for spaces, so that what the shell fills in is one word.
    """
    typed = ctx.params.get(parameter.name or "")
    before = [str(word) for word in typed] if isinstance(typed, (tuple, list)) else []
    with suppress(SeeruleError), _store(ctx) as base:
        found = (
            _numbers(base.lookup, incomplete) if incomplete[:1].isdigit() else _names(base.lookup, before, incomplete)
        )
        return list(found)[:_MOST]
    return []


def _numbers(lookup: Lookup, incomplete: str) -> Iterator[CompletionItem]:
    """The chapters that begin as typed, and after a point the rules and subrules."""
    for key in lookup.keys:
        if key.startswith(incomplete) and ("." in key) == ("." in incomplete):
            yield CompletionItem(key, help=lookup.named(key).title)


def _names(lookup: Lookup, before: list[str], incomplete: str) -> Iterator[CompletionItem]:
    from kb.rulebook import plain

    start = plain(" ".join([*before, incomplete]))
    words = len(plain(" ".join(before)).split())
    for title, keys in sorted(lookup.titled.items()):
        if title.startswith(start) and len(title.split()) > words:
            yield CompletionItem("-".join(title.split()[words:]), help=keys[0])


@contextmanager
def _store(ctx: click.Context) -> Iterator[KnowledgeBase]:
    """The knowledge base that the words typed so far name; a command that is being completed has not been called."""
    from query.knowledge_base import KnowledgeBase

    group = ctx.parent.params if ctx.parent is not None else {}
    chosen = ctx.ensure_object(dict)
    with KnowledgeBase.open(chosen.get("home") or group.get("home"), chosen.get("edition")) as base:
        yield base
