"""Knows MTGJSON's AtomicCards: one list of faces a name, rulings inside each, formats only where the card is legal
or banned.
"""

from __future__ import annotations

import re
from typing import Any

from ingest.fields import BadField, date_of, number_of, objects_of, optional_text, pairs_of, text_of, texts_of
from ingest.scryfall import NOT_PLAYED
from kb.card import Card, Face, Legality
from kb.ruling import Ruling

_LOYALTY_COST = re.compile(r"^\[([+−-]?(?:\d+|X))\]: ", re.MULTILINE)


def card_of(name: str, value: Any, as_of: str | None) -> tuple[Card | None, list[Ruling]]:
    """The card of one entry and the rulings on it; no card for a token.

    `as_of` is the date of the file, for its legalities. Raises `BadField`.
    """
    if not isinstance(value, list) or not value or not all(isinstance(part, dict) for part in value):
        raise BadField(f"the entry {name[:60]!r} is no list of faces")
    parts: list[dict[str, Any]] = sorted(value, key=lambda part: str(part.get("side") or ""))
    first = parts[0]
    layout = text_of(first, "layout") or "normal"
    if layout in NOT_PLAYED:
        return None, []
    identifiers = first.get("identifiers") or {}
    if not isinstance(identifiers, dict):
        raise BadField('the field "identifiers" is no object')
    card = Card(
        name=text_of(first, "name", needed=True),
        faces=tuple(_face(part) for part in parts),
        oracle_id=optional_text(identifiers, "scryfallOracleId"),
        layout=layout,
        mana_value=number_of(first, "manaValue"),
        color_identity=texts_of(first, "colorIdentity"),
        keywords=tuple(dict.fromkeys(keyword for part in parts for keyword in texts_of(part, "keywords"))),
        legalities=tuple(Legality(form, status.lower()) for form, status in pairs_of(first, "legalities")),
        as_of=as_of if first.get("legalities") else None,
    )
    return card, _rulings(card, parts)


def _face(part: dict[str, Any]) -> Face:
    return Face(
        name=optional_text(part, "faceName") or text_of(part, "name", needed=True),
        mana_cost=text_of(part, "manaCost"),
        type_line=text_of(part, "type"),
        text=_LOYALTY_COST.sub(r"\1: ", text_of(part, "text")),
        power=optional_text(part, "power"),
        toughness=optional_text(part, "toughness"),
        loyalty=optional_text(part, "loyalty"),
        defense=optional_text(part, "defense"),
        colors=texts_of(part, "colors") if part.get("colors") is not None else None,
        color_indicator=texts_of(part, "colorIndicator"),
    )


def _rulings(card: Card, parts: list[dict[str, Any]]) -> list[Ruling]:
    """The rulings on a card, which every face repeats."""
    found = [
        Ruling(card.key, text_of(said, "text", needed=True), date_of(said, "date"), "mtgjson")
        for part in parts
        for said in objects_of(part, "rulings")
    ]
    return list({ruling.key: ruling for ruling in found}.values())
