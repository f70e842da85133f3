"""Knows which facts the stack states: what is on it, what it targets, and what it may target by its words."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from query.predicate.board import Board, Spell
from query.predicate.described_ending import Speaker
from query.predicate.description import Description, describe
from query.predicate.gap import Gap
from query.predicate.syntax import Fact

NOTHING = "nothing"
"""The description that nothing fits: of a spell whose text has no target."""

_KINDS = ("activated ability", "triggered ability")


def spell_facts(spell: Spell, players: Collection[str]) -> Iterator[Fact]:
    """The facts of one spell or ability on the stack."""
    yield "on_stack", (spell.id,)
    yield "controls", (spell.controller, spell.id)
    if spell.kind != "spell":
        yield "ability_of", (spell.id, spell.source or spell.id)
    if spell.kind in _KINDS:
        yield "ability_kind", (spell.id, spell.kind)
    if spell.name:
        yield "name", (spell.id, spell.name)
    for name, words in (("type", spell.types), ("subtype", spell.subtypes), ("color", spell.colors)):
        yield from ((name, (spell.id, word)) for word in words)
    if spell.mana_value is not None:
        yield "mana_value", (spell.id, spell.mana_value)
    yield from (("targets", (spell.id, one)) for one in spell.targets)
    if spell.wants == ():
        yield "targets_described", (spell.id, NOTHING)
    for read in descriptions(spell, players):
        yield "targets_described", (spell.id, read.words)
        yield from read.facts


def descriptions(spell: Spell, players: Collection[str]) -> list[Description]:
    """What a spell or ability may target, as far as its words are understood."""
    return [read for words in spell.wants or () if (read := _read(spell, words, players)) is not None]


def unread_targets(spell: Spell, players: Collection[str]) -> list[str]:
    """The words for what a spell or ability may target that are not understood."""
    return [words for words in spell.wants or () if _read(spell, words, players) is None]


def stack_gaps(board: Board) -> Iterator[Gap]:
    """What the stack leaves open: targets in words that are not understood, and of what kind an ability is."""
    players = [player.name for player in board.players]
    asked: set[str] = set()
    for spell in board.stack:
        for words in unread_targets(spell, players):
            unread = f"{words} (not encoded)"
            stated: Fact = ("targets_described", (spell.id, unread))
            yield Gap(
                f'what "{words}" of {spell.id} fits: it is not encoded',
                ((stated,), (stated, ("description", (unread, 1)))),
            )
        for read in descriptions(spell, players):
            asked.update(str(test[2]) for option in read.options for test in option if test[1] == "kind")
    for spell in board.stack:
        if spell.kind == "ability" and asked & set(_KINDS):
            yield Gap(
                f"whether {spell.id} is an activated or a triggered ability",
                tuple((("ability_kind", (spell.id, kind)),) for kind in _KINDS),
            )


def _read(spell: Spell, words: str, players: Collection[str]) -> Description | None:
    read = describe(words, Speaker(spell.controller, spell.source or spell.id, players))
    return read and replace(read, words=f"target: {read.words}")
