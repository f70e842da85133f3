"""Knows the official files of cards and rulings for tests, read once for all of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from ingest.cards import Collection, read_cards, read_rulings
from kb.card import Card
from kb.keyword import Keywords, keywords_of
from kb.mention import Mentioner
from kb.recognition import Recogniser
from tests.official import DATA, rulebook

CURRENT = "cr-20260925.txt"
ALL_CARDS = DATA / "cards" / "oracle.jsonl"
ALL_RULINGS = DATA / "cards" / "rulings.jsonl"
SAMPLES = DATA / "cards" / "samples"
SCRYFALL = SAMPLES / "scryfall_oracle-cards_sample_2025-11-01.json"
SCRYFALL_RULINGS = SAMPLES / "scryfall_rulings_sample_2025-11-01.json"
ATOMIC = SAMPLES / "mtgjson_AtomicCards_sample_2026-03-01.json"

needs_cards = pytest.mark.skipif(not ALL_CARDS.exists(), reason=f"no card files at {DATA}; set SEERULE_TEST_DATA")


@cache
def keywords() -> Keywords:
    """The keywords of the newest edition."""
    return keywords_of(rulebook(CURRENT))


@cache
def recogniser() -> Recogniser:
    """The recogniser of the newest edition's keywords."""
    return Recogniser(keywords())


@cache
def whole_collection() -> Collection:
    """Every card and ruling."""
    found = Collection()
    read_cards(ALL_CARDS, found)
    read_rulings(ALL_RULINGS, found)
    return found


@cache
def cards_by_name() -> dict[str, Card]:
    """Every card by its name, and by the names of its faces where no card has them for its own."""
    cards = list(whole_collection().cards.values())
    faces = {name: card for card in cards for name in card.face_names}
    return faces | {card.name: card for card in cards}


@cache
def mentioner() -> Mentioner:
    """The finder of mentions among all cards."""
    return Mentioner(whole_collection().cards.values(), rulebook(CURRENT), keywords())


def collection(*cards: Path, rulings: tuple[Path, ...] = ()) -> Collection:
    """What some files hold."""
    found = Collection()
    for path in cards:
        read_cards(path, found)
    for path in rulings:
        read_rulings(path, found)
    return found
