"""Knows how cards are written as triples, what their source says and nothing else, and read back without loss."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from pyoxigraph import Literal, NamedNode, Quad

from kb.card import Card, Face, Legality
from kb.quads import Nodes, Writer
from kb.vocabulary import RDF, SR, XSD, Names

_STATUS = {
    "legal": SR.legalIn,
    "banned": SR.bannedIn,
    "restricted": SR.restrictedIn,
    "not_legal": SR.notLegalIn,
}


def search_key(name: str) -> str:
    """A name as people type it: without case, accents, punctuation and spaces.

    >>> search_key("Lim-Dûl's Vault"), search_key("death mask duplicant"), search_key("Æther Vial")
    ('limdulsvault', 'deathmaskduplicant', 'aethervial')
    """
    plain = unicodedata.normalize("NFKD", name.casefold().replace("æ", "ae").replace("ø", "o").replace("ł", "l"))
    return "".join(re.findall(r"\w", "".join(sign for sign in plain if not unicodedata.combining(sign)))) or name


def card_quads(cards: Iterable[Card], names: Names) -> Iterator[Quad]:
    """Every card with its faces and legalities, in the named graph of cards."""
    write = Writer(names.collection("cards"))
    formats: set[str] = set()
    for card in cards:
        node = names.card(card.key)
        yield from _card(card, node, names, write)
        for position, face in enumerate(card.faces, 1):
            yield from _face(face, position, node, write)
        formats.update(legality.format for legality in card.legalities)
    for form in sorted(formats):
        yield from write.of(names.format(form), (RDF.type, SR.Format), (SR.name, form))


def face_node(card: NamedNode, position: int) -> NamedNode:
    """A face of a card, from 1."""
    return NamedNode(f"{card.value}/face/{position}")


def _card(card: Card, node: NamedNode, names: Names, write: Writer) -> Iterator[Quad]:
    searched = {search_key(name) for name in (card.name, *card.face_names)}
    yield from write.of(
        node,
        (RDF.type, SR.Card),
        (SR.name, card.name),
        *((SR.nameKey, key) for key in sorted(searched)),
        (SR.oracleId, card.oracle_id),
        (SR.layout, card.layout),
        (SR.manaValue, Literal(card.mana_value, datatype=XSD.decimal) if card.mana_value else None),
        (SR.colorIdentity, " ".join(card.color_identity) or None),
        (SR.sourceKeyword, "\n".join(card.keywords) or None),
        (SR.legalityAsOf, Literal(card.as_of, datatype=XSD.date) if card.as_of else None),
    )
    for legality in card.legalities:
        if legality.status in _STATUS:
            yield write.quad(node, _STATUS[legality.status], names.format(legality.format))


def _face(face: Face, position: int, card: NamedNode, write: Writer) -> Iterator[Quad]:
    yield from write.of(
        face_node(card, position),
        (RDF.type, SR.Face),
        (SR.faceOf, card),
        (SR.position, position),
        (SR.name, face.name),
        (SR.manaCost, face.mana_cost or None),
        (SR.typeLine, face.type_line or None),
        (SR.text, face.text or None),
        (SR.power, face.power),
        (SR.toughness, face.toughness),
        (SR.loyalty, face.loyalty),
        (SR.defense, face.defense),
        (SR.color, None if face.colors is None else " ".join(face.colors)),
        (SR.colorIndicator, " ".join(face.color_indicator) or None),
    )


def read_cards(quads: Iterable[Quad], names: Names) -> list[Card]:
    """The cards that `card_quads` wrote, in order of key."""
    nodes = Nodes(quads)
    faces: dict[str, list[tuple[int, Face]]] = {}
    for node in nodes.of_class(SR.Face):
        position = int(nodes.one(node, SR.position) or 0)
        faces.setdefault(nodes.one(node, SR.faceOf) or "", []).append((position, _read_face(nodes, node)))
    cards = [_read_card(nodes, node, faces.get(node, []), names) for node in nodes.of_class(SR.Card)]
    return sorted(cards, key=lambda card: card.key)


def _read_card(nodes: Nodes, node: str, faces: list[tuple[int, Face]], names: Names) -> Card:
    prefix = names.format("").value
    legalities = [
        Legality(nodes.one(form, SR.name) or form.removeprefix(prefix), status)
        for status, predicate in _STATUS.items()
        for form in nodes.all(node, predicate)
    ]
    return Card(
        name=nodes.one(node, SR.name) or "",
        faces=tuple(face for _, face in sorted(faces, key=lambda numbered: numbered[0])),
        oracle_id=nodes.one(node, SR.oracleId),
        layout=nodes.one(node, SR.layout) or "normal",
        mana_value=nodes.one(node, SR.manaValue),
        color_identity=tuple((nodes.one(node, SR.colorIdentity) or "").split()),
        keywords=tuple((nodes.one(node, SR.sourceKeyword) or "").split("\n"))
        if nodes.one(node, SR.sourceKeyword)
        else (),
        legalities=tuple(sorted(legalities, key=lambda legality: (legality.format, legality.status))),
        as_of=nodes.one(node, SR.legalityAsOf),
    )


def _read_face(nodes: Nodes, node: str) -> Face:
    colors = nodes.one(node, SR.color)
    return Face(
        name=nodes.one(node, SR.name) or "",
        mana_cost=nodes.one(node, SR.manaCost) or "",
        type_line=nodes.one(node, SR.typeLine) or "",
        text=nodes.one(node, SR.text) or "",
        power=nodes.one(node, SR.power),
        toughness=nodes.one(node, SR.toughness),
        loyalty=nodes.one(node, SR.loyalty),
        defense=nodes.one(node, SR.defense),
        colors=None if colors is None else tuple(colors.split()),
        color_indicator=tuple((nodes.one(node, SR.colorIndicator) or "").split()),
    )
