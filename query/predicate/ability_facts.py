"""Knows which abilities an object has now: those it is stated with, those of keyword counters, and what effects give
and take, each in its turn."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from query.predicate.board import Board, Effect, Permanent
from query.predicate.effect import UnknownEffectError, sentence_of
from query.predicate.keyword import KeywordFacts, known_keyword, nearest_keyword

COUNTERS = frozenset(
    (
        "flying", "first strike", "double strike", "deathtouch", "decayed", "exalted", "haste", "hexproof",
        "indestructible", "lifelink", "menace", "reach", "shadow", "trample", "vigilance",
    )
)  # fmt: skip
"""The kinds of counters that give a keyword (rule 122.1b)."""

_ALL = ("loses all abilities", "loses all other abilities", "has no abilities")
PRINTED = "its text"
"""Where an effect comes from that a card's own text states."""


def changes_abilities(effect: Effect) -> bool:
    """Whether an effect gives or takes an ability for now."""
    said = sentence_of(effect.sentence)
    return said in _ALL or (said.startswith(("gains ", "loses ", "has ")) and " after " not in said)


def opponents(board: Board, player: str) -> list[str]:
    """The names of a player's opponents (rule 102.3)."""
    mates = {name for team in board.teams if player in team for name in team}
    return [one.name for one in board.players if one.name not in {player, *mates}]


def abilities(board: Board, one: Permanent) -> KeywordFacts:
    """The keywords of a permanent, with what effects give and take for now.

    Raises `UnknownEffectError` for an effect that gives or takes what is no keyword.
    """
    read = KeywordFacts(one.id, [player.name for player in board.players], opponents=opponents(board, one.controller))
    for text in held(board, one):
        read.add(text)
    return read


def held(board: Board, one: Permanent) -> list[str]:
    """The keywords themselves, in words."""
    found = [*one.keywords, *(kind for kind in one.counters if kind in COUNTERS)]
    for effect in effects_on(board, one):
        if not changes_abilities(effect):
            continue
        said = sentence_of(effect.sentence)
        if said in _ALL:
            if any(kind in COUNTERS for kind in one.counters):
                raise UnknownEffectError(
                    f'"{effect.sentence}" on {one.id}, which has keyword counters: which came last is not said; '
                    "leave out the effect and state the keywords that are left"
                )
            found.clear()
            continue
        word, _, keywords = said.partition(" ")
        for keyword in _keywords(keywords, board):
            if word == "loses":
                found = [text for text in found if text.lower() != keyword.lower()]
            else:
                found.append(keyword)
    return found


def loses_all(board: Board, one: Permanent) -> bool:
    """Whether an effect takes all abilities of a permanent, those of its card's text included."""
    return any(sentence_of(effect.sentence) in _ALL for effect in effects_on(board, one))


def effects_on(board: Board, one: Permanent) -> Iterator[Effect]:
    """The effects on a permanent: its own first, then those of the board."""
    yield from (effect for effect in one.effects if not effect.on or one.id in effect.on)
    for other in board.battlefield:
        yield from (effect for effect in other.effects if other is not one and one.id in effect.on)
    yield from (effect for effect in board.effects if one.id in effect.on)


def _keywords(text: str, board: Board) -> Collection[str]:
    """The keywords that one effect gives or takes; each must be one."""
    if known_keyword(text):
        return [text]
    parts = [part.strip() for part in text.replace(", and ", ", ").replace(" and ", ", ").split(",") if part.strip()]
    for part in parts:
        if not known_keyword(part):
            raise UnknownEffectError(f'no keyword is written "{part}"{nearest_keyword(part)}')
    return parts
