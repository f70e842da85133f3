"""What combats come to where the rules are easily got wrong: each line a board, a question, its answer."""

from __future__ import annotations

from typing import Any

import pytest

from query.predicate.board_read import board
from query.predicate.checker import check_proof
from query.predicate.combat_table import combat_lines
from query.predicate.judge import Judge
from query.predicate.limits import Limits
from query.predicate.program import load
from query.predicate.proof_data import answer_turtle
from query.predicate.proof_text import answer_text
from tests.tables import table

JUDGE = Judge(load(), "2026-09-25")


def creature(text: str) -> dict[str, Any]:
    """`ann a 2/3 flying+bushido 2 token`: controller, name, power and toughness, keywords, `tapped` and the like.

    >>> creature("ann a 2/3 persist+undying")["keywords"]
    ['persist', 'undying']
    """
    controller, name, size, *more = text.split(None, 3)
    power, toughness = size.split("/")
    said = [one for one in (more[0].split("+") if more else []) if one]
    flags = [one for one in said if one in ("tapped", "token")]
    effects = [one[1:] for one in said if one.startswith("!")]
    keywords = [one for one in said if one not in flags and not one.startswith("!")]
    found: dict[str, Any] = {"id": name, "controller": controller, "types": ["creature"], "keywords": keywords}
    return {**found, "power": int(power), "toughness": int(toughness), "effects": effects} | dict.fromkeys(flags, True)


def read(said: str) -> dict[str, Any]:
    """The board of a line: players, creatures, attacks and blocks, each part behind its word."""
    parts = dict(part.strip().split(":", 1) for part in said.split(";"))
    players = {}
    for one in parts["players"].split(","):
        name, _, rest = one.strip().partition(" ")
        life, _, poison = rest.partition("+")
        players[name] = {"life": int(life or 20), "poison": int(poison or 0)}
    found: dict[str, Any] = {"players": players, "choices": {"divide_in_order": "all"}}
    found["battlefield"] = [creature(one) for one in parts["creatures"].split(",")]
    for word in ("attacks", "blocks"):
        found[word] = dict(one.strip().split(">") for one in parts[word].split(",")) if word in parts else {}
    if "teams" in parts:
        found["teams"] = [one.split() for one in parts["teams"].split("|")]
    if "variant" in parts:
        found["variant"] = parts["variant"].strip()
    return found


@pytest.mark.parametrize(("line", "expected"), table("outcomes.txt", 38))
def test_a_combat_comes_to_what_the_rules_say(line: str, expected: str) -> None:
    said, _, question = line.partition(" ? ")
    value, *wanted = expected.split()
    found = board(read(said))
    answer = JUDGE.ask(found, question)
    assert answer.value == value, answer
    if answer.proof is not None:
        check_proof(answer.proof, JUDGE.program, [*JUDGE.facts(found), *answer.assumed])
    told = {*map(str, answer.citations), *" ".join(answer.missing).split()}
    assert set(wanted) <= told


def test_a_combat_that_meets_a_limit_says_so_in_its_table() -> None:
    found = board(read("players: ann, bob; creatures: ann a 2/2; attacks: a>bob"))
    (story,) = combat_lines(Judge(JUDGE.program, limits=Limits(stages=2)), found)
    assert (story.lines, story.open) == ((), ("the stages did not end after 2",))


