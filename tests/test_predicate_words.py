"""Keywords and effects in words: encoded, undetermined with the words, or refused with the nearest; no guess."""

from __future__ import annotations

from typing import Any

import pytest

from query.predicate.answer import Answer
from query.predicate.board_facts import board_facts
from query.predicate.board_read import board
from query.predicate.card_text import card_facts
from query.predicate.effect import UnknownEffectError
from query.predicate.judge import Judge
from query.predicate.program import load
from tests.tables import table

JUDGE = Judge(load(), "2026-09-25")
BLOCKERS: list[dict[str, Any]] = [
    {"id": "bear", "subtypes": ["bear"], "colors": ["green"]},
    {"id": "golem", "types": ["artifact", "creature"], "power": 3},
    {"id": "titan", "supertypes": ["legendary"], "colors": ["red", "white"], "power": 6},
    {"id": "imp", "colors": ["black"], "token": True, "keywords": ["flying"], "power": 1},
    {"id": "spider", "colors": ["green"], "keywords": ["reach"]},
    {"id": "yeti", "supertypes": ["snow"], "colors": ["red"]},
]
ISLE = {"id": "isle", "controller": "bob", "types": ["land"], "subtypes": ["island"], "supertypes": ["basic"]}


def ask(attacker: dict[str, Any], question: str, **more: Any) -> Answer:
    one = {"id": "a", "controller": "ann", "types": ["creature"], "power": 2, "toughness": 2, **attacker}
    blockers = [{"controller": "bob", "types": ["creature"], "power": 2, "toughness": 2, **each} for each in BLOCKERS]
    said = {"players": {"ann": {"life": 20}, "bob": {"life": 20}}, "battlefield": [one, *blockers, ISLE],
            "attacks": {"a": "bob"}, **more}  # fmt: skip
    return JUDGE.ask(board(said), question)


@pytest.mark.parametrize(("case", "expected"), table("worded.txt", at_least=64))
def test_words_on_an_attacker_are_never_guessed(case: str, expected: str) -> None:
    words, blocker = (part.strip() for part in case.split("|"))
    kind, text = words.split(": ", 1)
    attacker = {"effects": [text]} if kind == "e" else {"keywords": [text]}
    if text == "loses all abilities":
        attacker["keywords"] = ["flying"]
    answer = ask(attacker, f"can_block({blocker}, a)")
    assert answer.value == expected, answer.missing
    if expected == "undetermined":
        assert text in answer.missing[0]
        assert answer.not_encoded == (f"a: {text}",)


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ("gains flyingg", "no keyword is written \"flyingg\"; did you mean 'flying'"),
        ("loses flyng", "did you mean 'flying'"),
        ("gains flying and reech", "did you mean 'reach'"),
    ],
)
def test_a_keyword_that_is_none_is_refused(sentence: str, message: str) -> None:
    with pytest.raises(UnknownEffectError, match=message):
        ask({"effects": [sentence]}, "can_block(bear, a)")


def test_an_effect_of_the_board_gives_and_takes_abilities() -> None:
    assert ask({}, "can_block(bear, a)", effects=[{"effect": "gains flying", "on": "a"}]).value == "no"
    lost = [{"effect": "loses flying", "on": ["a"]}]
    assert ask({"keywords": ["flying"]}, "can_block(bear, a)", effects=lost).value == "yes"


def test_what_a_card_says_beyond_keywords_is_undetermined_where_it_may_matter() -> None:
    nemesis = card_facts("Foe", "Creature — Rogue", "As Foe enters, choose someone.\nProtection from the chosen player")
    shy = card_facts("Shy", "Creature — Rogue", "Shy can't be blocked while it rains.\nWhen Shy dies, draw.")
    said = {
        "players": ["ann", "bob"],
        "battlefield": [
            {"id": "a", "card": "Foe", "controller": "ann", "power": 2, "toughness": 2},
            {"id": "b", "card": "Shy", "controller": "bob", "power": 2, "toughness": 2},
        ],
        "attacks": {"a": "bob"},
    }
    found = board(said, {"Foe": nemesis, "Shy": shy}.get)
    assert JUDGE.ask(found, "can_block(b, a)").value == "undetermined"
    assert JUDGE.ask(found, "can_attack(b, ann)").value == "no"
    assert ("cant_be_blocked", ("b",)) not in board_facts(found)


MISSING = [
    ("power", "dies(bear)", "undetermined", "the power of a"),
    ("power", "dies(a)", "yes", ""),
    ("power", "total_damage(a, bear, 2)", "undetermined", "the power of a"),
    ("power", "can_block(bear, a)", "yes", ""),
    ("toughness", "dies(a)", "undetermined", "the toughness of a"),
    ("toughness", "dies(bear)", "yes", ""),
]


