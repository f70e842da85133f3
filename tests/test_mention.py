"""Mentions in rulings: 200 read by hand, traps, and spans."""

from __future__ import annotations

import pytest

from ingest.card_parts import telling
from kb.card import Card, Face
from kb.keyword import Keywords
from kb.mention import Mentioner
from kb.ruling import Ruling
from tests.card_files import CURRENT, mentioner, needs_cards, whole_collection
from tests.official import rulebook
from tests.tables import table


@needs_cards
def test_mentions_of_cards_in_200_rulings_read_by_hand() -> None:
    judged = dict(table("mentions.txt", at_least=350))
    keys = {row.split(" @ ")[0] for row in judged}
    assert len(keys) == 200
    collection = whole_collection()
    found = {
        f"{key} @ {mention.start} | {mention.method} | {collection.cards[mention.target].name}"
        for key in keys
        for mention in mentioner().mentions(collection.rulings[key])
        if mention.kind == "card"
    }
    assert found <= judged.keys(), "mentions that nobody has read yet"
    right = sum(judged[row] == "right" for row in found)
    assert right / len(found) >= 0.95
    assert right >= 350


@needs_cards
def test_mentions_quote_names_and_do_not_overlap() -> None:
    collection = whole_collection()
    rulings = list(collection.rulings.values())[::40]
    assert len(rulings) > 1000
    for ruling in rulings:
        end = 0
        for mention in mentioner().mentions(ruling):
            quote = ruling.text[mention.start : mention.end].replace("’", "'")
            assert mention.start >= end
            end = mention.end
            if mention.method in ("own name", "card name"):
                card = collection.cards[mention.target]
                assert quote in {name.replace("’", "'") for name in (card.name, *card.face_names)}


CARDS = [
    Card(name, (Face(name, type_line=kind),), key)
    for key, name, kind in (
        ("opt", "Opt", "Instant"),
        ("what", "What", "Instant"),
        ("when", "When", "Instant"),
        ("fear", "Fear", "Enchantment — Aura"),
        ("humility", "Humility", "Enchantment"),
        ("clone", "Clone", "Creature — Shapeshifter"),
        ("giant", "Giant Growth", "Instant"),
        ("thg", "Two-Headed Giant", "Creature — Giant"),
        ("war", "War of the Spark", "Scheme"),
        ("ana", "Ana, Queen of Elves", "Legendary Creature — Elf"),
        ("death", "Fear of Death", "Enchantment — Aura"),
        ("shape", "Shapeshifter", "Artifact Creature — Shapeshifter"),
    )
]


@needs_cards
@pytest.mark.parametrize(("said", "expected"), table("mention_traps.txt", at_least=18))
def test_ordinary_words_are_no_cards(said: str, expected: str) -> None:
    on, _, text = said.partition(" | ")
    finder = Mentioner(CARDS, rulebook(CURRENT), Keywords("", ()))
    found = [
        f"{mention.target} {text[mention.start : mention.end]}"
        for mention in finder.mentions(Ruling(on, text))
        if mention.kind == "card"
    ]
    assert "; ".join(found) == expected


@needs_cards
def test_terms_that_every_ruling_names_tell_nothing() -> None:
    finder = Mentioner(CARDS, rulebook(CURRENT), Keywords("", ()))
    rulings = [Ruling("opt", f"You cast it {at} times.") for at in range(40)] + [Ruling("opt", "You gain menace.")]
    kept = dict(telling([(ruling, finder.mentions(ruling)) for ruling in rulings]))
    assert [mention.target for mention in kept[rulings[0]]] == []
    assert [mention.target for mention in kept[rulings[-1]]] == ["Menace"]


def test_a_ruling_is_its_card_and_its_words() -> None:
    one = Ruling("a", "It works.", "2020-01-01", "wotc")
    assert one.key == Ruling("a", "It works.", None, "mtgjson").key
    assert len({one.key, Ruling("b", "It works.").key, Ruling("a", "It works").key}) == 3