@pytest.mark.parametrize(
    ("keywords", "spell", "expected"),
    [
        (["hexproof", "hexproof from black"], {"colors": ["red"]}, "no"),
        (["hexproof from black"], {"colors": ["red"]}, "yes"),
        (["hexproof from black"], {"colors": ["black"]}, "no"),
        (["hexproof from black"], {"colors": ["black"], "controller": "ann"}, "yes"),
        (["protection from colorless"], {"colors": []}, "no"),
        (["protection from colorless"], {"colors": ["red"]}, "yes"),
        (["protection from colorless"], {"kind": "ability", "source": "golem"}, "no"),
        (["protection from colorless"], {"kind": "ability", "source": "imp"}, "yes"),
    ],
)
def test_what_may_be_targeted(keywords: list[str], spell: dict[str, Any], expected: str) -> None:
    others = [creature("bob golem 1/1"), {**creature("bob imp 1/1"), "colors": ["black"]}]
    knight = {**creature("ann knight 2/2"), "keywords": keywords}
    stack = [{"id": "bolt", "controller": "bob", **spell}]
    said = {"players": ["ann", "bob"], "battlefield": [knight, *others], "stack": stack}
    assert JUDGE.ask(board(said), "can_target(bolt, knight)").value == expected
    on_player = {**said, "players": {"ann": {"keywords": keywords}, "bob": {}}, "battlefield": others}
    assert JUDGE.ask(board(on_player), "can_target(bolt, ann)").value == expected


def test_a_table_does_not_let_two_abilities_return_one_creature() -> None:
    found = board(
        read("players: ann, bob; creatures: ann a 3/3, bob b 2/2 persist+undying; attacks: a>bob; blocks: b>a")
    )
    told = [[line.says for line in story.lines if " returns " in line.says] for story in combat_lines(JUDGE, found)]
    assert told == [["b returns with a -1/-1 counter"], ["b returns with a +1/+1 counter"]]


@pytest.mark.parametrize(
    ("said", "event", "cites", "spares"),
    [
        (
            "players: ann, bob; creatures: ann a 4/4 trample, bob b 2/2; attacks: a>bob; blocks: b>a",
            "a deals 2 to bob",
            "702.19b",
            "510.4",
        ),
        (
            "players: ann, bob; creatures: ann a 2/2 first strike, bob b 2/2; attacks: a>bob; blocks: b>a",
            "a deals 2 to b",
            "510.4",
            "702.19b",
        ),
        (
            "players: ann, bob; creatures: ann a 2/2 double strike, bob b 3/3; attacks: a>bob; blocks: b>a",
            "a deals 2 to b",
            "702.4b",
            "702.19b",
        ),
        (
            "players: ann, bob; creatures: ann a 2/2, bob b 2/2; attacks: a>bob; blocks: b>a",
            "b dies (lethal damage)",
            "704.5g",
            "702.12b",
        ),
        (
            "players: ann, bob; creatures: ann a 2/2 deathtouch, bob b 3/3; attacks: a>bob; blocks: b>a",
            "b dies (deathtouch)",
            "704.5h",
            "702.12b",
        ),
        ("players: ann, bob; creatures: ann a 2/2, bob b 2/2; attacks: a>bob", "a deals 2 to bob", "510.1b", "800.4e"),
        ("players: ann, bob; creatures: ann a 2/2, bob b 2/2; attacks: a>bob", "bob has 18 life", "119.3", "704.3"),
    ],
)
def test_a_line_of_the_table_cites_what_decides_it(said: str, event: str, cites: str, spares: str) -> None:
    (story,) = combat_lines(JUDGE, board(read(said)))
    told = next(line.citations.split(", ") for line in story.lines if line.says == event)
    assert cites in told
    assert spares not in told


def test_a_declaration_that_breaks_one_rule_and_misses_another_rests_on_both() -> None:
    said = (
        "players: ann, bob; creatures: ann ogre 2/2 menace, ann elf 1/1 !lure, bob bear 2/2; attacks: ogre>bob, elf>bob"
    )
    found = board(read(f"{said}; blocks: bear>ogre"))
    answer = JUDGE.ask(found, "legal_blocks")
    assert {"702.111b", "509.1c"} <= {str(number) for number in answer.citations}
    for proof in answer.proofs:
        check_proof(proof, JUDGE.program, JUDGE.facts(found))
    assert "not block_obeyed(bear, lure, elf)" in answer_text(answer, why=True)
    turtle = answer_turtle(answer)
    for part in (
        "sr:optimum 1",
        "sr:obeyed 0",
        'sr:witness "blocks(bear, elf)"',
        'sr:missed "block_obeyed(bear, lure, elf)"',
    ):
        assert part in turtle
