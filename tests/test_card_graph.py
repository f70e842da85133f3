"""Cards, uses, tags, rulings and mentions as triples: nothing is lost on the way there and back."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode

from ingest.card_parts import _Citations
from kb.card import ORIGINS, Card, Face, KeywordUse, Legality
from kb.card_graph import card_quads, face_node, read_cards, search_key
from kb.graph import entry_slugs
from kb.keyword_graph import keyword_quads, read_keywords
from kb.ruling import Ruling
from kb.ruling_graph import mention_quads, read_mentions, read_rulings, ruling_quads
from kb.tag import GROUPS, Tag, Tagger
from kb.tag_graph import read_tags, tag_quads
from kb.tag_types import Subtype, Types
from kb.use_graph import UseGraph, read_uses
from kb.vocabulary import ELI, OA, SR, Names
from tests.card_files import CURRENT, cards_by_name, keywords, mentioner, needs_cards, recogniser, whole_collection
from tests.official import EDITIONS, rulebook
from tests.tables import table

NAMES = Names("https://rules.example/")
TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
WORD = TEXT.filter(str.strip)
COLORS = st.lists(st.sampled_from("WUBRG"), max_size=5, unique=True).map(tuple)
FACES = st.builds(
    Face,
    name=WORD,
    mana_cost=TEXT,
    type_line=TEXT,
    text=st.text(st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n"), max_size=30),
    power=st.none() | WORD,
    toughness=st.none() | WORD,
    loyalty=st.none() | WORD,
    defense=st.none() | WORD,
    colors=st.none() | COLORS,
    color_indicator=COLORS,
)
CARDS = st.builds(
    Card,
    name=WORD,
    faces=st.lists(FACES, min_size=1, max_size=3).map(tuple),
    oracle_id=st.none() | WORD,
    layout=WORD,
    mana_value=st.none() | st.sampled_from(["0", "2", "0.5"]),
    color_identity=COLORS,
    keywords=st.lists(WORD, max_size=3).map(tuple),
    legalities=st.dictionaries(WORD, st.sampled_from(["legal", "banned", "restricted", "not_legal"]), max_size=3).map(
        lambda held: tuple(sorted((Legality(form, status) for form, status in held.items()), key=lambda x: x.format))
    ),
    as_of=st.none() | st.just("2026-01-02"),
)


@given(st.lists(CARDS, max_size=4, unique_by=lambda card: card.key))
def test_any_card_comes_back(cards: list[Card]) -> None:
    assert read_cards(card_quads(cards, NAMES), NAMES) == sorted(cards, key=lambda card: card.key)


@needs_cards
def test_every_real_card_comes_back() -> None:
    cards = [card for at, card in enumerate(whole_collection().cards.values()) if at % 5 == 0]
    back = read_cards(card_quads(cards, NAMES), NAMES)
    assert len(back) > 6_900
    for one, other in zip(back, sorted(cards, key=lambda card: card.key), strict=True):
        assert one == other


@needs_cards
def test_every_edition_s_keywords_come_back() -> None:
    from kb.keyword import keywords_of

    for name in EDITIONS[::6]:
        found = keywords_of(rulebook(name))
        assert read_keywords(keyword_quads(found, NAMES), found.edition, NAMES) == found
    kinds = {quad.object.value for quad in keyword_quads(keywords(), NAMES) if quad.predicate == SR.abilityKind}  # type: ignore[union-attr]
    assert kinds == {"static", "triggered", "activated", "spell"}
    addresses = {NAMES.keyword("x", key).value for key in keywords()}
    assert len(addresses) == len(keywords())


@needs_cards
def test_every_use_comes_back() -> None:
    cards = list(whole_collection().cards.values())[::9]
    found = [(card, tuple(recogniser().uses(face) for face in card.faces)) for card in cards]
    quads = list(UseGraph(keywords(), NAMES).quads(found))
    back = read_uses([*quads], keywords())
    expected = {
        face_node(NAMES.card(card.key), at).value: uses
        for card, faces in found
        for at, uses in enumerate(faces, 1)
        if uses
    }
    assert {face: sorted(uses, key=_order) for face, uses in back.items()} == {
        face: sorted(uses, key=_order) for face, uses in expected.items()
    }
    assert {use.origin for uses in back.values() for use in uses} == set(ORIGINS)


def _order(use: KeywordUse) -> str:
    return repr(use)


@needs_cards
def test_every_ruling_and_mention_comes_back() -> None:
    rulings = list(whole_collection().rulings.values())[::30]
    citations = _Citations({CURRENT[3:7] + "-09-25": rulebook(CURRENT)}, NAMES)
    assert read_rulings(ruling_quads(rulings, NAMES, citations.target), NAMES) == sorted(rulings, key=lambda r: r.key)
    found = [(ruling, mentioner().mentions(ruling)) for ruling in rulings]
    slugs = entry_slugs(rulebook(CURRENT).glossary)
    terms = {entry.heading: NAMES.term("2026-09-25", slug) for entry, slug in slugs.items()}
    back = read_mentions(mention_quads(found, terms, NAMES), terms, NAMES)
    assert back == {ruling.key: mentions for ruling, mentions in found if mentions}


@needs_cards
@pytest.mark.parametrize(("asked", "expected"), table("ruling_citations.txt", at_least=15))
def test_a_ruling_cites_the_edition_in_force_at_its_date(asked: str, expected: str) -> None:
    held, date, number = asked.split(" | ")
    said = f"See rule {number} for more."
    quads = list(ruling_quads([Ruling("c", said, date if date != "undated" else None)], NAMES, _cited(held).target))
    cited = [quad.object.value for quad in quads if quad.predicate == ELI.cites and isinstance(quad.object, NamedNode)]
    faults = [quad.object.value for quad in quads if quad.predicate == SR.fault and isinstance(quad.object, Literal)]
    told = [iri.removeprefix(f"{NAMES.work.value}/") for iri in cited] + [f"not known: {fault}" for fault in faults]
    assert len(told) == 1
    assert told[0].startswith(expected)
    assert [quad.object.value for quad in quads if quad.predicate == OA.exact] == [f"rule {number}"]  # type: ignore[union-attr]


@cache
def _cited(held: str) -> _Citations:
    books = [rulebook(f"cr-{date.replace('-', '')}.txt") for date in held.split()]
    return _Citations({book.edition: book for book in books}, NAMES)


@needs_cards
def test_tags_come_back_and_name_rules_that_exist() -> None:
    cards = list(whole_collection().cards.values())[::20]
    tagger = Tagger(rulebook(CURRENT), keywords())
    found = [(card, tagger.tags(card, [recogniser().uses(face) for face in card.faces])) for card in cards]
    back = read_tags(tag_quads(found, "2026-09-25", NAMES))
    assert {node: {(tag.group, tag.label) for tag in tags} for node, tags in back.items()} == {
        NAMES.card(card.key).value: {(tag.group, tag.label) for tag in tags} for card, tags in found
    }
    kinds = {tag for _, tags in found for tag in tags}
    assert {tag.group for tag in kinds} == set(GROUPS)
    assert all(tag.rule is None or rulebook(CURRENT).holds(tag.rule) for tag in kinds)
    assert all(tag.rule is not None or tag.field is not None for tag in kinds)


@cache
def _tagger() -> Tagger:
    return Tagger(rulebook(CURRENT), keywords())


def _tags_of(card: Card) -> tuple[Tag, ...]:
    return _tagger().tags(card, [recogniser().uses(face) for face in card.faces])


@needs_cards
@pytest.mark.parametrize(("asked", "expected"), table("card_tags.txt", at_least=65))
def test_tags_of_cards(asked: str, expected: str) -> None:
    name, _, group = asked.partition(" | ")
    found = {tag.label for tag in _tags_of(cards_by_name()[name]) if tag.group == group.removesuffix(" ->")}
    assert found == {label for label in expected.split("; ") if label}


@needs_cards
def test_tags_name_the_rule_that_they_follow_from() -> None:
    cards = [card for at, card in enumerate(whole_collection().cards.values()) if at % 7 == 0]
    cards += [cards_by_name()[name] for name in ("The Tenth Doctor", "Berserk", "Unknown Event", "Forest")]
    rules = {(tag.group, tag.label): str(tag.rule or "none") for card in cards for tag in _tags_of(card)}
    expected = {tuple(asked.split(" | ")): rule for asked, rule in table("tag_rules.txt", at_least=20)}
    assert {asked: rules.get(asked) for asked in expected} == expected


@needs_cards
def test_every_saga_has_triggered_abilities_and_only_listed_creature_types_are_kinds() -> None:
    sagas = [card for card in whole_collection().cards.values() if "Saga" in card.faces[0].subtypes]
    assert len(sagas) > 200
    assert not [card.name for card in sagas if ("triggered ability") not in {tag.label for tag in _tags_of(card)}]
    kinds = {kind for kind, listed in _types().items() if any(subtype.kind == "creature" for subtype in listed)}
    assert {"human", "time lord", "zubera"} <= kinds
    assert not kinds & {"forest", "equipment", "saga", "aura", "vehicle", "food", "advisor, aetherborn"}
    assert len(kinds) > 300


def _types() -> dict[str, tuple[Subtype, ...]]:
    return Types(rulebook(CURRENT)).subtypes


def test_names_are_found_as_people_type_them() -> None:
    for typed, name in table("typed_names.txt", at_least=8):
        assert search_key(typed) == search_key(name)
    assert search_key("!?") == "!?"
    assert Path(__file__).name
