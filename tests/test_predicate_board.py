"""Boards: three notations of one model, faults with path and allowed values, effects, cards by name."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.errors import SeeruleError
from query.card_entry import CardEntry, FaceEntry
from query.predicate.board import Board, CardFacts
from query.predicate.board_facts import board_facts, unknown_keywords
from query.predicate.board_file import parse_board
from query.predicate.board_form import BoardError, board_schema, faults
from query.predicate.board_read import board
from query.predicate.board_turtle import data_from_turtle, data_to_turtle
from query.predicate.card_text import card_facts
from query.predicate.effect import ON_GAME, ON_OBJECTS, UnknownEffectError, effect_facts
from query.predicate.graph_cards import card_lookup
from query.predicate.program import load
from tests.random_boards import random_data
from tests.tables import table

SCHEMA = board_schema()
PROGRAM = load()
FULL: dict[str, Any] = {
    "title": "everything", "players": {"ann": {"life": 20, "keywords": ["hexproof"]}, "bob": {"poison": 2}},
    "active": "ann", "turn": 3, "step": "declare blockers", "seats": ["ann", "bob"], "teams": [["ann"], ["bob"]],
    "battlefield": [
        {"id": "drake", "controller": "ann", "types": ["creature"], "power": 2, "toughness": 2, "tapped": True,
         "counters": {"+1/+1": 1}, "effects": ["lure", {"effect": "+1/+1", "until": "end of turn"}]},
        {"id": "jace", "controller": "bob", "types": ["planeswalker"], "loyalty": 3},
        {"id": "bear", "controller": "bob", "types": ["creature"], "power": 2, "toughness": 2, "damage": 1},
        {"id": "sword", "controller": "ann", "types": ["artifact"], "subtypes": ["equipment"], "attached_to": "drake"},
    ],
    "attacks": {"drake": "jace"}, "blocks": {"bear": ["drake"]}, "bands": [["drake"]],
    "effects": ["prevent all combat damage", {"effect": "can't block", "on": ["bear"]}],
    "choices": {"pays": {"bear": "{1}"}, "divisions": [{"from": "drake", "damage": {"bear": 2}}],
                "divide_in_order": "all"},
    "stack": [{"id": "bolt", "controller": "bob", "kind": "spell", "colors": ["red"], "targets": ["drake"]}],
    "zones": {"ann": {"graveyard": ["Storm Crow"]}}, "unknown": ["has(bear, reach)"], "facts": ["has(bear, haste)"],
}  # fmt: skip


@pytest.mark.parametrize(("text", "message"), table("board_faults.txt", at_least=31))
def test_a_fault_says_path_found_and_allowed(text: str, message: str) -> None:
    with pytest.raises(BoardError) as error:
        parse_board(text.replace(";;", "\n"), ".yaml", "board.yaml")
    assert str(error.value).splitlines()[0] == message


def test_a_fault_in_json_has_its_line() -> None:
    text = '{\n\t"players": ["ann", "bob"],\n\t"battlefield": [\n\t\t{"id": "a", "controller": "cat"}]}'
    with pytest.raises(BoardError, match=r"^b.json:4: board.battlefield\[0\].controller: no player"):
        parse_board(text, ".json", "b.json")


def test_the_three_notations_are_one_board() -> None:
    expected = board(FULL)
    assert isinstance(expected, Board)
    assert parse_board(json.dumps(FULL), ".json") == expected
    assert parse_board(yaml.safe_dump(FULL), ".yaml") == expected
    assert parse_board(data_to_turtle(FULL), ".ttl") == expected
    PROGRAM.check_facts(board_facts(expected))


@pytest.mark.parametrize("seed", range(25))
def test_turtle_loses_nothing(seed: int) -> None:
    data = random_data(seed)
    assert board(data_from_turtle(data_to_turtle(data))) == board(data)


def test_the_schema_is_a_schema_and_boards_keep_to_it() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    for data in (FULL, *map(random_data, range(20))):
        jsonschema.validate(data, SCHEMA)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=200)
@given(st.sampled_from(sorted(SCHEMA["properties"])), JSON)
def test_our_reading_of_the_schema_agrees_with_jsonschema(field: str, value: Any) -> None:
    data = {**FULL, field: value}
    ours = not list(faults(data, SCHEMA, SCHEMA))
    assert ours == jsonschema.Draft202012Validator(SCHEMA).is_valid(data)


@settings(max_examples=200)
@given(st.text(max_size=80), st.sampled_from([".yaml", ".json", ".ttl"]))
def test_any_text_is_a_board_or_a_fault(text: str, notation: str) -> None:
    try:
        found: object = parse_board(text, notation)
    except SeeruleError as error:
        found = str(error)
    assert found


def test_every_effect_form_states_a_fact_of_its_predicate() -> None:
    assert len(ON_OBJECTS) >= 45
    said = {"n": "2", "m": "3", "quality": "red", "player": "bob", "object": "elf", "cost": "{2}", "keyword": "flying",
            "step": "first combat damage"}  # fmt: skip
    for form in (*ON_OBJECTS, *ON_GAME):
        thing = "bear" if form in ON_OBJECTS else None
        facts = effect_facts(form.sentence.format(**said), thing, ["bob"], ["elf"])
        assert form.predicate in {fact[0] for fact in facts}
        PROGRAM.check_facts(facts)


def test_an_effect_that_is_not_of_the_vocabulary_is_told() -> None:
    with pytest.raises(UnknownEffectError, match="did you mean"):
        effect_facts("can not be blocked", "bear", [], [])
    with pytest.raises(UnknownEffectError):
        effect_facts("must attack carl", "bear", ["bob"], [])


def test_a_card_brings_its_characteristics_and_what_is_not_encoded() -> None:
    crow = card_facts(
        "Odd Crow",
        "Legendary Creature — Bird",
        "Flying\nOdd Crow can't block.\nWhenever it rains, draw a card.",
        ["blue"],
        "1",
        "2",
    )
    found = board(
        {"players": ["ann", "bob"], "battlefield": [{"card": "Odd Crow", "controller": "bob"}]}, {"Odd Crow": crow}.get
    )
    facts = board_facts(found)
    for fact in (("has", ("odd_crow", "flying")), ("cant_block", ("odd_crow",)), ("base_power", ("odd_crow", 1)),
                 ("supertype", ("odd_crow", "legendary")), ("subtype", ("odd_crow", "bird"))):  # fmt: skip
        assert fact in facts
    assert found.not_encoded == ("odd_crow: Whenever it rains, draw ...",)


def test_a_card_of_the_graph_brings_its_front_face() -> None:
    face = FaceEntry("Storm Crow", None, "Creature — Bird", "Flying", "1", "2", colors="U")
    card = CardEntry("Storm Crow", "k", "i", "2026-09-25", "normal", None, None, (face,), (), (), (), None, ())
    said = {"players": ["ann", "bob"], "battlefield": [{"card": "Storm Crow", "controller": "ann"}]}
    (crow,) = board(said, card_lookup(lambda name: card)).battlefield
    assert (crow.id, crow.power, crow.toughness, crow.keywords, crow.colors) == (
        "storm_crow",
        1,
        2,
        ("Flying",),
        ("blue",),
    )


def test_an_unknown_keyword_is_said_to_be_unknown() -> None:
    found = board(
        {
            "players": ["ann", "bob"],
            "battlefield": [{"id": "x", "controller": "ann", "keywords": ["phasing", "flying"]}],
        }
    )
    assert unknown_keywords(found) == ("x: phasing",)


def test_what_an_effect_gives_or_takes_for_now_changes_the_keywords() -> None:
    one = {
        "id": "x",
        "controller": "ann",
        "keywords": ["flying", "haste"],
        "effects": ["loses flying", "gains protection from red"],
        "counters": {"reach": 1},
    }
    facts = board_facts(board({"players": ["ann", "bob"], "battlefield": [one]}))
    assert ("has", ("x", "flying")) not in facts
    assert {("has", ("x", "haste")), ("has", ("x", "reach")), ("protected_from", ("x", "color", "red"))} <= set(facts)


def test_a_card_of_no_power_leaves_it_open() -> None:
    assert card_facts("X", "Creature — Bird", "", power="*", toughness="1+*") == CardFacts(
        "X", types=("creature",), subtypes=("bird",), targets=()
    )
