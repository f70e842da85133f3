"""What a spell or ability may target, in the game's words: right, or undetermined and not encoded."""

from __future__ import annotations

from typing import Any

import pytest

from query.predicate.answer import Answer
from query.predicate.board_read import board
from query.predicate.card_text import card_facts
from query.predicate.checker import check_proof
from query.predicate.described_ending import Speaker
from query.predicate.description import describe
from query.predicate.judge import Judge
from query.predicate.program import load
from tests.tables import table

JUDGE = Judge(load(), "2026-09-25")
CREATURES: list[dict[str, Any]] = [
    {"id": "rat", "controller": "ann", "subtypes": ["rat"], "colors": ["black"], "tapped": True, "mana_value": 1},
    {"id": "drake", "controller": "ann", "colors": ["blue"], "keywords": ["flying"], "mana_value": 3},
    {"id": "bear", "controller": "bob", "colors": ["green"], "mana_value": 2},
    {"id": "golem", "controller": "bob", "types": ["artifact", "creature"], "mana_value": 4},
    {"id": "titan", "controller": "bob", "supertypes": ["legendary"], "colors": ["red", "white"], "power": 6,
     "toughness": 6},
]  # fmt: skip
BOARD: dict[str, Any] = {
    "players": {"ann": {"life": 20}, "bob": {"life": 20}},
    "battlefield": [
        *({"types": ["creature"], "power": 2, "toughness": 2, **one} for one in CREATURES),
        {"id": "jace", "controller": "bob", "types": ["planeswalker"], "loyalty": 3, "mana_value": 4},
        {"id": "isle", "controller": "bob", "types": ["land"], "subtypes": ["island"], "supertypes": ["basic"]},
        {"id": "siege", "controller": "ann", "types": ["battle"], "subtypes": ["siege"], "defense": 3,
         "protector": "bob", "mana_value": 2},
    ],
    "attacks": {"rat": "bob", "drake": "bob"},
    "blocks": {"bear": "rat"},
}  # fmt: skip
STACK: list[dict[str, Any]] = [
    {"id": "growth", "controller": "bob", "types": ["instant"], "colors": ["green"], "mana_value": 1},
    {"id": "trigger", "controller": "bob", "kind": "triggered ability", "source": "bear"},
    {"id": "loot", "controller": "bob", "kind": "activated ability", "source": "bear"},
    {"id": "unsaid", "controller": "bob", "kind": "ability", "source": "bear"},
]


def ask(stack: list[dict[str, Any]], question: str) -> Answer:
    return JUDGE.ask(board({**BOARD, "stack": stack}), question)


@pytest.mark.parametrize(("case", "expected"), table("targets.txt", at_least=115))
def test_what_may_be_targeted_is_told_by_its_words(case: str, expected: str) -> None:
    words, what = (part.strip() for part in case.split("|"))
    answer = ask([*STACK, {"id": "it", "controller": "ann", "target": words}], f"can_target(it, {what})")
    assert answer.value == expected, answer.missing
    if expected == "undetermined":
        assert answer.missing


def test_words_that_are_not_understood_are_told() -> None:
    answer = ask([{"id": "it", "controller": "ann", "target": "historic permanent"}], "can_target(it, bear)")
    assert answer.not_encoded == ('it: target "historic permanent"',)
    assert "historic permanent" in answer.missing[0]


def test_another_is_any_but_the_source_of_the_ability() -> None:
    it = {"id": "it", "controller": "ann", "kind": "ability", "source": "rat", "target": "another creature"}
    assert ask([it], "can_target(it, rat)").value == "no"
    assert ask([it], "can_target(it, bear)").value == "yes"


def test_without_words_any_permanent_or_player_may_be_targeted_but_nothing_on_the_stack() -> None:
    it = {"id": "it", "controller": "ann"}
    asked = [ask([*STACK, it], f"can_target(it, {what})").value for what in ("bear", "bob", "growth", "it")]
    assert asked == ["yes", "yes", "no", "no"]


PROVEN = ["nonblack creature an opponent controls", "attacking creature", "creature; any target", "historic permanent",
          "creature with power 3 or less", "spell"]  # fmt: skip


@pytest.mark.parametrize("words", PROVEN)
def test_the_proofs_hold(words: str) -> None:
    found = board({**BOARD, "stack": [*STACK, {"id": "it", "controller": "ann", "target": words}]})
    for what in ("bear", "rat", "growth"):
        answer = JUDGE.ask(found, f"can_target(it, {what})")
        if answer.proof is not None:
            check_proof(answer.proof, JUDGE.program, [*JUDGE.facts(found), *answer.assumed])
        assert answer.proof is not None or answer.missing


@pytest.mark.parametrize(("card", "expected"), table("card_targets.txt", at_least=20))
def test_a_card_says_what_it_targets(card: str, expected: str) -> None:
    types, text = card.split("; ", 1)
    targets = card_facts("Harm", types, text.replace("\\n", "\n")).targets or ()
    by = Speaker("ann", "it", ["ann", "bob"])
    assert "; ".join(words if describe(words, by) else f"!{words}" for words in targets) == expected


MURDER = card_facts("Murder", "Instant", "Destroy target creature.", ["black"])
PRODIGY = card_facts(
    "Prodigy", "Creature — Human", "{T}: Prodigy deals 1 damage to any target.", power="1", toughness="1"
)
CARDS = {"Murder": MURDER, "Prodigy": PRODIGY}


@pytest.mark.parametrize(
    ("spell", "question", "expected"),
    [
        ({"card": "Murder", "targets": ["jace"]}, "illegal_target(it, jace)", "yes"),
        ({"card": "Murder", "targets": ["jace"]}, "can_target(it, jace)", "no"),
        ({"card": "Murder"}, "can_target(it, bear)", "yes"),
        ({"card": "Murder", "target": "artifact"}, "can_target(it, bear)", "no"),
        ({"kind": "ability", "source": "prodigy"}, "can_target(it, bob)", "yes"),
        ({"kind": "ability", "source": "prodigy"}, "can_target(it, isle)", "no"),
        ({"card": "Prodigy"}, "can_target(it, bear)", "no"),
    ],
)
def test_a_card_on_the_stack_targets_what_its_text_says(spell: dict[str, Any], question: str, expected: str) -> None:
    battlefield = [*BOARD["battlefield"], {"card": "Prodigy", "controller": "ann"}]
    said = {**BOARD, "battlefield": battlefield, "stack": [{"id": "it", "controller": "ann", **spell}]}
    assert JUDGE.ask(board(said, CARDS.get), question).value == expected