@pytest.mark.parametrize(("lacks", "question", "expected", "missing"), MISSING)
def test_a_number_that_is_not_stated_is_not_guessed(lacks: str, question: str, expected: str, missing: str) -> None:
    one = {"id": "a", "controller": "ann", "types": ["creature"], "power": 2, "toughness": 2}
    bear = {"id": "bear", "controller": "bob", "types": ["creature"], "power": 2, "toughness": 2}
    attacker = {key: value for key, value in one.items() if key != lacks}
    answer = JUDGE.ask(
        board({"players": {"ann": {"life": 20}, "bob": {"life": 20}}, "battlefield": [attacker, bear],
               "attacks": {"a": "bob"}, "blocks": {"bear": "a"}}), question)  # fmt: skip
    assert answer.value == expected, answer.missing
    assert missing in " ".join(answer.missing)
    assert bool(answer.missing) == (expected == "undetermined")


def test_loyalty_and_defense_are_not_guessed_and_none_is_none() -> None:
    for types, key in ((["planeswalker"], "loyalty"), (["battle"], "defense")):
        one = {"id": "w", "controller": "bob", "types": types, "protector": "ann"}
        said = {"players": {"ann": {"life": 20}, "bob": {"life": 20}}, "battlefield": [one]}
        hit = {**said, "battlefield": [one, {"id": "a", "controller": "ann" if key == "loyalty" else "bob",
                                            "types": ["creature"], "power": 2, "toughness": 2}],
               "attacks": {"a": "w"}, "active": "ann" if key == "loyalty" else "bob"}  # fmt: skip
        assert JUDGE.ask(board(said), "dies(w)").value == "no"
        answer = JUDGE.ask(board(hit), "dies(w)")
        assert (answer.value, answer.missing[0]) == ("undetermined", f"the {key} of w: the board does not say")
        assert JUDGE.ask(board({**said, "battlefield": [{**one, key: 0}]}), "dies(w)").value == "yes"


def test_life_that_is_not_stated_is_told_to_be_assumed() -> None:
    found = board({"players": {"ann": {}, "bob": {"life": 7}}, "battlefield": [ISLE]})
    assert JUDGE.ask(found, "life_after(ann, 20)").missing == (
        "the life of ann: 20 is assumed, as a game begins (rule 103.4)",
    )
    assert JUDGE.ask(found, "can_attack(isle, ann)").missing == ()
    team = board({"players": ["ann", "bob"], "variant": "two-headed giant"})
    assert JUDGE.ask(team, "life_after(ann, 20)").value == "undetermined"


def test_what_may_be_blocked_for_lack_of_words_leaves_the_declaration_open() -> None:
    answer = ask({"keywords": ["protection from the chosen player"]}, "legal_blocks", blocks={"bear": "a"})
    assert answer.value == "undetermined"
    assert "protection from the chosen player" in answer.missing[0]


@pytest.mark.parametrize(
    ("sentence", "attacker", "expected"),
    [
        ("can't block creatures with power 3 or greater", {"power": 3}, "no"),
        ("can't block creatures with power 3 or greater", {"power": 2}, "yes"),
        ("can't block white creatures", {"colors": ["white"]}, "no"),
        ("can't block white creatures", {"colors": ["red"]}, "yes"),
        ("can't block creatures with flying", {}, "yes"),
    ],
)
def test_what_a_creature_cannot_block(sentence: str, attacker: dict[str, Any], expected: str) -> None:
    effect = {"effect": sentence, "on": "spider"}
    assert ask(attacker, "can_block(spider, a)", effects=[effect]).value == expected


@pytest.mark.parametrize(("land", "expected"), [("an Island", "yes"), ("a Swamp", "no"), ("a basic land", "yes"),
                                                 ("a snow land", "no")])  # fmt: skip
def test_an_attack_may_ask_for_a_land_of_the_defending_player(land: str, expected: str) -> None:
    said = {"effects": [f"can't attack unless defending player controls {land}"]}
    assert ask(said, "can_attack(a, bob)").value == expected


def test_a_duty_to_attack_or_block_is_obeyed() -> None:
    for sentence in ("attacks each turn if able", "attacks each combat if able"):
        assert ask({"effects": [sentence]}, "attack_demand(a, _, _)").value == "yes"
    for sentence in ("blocks each turn if able", "blocks each combat if able."):
        assert ask({"effects": [sentence]}, "block_demand(a, _, _)").value == "yes"


@pytest.mark.parametrize(
    ("sentence", "near"),
    [
        ("can't be blocked except by nice creatures", "can't be blocked except by {quality}"),
        ("can't be blocked by nice creatures", "can't be blocked by {quality}"),
        ("can't block nice creatures", "can't block {quality}"),
        ("can't attack unless it rains", "can't attack unless defending player controls {quality}"),
        ("must block nobody", "must block {object}"),
    ],
)
def test_the_hint_is_the_nearest_of_the_same_verb(sentence: str, near: str) -> None:
    with pytest.raises(UnknownEffectError) as error:
        ask({"effects": [sentence]}, "can_block(bear, a)")
    assert str(error.value).endswith(f'; did you mean "{near}"?')
