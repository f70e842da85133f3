"""Knows how the players of a board are read: by name alone, or with life, poison and keywords."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from query.predicate.board import Player
from query.predicate.number_gaps import STARTING_LIFE


def read_players(said: Sequence[str] | Mapping[str, Mapping[str, Any]]) -> tuple[Player, ...]:
    """The players, by name alone or each with what is said of them; life is what a game begins with if left out."""
    if not isinstance(said, Mapping):
        said = {name: {} for name in said}
    return tuple(
        Player(
            name,
            one.get("life", STARTING_LIFE),
            one.get("poison", 0),
            tuple(one.get("keywords", ())),
            one.get("drew_from_empty_library", False),
            "life" in one,
        )
        for name, one in said.items()
    )
