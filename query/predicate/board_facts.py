"""Knows which facts a board states, in the vocabulary of `data/rules/board.rules`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from query.predicate.ability_facts import PRINTED, abilities, changes_abilities, loses_all, opponents
from query.predicate.atom import QuestionError, parse_atom
from query.predicate.board import Board, Effect, Permanent
from query.predicate.effect import effect_facts
from query.predicate.keyword import KeywordFacts
from query.predicate.stack_facts import spell_facts
from query.predicate.syntax import Fact

_ATTACKS_PENDING = ("main", "beginning of combat", "declare attackers")
_BLOCKS_PENDING = (*_ATTACKS_PENDING, "declare blockers")


def board_facts(board: Board) -> list[Fact]:
    """Every fact of a board, each once, in the order of the board.

    Raises `BoardError` or `UnknownEffectError` for what cannot be said in facts.
    """
    return list(dict.fromkeys(_all(board)))


def unknown_keywords(board: Board) -> tuple[str, ...]:
    """The keywords on the board that no shipped rule speaks of, with the objects that have them."""
    return tuple(f"{one.id}: {text}" for one in board.battlefield for text in abilities(board, one).unknown)


def _all(board: Board) -> Iterator[Fact]:
    players = [player.name for player in board.players]
    objects = [one.id for one in board.battlefield]
    yield from _players(board, players)
    for one in board.battlefield:
        yield from _permanent(board, one, players, objects)
    yield from _declarations(board)
    yield from _chosen(board)
    for number, effect in enumerate(board.effects, 1):
        yield from _effect(effect, effect.on or (None,), players, objects, number)
    for spell in board.stack:
        yield from spell_facts(spell, players)
    for text in board.facts:
        yield _fact(text)


def _players(board: Board, players: Sequence[str]) -> Iterator[Fact]:
    yield "active", (board.active,)
    for player in board.players:
        yield "player", (player.name,)
        yield "poison", (player.name, player.poison)
        if player.life is not None and (player.life_said or board.variant != "two-headed giant"):
            yield "life", (player.name, player.life)
        if player.drew_from_empty_library:
            yield "drew_from_empty_library", (player.name,)
        read = KeywordFacts(player.name, players, player=True, opponents=opponents(board, player.name))
        for text in player.keywords:
            read.add(text)
        yield from read.facts
    if board.variant:
        yield "variant", (board.variant,)
    for name in board.defending:
        yield "defending", (name,)
    for team in board.teams:
        yield from (("teammate", (one, other)) for one in team for other in team if one != other)
    if board.seats:
        for one, other in pairwise((*board.seats, board.seats[0])):
            yield "seated_beside", (one, other)
            yield "seated_beside", (other, one)


def _permanent(board: Board, one: Permanent, players: Sequence[str], objects: Sequence[str]) -> Iterator[Fact]:
    yield "permanent", (one.id,)
    yield "controls", (one.controller, one.id)
    yield "owns", (one.owner or one.controller, one.id)
    yield from _characteristics(one)
    for kind, count in one.counters.items():
        if count:
            yield "counters", (one.id, kind, count)
    if one.damage:
        yield "damaged", (one.id, one.damage)
    for name, holds in (
        ("touched_by_deathtouch", one.deathtouched),
        ("tapped", one.tapped),
        ("token", one.token),
        ("summoning_sick", one.summoning_sick),
    ):
        if holds:
            yield name, (one.id,)
    if one.attached_to:
        yield "attached", (one.id, one.attached_to)
    if one.protector:
        yield "protects", (one.protector, one.id)
    yield from abilities(board, one).facts
    own = (effect for effect in one.effects if effect.source != PRINTED or not loses_all(board, one))
    for number, effect in enumerate(own):
        yield from _effect(effect, effect.on or (one.id,), players, objects, number)


def _characteristics(one: Permanent) -> Iterator[Fact]:
    if one.name:
        yield "name", (one.id, one.name)
    yield from (("type", (one.id, word)) for word in one.types)
    yield from (("subtype", (one.id, word)) for word in one.subtypes)
    yield from (("supertype", (one.id, word)) for word in one.supertypes)
    yield from (("color", (one.id, word)) for word in one.colors)
    if one.power is not None:
        yield "base_power", (one.id, one.power)
    if one.toughness is not None:
        yield "base_toughness", (one.id, one.toughness)
    if one.mana_value is not None or "land" in one.types:
        yield "mana_value", (one.id, one.mana_value or 0)


def _effect(
    effect: Effect, on: Iterable[str | None], players: Sequence[str], objects: Sequence[str], number: int
) -> Iterator[Fact]:
    if changes_abilities(effect):
        return
    for thing in on:
        yield from effect_facts(effect.sentence, thing, players, objects, number)


def _declarations(board: Board) -> Iterator[Fact]:
    if board.step in _ATTACKS_PENDING:
        yield "just_declared", ("attackers",)
    if board.step in _BLOCKS_PENDING:
        yield "just_declared", ("blockers",)
    yield from (("attacks", pair) for pair in board.attacks)
    yield from (("blocks", pair) for pair in board.blocks)
    for number, band in enumerate(board.bands, 1):
        yield from (("band", (one, f"band {number}")) for one in band)


def _chosen(board: Board) -> Iterator[Fact]:
    chosen = board.choices
    for name, pairs in (
        ("pays", chosen.pays),
        ("mentors", chosen.mentor),
        ("provokes", chosen.provoke),
        ("keeps", chosen.keep),
    ):
        yield from ((name, pair) for pair in pairs)
    yield from (("divides_in_order", (one,)) for one in chosen.divide_in_order)
    for one in chosen.divisions:
        yield from (("division", (one.step, one.source, to, amount)) for to, amount in one.damage.items())
    yield from _order("blocker_order", dict(chosen.blocker_order), [(a, b) for b, a in board.blocks])
    yield from _order("attacker_order", dict(chosen.attacker_order), list(board.blocks))


def _order(name: str, stated: dict[str, tuple[str, ...]], pairs: Sequence[tuple[str, str]]) -> Iterator[Fact]:
    """The order in which damage is divided: the one stated, else that of the declaration."""
    orders: dict[str, list[str]] = {}
    for one, other in pairs:
        orders.setdefault(one, []).append(other)
    for one, others in {**orders, **stated}.items():
        yield from ((name, (one, other, place)) for place, other in enumerate(others, 1))


def _fact(text: str) -> Fact:
    atom = parse_atom(text)
    row = tuple(term for term in atom.arguments if isinstance(term, (str, int)))
    if len(row) != len(atom.arguments):
        raise QuestionError(f"a fact has no variables, found {text!r}")
    return atom.predicate, row
