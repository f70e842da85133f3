"""Knows how a card of the graph becomes what a board takes from it: its front face as the source printed it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from query.predicate.board import CardFacts, CardLookup
from query.predicate.card_text import card_facts

if TYPE_CHECKING:
    from query.card_entry import CardEntry

COLORS = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green"}


_ONE_SPELL = ("transform", "meld", "flip", "double_faced_token", "reversible_card")
"""Layouts of several faces of which only the first is ever cast."""


def card_lookup(find: Callable[[str], CardEntry]) -> CardLookup:
    """The look-up of a board's cards by `find`, which raises for a name that the graph does not have."""

    @cache
    def found(name: str) -> CardFacts:
        card = find(name)
        face = card.faces[0]
        read = card_facts(
            card.name,
            face.type_line or "",
            face.text or "",
            [COLORS[letter] for letter in face.colors or "" if letter in COLORS],
            face.power,
            face.toughness,
            face.loyalty,
            face.defense,
            card.mana_value,
        )
        others = [other for other in card.faces[1:] if other.name and card.layout not in _ONE_SPELL]
        return replace(read, targets=(*(read.targets or ()), *(f"as {other.name}" for other in others)))

    return found
