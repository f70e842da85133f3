"""Knows Scryfall's bulk files: what the fields of a card and of a ruling mean, and which cards are none of the
game's.
"""

from __future__ import annotations

from typing import Any

from ingest.fields import BadField, date_of, number_of, objects_of, optional_text, pairs_of, text_of, texts_of
from kb.card import Card, Face, Legality, name_key
from kb.ruling import Ruling

NOT_PLAYED = frozenset({"token", "double_faced_token", "emblem", "art_series"})
"""Layouts of things that are no cards by the rules: tokens, emblems and pictures."""


def cards_of(record: dict[str, Any], as_of: str | None) -> list[Card]:
    """The cards of one record: none for a token, two for a reversible card whose faces are different cards.

    `as_of` is the date of the file, for its legalities. Raises `BadField`.

    >>> card, = cards_of({"name": "Opt", "oracle_id": "0-1", "oracle_text": "Scry 1.", "cmc": 1.0}, None)
    >>> card.name, card.mana_value, card.faces[0].text
    ('Opt', '1', 'Scry 1.')
    """
    layout = text_of(record, "layout") or "normal"
    if layout in NOT_PLAYED:
        return []
    if layout == "reversible_card":
        return _reversible(record, as_of)
    parts = objects_of(record, "card_faces")
    faces = tuple(_face(part, record) for part in parts) or (_face(record, record),)
    oracle_id = optional_text(record, "oracle_id") or next((optional_text(part, "oracle_id") for part in parts), None)
    return [_card(record, text_of(record, "name", needed=True), faces, oracle_id, layout, as_of)]


def ruling_of(record: dict[str, Any]) -> Ruling:
    """The ruling of one record; where the source has no oracle id but a name, it belongs to the card of that name.

    Raises `BadField`.
    """
    oracle_id, name = optional_text(record, "oracle_id"), optional_text(record, "name")
    if oracle_id is None and name is None:
        raise BadField('the field "oracle_id" is missing')
    card = oracle_id or name_key(name or "")
    text = text_of(record, "comment", needed=True)
    return Ruling(card, text, date_of(record, "published_at"), text_of(record, "source") or "unknown")


def _card(
    record: dict[str, Any], name: str, faces: tuple[Face, ...], oracle_id: str | None, layout: str, as_of: str | None
) -> Card:
    return Card(
        name=name,
        faces=faces,
        oracle_id=oracle_id,
        layout=layout,
        mana_value=number_of(record, "cmc"),
        color_identity=texts_of(record, "color_identity"),
        keywords=texts_of(record, "keywords"),
        legalities=tuple(Legality(name, status) for name, status in pairs_of(record, "legalities")),
        as_of=(date_of(record, "_legalities_as_of") or as_of) if record.get("legalities") else None,
    )


def _face(part: dict[str, Any], record: dict[str, Any]) -> Face:
    """A face; a split card or an adventure has its colors at the top level only."""
    holder = part if part.get("colors") is not None else record
    return Face(
        name=text_of(part, "name", needed=True),
        mana_cost=text_of(part, "mana_cost"),
        type_line=text_of(part, "type_line"),
        text=text_of(part, "oracle_text"),
        power=optional_text(part, "power"),
        toughness=optional_text(part, "toughness"),
        loyalty=optional_text(part, "loyalty"),
        defense=optional_text(part, "defense"),
        colors=texts_of(holder, "colors") if holder.get("colors") is not None else None,
        color_indicator=texts_of(part, "color_indicator"),
    )


def _reversible(record: dict[str, Any], as_of: str | None) -> list[Card]:
    """The cards on the two sides of a reversible card; usually one card twice, each side with the card's own
    oracle id.
    """
    sides: dict[str | None, list[dict[str, Any]]] = {}
    for part in objects_of(record, "card_faces"):
        sides.setdefault(optional_text(part, "oracle_id") or optional_text(record, "oracle_id"), []).append(part)
    if not sides:
        raise BadField('the field "card_faces" is missing')
    cards = []
    for oracle_id, parts in sides.items():
        faces = {part.get("name"): part for part in reversed(parts)}
        kept = [faces[name] for name in dict.fromkeys(part.get("name") for part in parts)]
        name = " // ".join(text_of(part, "name", needed=True) for part in kept)
        whole = {**record, "cmc": kept[0].get("cmc", record.get("cmc"))}
        layout = text_of(kept[0], "layout") or "normal"
        cards.append(_card(whole, name, tuple(_face(part, record) for part in kept), oracle_id, layout, as_of))
    return cards
