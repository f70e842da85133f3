"""Answers: yes, no or undetermined, with what is missing, why not, and what is left to the players."""

from __future__ import annotations

from typing import Any

import pytest

from query.predicate.answer import Answer
from query.predicate.atom import QuestionError, parse_atom
from query.predicate.board_read import board
from query.predicate.branches import branches
from query.predicate.change import Change, Stated
from query.predicate.checker import check_proof
from query.predicate.combat_table import combat_lines, combat_text
from query.predicate.derive import Deriver
from query.predicate.flips import Flips, nearest
from query.predicate.judge import Judge
from query.predicate.limits import Limits
from query.predicate.program import FactError, load
from query.predicate.proof_data import answer_json, answer_turtle, proof_json
from query.predicate.proof_text import answer_markdown, answer_text, proof_text
from query.predicate.syntax import Fact
from query.predicate.why_not import flips

JUDGE = Judge(load(), "2026-09-25")


def creature(id: str, controller: str, power: int = 2, toughness: int = 2, **more: Any) -> dict[str, Any]:
    return {"id": id, "controller": controller, "types": ["creature"], "power": power, "toughness": toughness, **more}


FLYER: dict[str, Any] = {
    "players": ["ann", "bob"],
    "battlefield": [
        creature("drake", "ann", keywords=["flying"]),
        creature("bear", "bob"),
        creature("elf", "bob", 1, 1),
    ],
    "attacks": {"drake": "bob"},
}
GANG: dict[str, Any] = {
    "players": ["ann", "bob"],
    "battlefield": [creature("rhino", "ann", 4, 4), creature("bear", "bob"), creature("elf", "bob", 1, 1)],
    "attacks": {"rhino": "bob"},
    "blocks": {"bear": "rhino", "elf": "rhino"},
}


def ask(data: dict[str, Any], question: str) -> Answer:
    found = board(data)
    answer = JUDGE.ask(found, question)
    if answer.proof is not None:
        check_proof(answer.proof, JUDGE.program, [*JUDGE.facts(found), *answer.assumed])
    return answer


def test_a_no_is_explained_by_the_rule_that_stands_against_it() -> None:
    answer = ask(FLYER, "can_block(bear, drake)")
    assert answer.value == "no"
    assert "702.9b" in {str(number) for number in answer.citations}
    assert not answer


def test_a_question_with_variables_finds_every_way() -> None:
    assert ask(GANG, "can_block(X, rhino)").found == (("can_block", ("bear", "rhino")), ("can_block", ("elf", "rhino")))
    assert ask(GANG, "can_block(_, rhino)").value == "yes"


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("can_blok(bear, drake)", "did you mean 'can_block'"),
        ("can_block(bear)", "takes 2 arguments, found 1"),
        ("can_block(baer, drake)", "no object on the board is called 'baer'; did you mean 'bear'"),
        ("can_block(3, drake)", "is a object, found 3"),
        ("life_after(ann, x)", "is a number, found 'x'"),
        ("can_block(bear, drake", "character 22: expected ',' or '\\)', found the end"),
        ("", "character 1: expected a predicate's name, found the end"),
        ("can_block(bear, drake) x", "expected the end, found 'x'"),
        ("can_block(bear; drake)", "found '; drake"),
        ("x" * 20000, "at most 10000 characters"),
    ],
)
def test_a_question_that_makes_no_sense_is_told_why(question: str, message: str) -> None:
    with pytest.raises(QuestionError, match=message):
        ask(FLYER, question)


def test_atoms_are_read_as_they_are_written() -> None:
    for text in ("p", "p(a)", 'p("first strike", X, _, -3)', 'p("say \\"no\\"")'):
        assert str(parse_atom(text)) == text


def test_an_open_division_makes_an_answer_undetermined_and_says_what_is_missing() -> None:
    answer = ask(GANG, "dies(elf)")
    assert answer.value == "undetermined"
    assert answer.branches == 5
    assert any(text.startswith("yes if division") for text in answer.missing)
    assert any(text.startswith("no if division") for text in answer.missing)


def test_what_holds_however_damage_is_divided_is_certain() -> None:
    assert ask(GANG, "life_after(bob, 20)").value == "yes"
    assert ask(GANG, "dies(rhino)").value == "no"


def test_banding_leaves_open_who_divides_even_where_a_way_is_stated() -> None:
    banded = {**GANG, "choices": {"divide_in_order": "all"}}
    banded["battlefield"] = [*GANG["battlefield"][:2], creature("elf", "bob", 1, 1, keywords=["banding"])]
    assert ask(banded, "dies(elf)").value == "undetermined"
    assert ask({**GANG, "choices": {"divide_in_order": "all"}}, "dies(elf)").value == "yes"


def test_an_unknown_fact_matters_only_where_it_matters() -> None:
    unknown = {**FLYER, "unknown": ["has(bear, reach)"]}
    answer = ask(unknown, "can_block(bear, drake)")
    assert answer.value == "undetermined"
    assert "whether has(bear, reach)" in answer.missing
    assert ask(unknown, "can_block(elf, drake)").value == "no"
    with pytest.raises(FactError, match="follows from the rules"):
        ask({**FLYER, "unknown": ["can_block(bear, drake)"]}, "can_block(bear, drake)")


def test_the_legend_rule_is_left_to_the_player() -> None:
    two = [creature(one, "ann", name="Isamaru", supertypes=["legendary"]) for one in ("one", "two")]
    data = {"players": ["ann", "bob"], "battlefield": two}
    assert ask(data, "survives(one)").value == "undetermined"
    assert ask({**data, "choices": {"keep": {"ann": "one"}}}, "survives(one)").value == "yes"
    assert ask({**data, "choices": {"keep": {"ann": "one"}}}, "dies(two)").value == "yes"


def test_a_mentor_with_two_targets_is_left_to_the_player() -> None:
    mine = [creature("sage", "ann", 3, 3, keywords=["mentor"]), creature("x", "ann"), creature("y", "ann")]
    data = {"players": ["ann", "bob"], "battlefield": mine, "attacks": {"sage": "bob", "x": "bob", "y": "bob"}}
    assert ask(data, "power(x, 3)").value == "undetermined"
    assert ask(data, "life_after(bob, 12)").value == "yes"
    assert ask({**data, "choices": {"mentor": {"sage": "x"}}}, "power(x, 3)").value == "yes"


def test_a_battle_without_a_protector_is_left_open() -> None:
    siege = {"id": "siege", "controller": "ann", "types": ["battle"], "subtypes": ["siege"], "defense": 3}
    answer = ask({"players": ["ann", "bob"], "battlefield": [siege]}, "survives(siege)")
    assert (answer.value, answer.missing[0]) == ("undetermined", "who protects siege")


def test_too_large_a_board_is_undetermined_with_the_reason() -> None:
    data = {
        "players": ["ann", "bob"],
        "battlefield": [creature("a", "ann", count=3000), creature("b", "bob", count=3000)],
        "attacks": {f"a{at}": "bob" for at in range(1, 3001)},
    }
    answer = Judge(JUDGE.program, limits=Limits(1.0, 200_000)).ask(board(data), "can_block(b1, a1)")
    assert answer.value == "undetermined"
    assert "more than 200,000 facts" in answer.missing[0] or "no answer within" in answer.missing[0]


def test_all_branches_of_a_question_share_its_time() -> None:
    many = [creature(f"b{at}", "bob") for at in range(3)]
    data = {
        **GANG,
        "battlefield": [creature("rhino", "ann", 12, 12), *many],
        "blocks": {b["id"]: "rhino" for b in many},
    }
    answer = Judge(JUDGE.program, limits=Limits(0.05)).ask(board(data), "dies(b1)")
    assert answer.missing[0] == "no answer within 0.05 seconds"
    assert answer.branches < 91


def test_branches_end_even_where_choices_are_many() -> None:
    many = [creature(f"b{at}", "bob", 1, 1) for at in range(8)]
    data = {
        **GANG,
        "battlefield": [creature("rhino", "ann", 9, 9), *many],
        "blocks": {one["id"]: "rhino" for one in many},
    }
    found = list(branches(Deriver(JUDGE.program), JUDGE.facts(board(data)), ["dies"]))
    assert [branch.open for branch in found] == [("how rhino's combat damage is divided",)]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("can_block(bear, drake)", {"with has(bear, flying)", "with has(bear, reach)", "without has(drake, flying)"}),
        ("attacking(0, drake)", {"without attacks(drake, bob)"}),
        (
            "able_to_block(elf)",
            {"with tapped(elf)", "with cant_block(elf)", "with has(elf, decayed)", "without type(elf, creature)"},
        ),
    ],
)
def test_the_smallest_change_that_flips_an_answer(question: str, expected: set[str]) -> None:
    facts = JUDGE.facts(board(FLYER))
    found = flips(JUDGE.deriver, facts, parse_atom(question), cap=30, seconds=20)
    assert expected <= {str(one[0]) for one in found.sets}
    assert {len(one) for one in found.sets} == {1}
    before = JUDGE.ask(board(FLYER), question).value
    for one in found.sets:
        added = {change.fact for change in one if change.added}
        taken = {change.fact for change in one if not change.added}
        model = JUDGE.deriver.derive([*(f for f in facts if f not in taken), *added], [parse_atom(question).predicate])
        atom = parse_atom(question)
        assert ((atom.predicate, atom.arguments) in model) == (before == "no")


def test_two_changes_are_found_where_one_is_not_enough() -> None:
    walled = {
        **FLYER,
        "battlefield": [creature("drake", "ann", keywords=["flying", "shadow"]), *FLYER["battlefield"][1:]],
    }
    found = flips(JUDGE.deriver, JUDGE.facts(board(walled)), parse_atom("can_block(bear, drake)"), cap=3, seconds=30)
    assert found.sets
    assert {len(one) for one in found.sets} == {2}
    assert str(Change(("tapped", ("bear",)), True)) == "with tapped(bear)"


FIGHT: dict[str, Any] = {
    "players": ["ann", "bob"],
    "battlefield": [creature("ogre", "ann", 3, 3), creature("bear", "bob")],
    "attacks": {"ogre": "bob"},
    "blocks": {"bear": "ogre"},
}
UNBLOCKED = {**FIGHT, "blocks": {}}
STEEL = {**FIGHT, "battlefield": [FIGHT["battlefield"][0], creature("bear", "bob", keywords=["indestructible"])]}


@pytest.mark.parametrize(
    ("data", "question", "expected"),
    [
        (FIGHT, "dies(ogre)", {"with has(bear, deathtouch)", 'with has(bear, "double strike")'}),
        (
            FIGHT,
            "dies(bear)",
            {"without attacks(ogre, bob)", "without blocks(bear, ogre)", "with has(bear, indestructible)"},
        ),
        (FIGHT, "life_after(bob, 20)", {"without blocks(bear, ogre)"}),
        (UNBLOCKED, "dies(bear)", {"with blocks(bear, ogre)"}),
        (
            UNBLOCKED,
            "life_after(bob, 20)",
            {"without attacks(ogre, bob)", "with blocks(bear, ogre)", "with has(ogre, infect)"},
        ),
        (
            STEEL,
            "dies(bear)",
            {"without has(bear, indestructible)", "with has(ogre, wither)", "with has(ogre, infect)"},
        ),
    ],
)
def test_a_combat_is_flipped_by_what_a_board_could_state(
    data: dict[str, Any], question: str, expected: set[str]
) -> None:
    facts = JUDGE.facts(board(data))
    found = flips(JUDGE.deriver, facts, parse_atom(question), cap=50, seconds=60)
    assert (found.size, found.gave_up, found.complete) == (1, False, False)
    assert {"damaged", "base_power"} <= set(found.left_out)
    assert expected <= {str(one[0]) for one in found.sets}
    stated = Stated(frozenset(facts), JUDGE.program.declarations)
    assert all(stated.fits(change) for one in found.sets for change in one)


@pytest.mark.parametrize(
    ("fact", "added", "fits"),
    [
        (("attacks", ("bear", "ann")), True, False),  # it is not its controller's turn
        (("attacks", ("ogre", "ann")), True, False),
        (("attacks", ("ogre", "bob")), False, True),
        (("blocks", ("bear", "ogre")), True, True),
        (("blocks", ("bear", "bear")), True, False),
        (("blocks", ("ogre", "ogre")), True, False),
        (("has", ("bear", "flying")), True, True),
        (("has", ("bob", "flying")), True, False),
        (("has", ("bear", "absorb")), True, False),
        (("prevent_damage_to", ("bob",)), True, True),
        (("controls", ("ann", "bear")), True, False),
        (("player", ("ann",)), False, False),
        (("type", ("bear", "planeswalker")), True, False),
        (("type", ("bear", "artifact")), True, True),
        (("type", ("bear", "creature")), False, True),
        (("subtype", ("bear", "aura")), True, False),
        (("gains", ("bear", "flying", "combat damage")), True, False),
    ],
)
def test_a_change_is_one_that_a_board_could_state(fact: Fact, added: bool, fits: bool) -> None:
    stated = Stated(frozenset(JUDGE.facts(board(FIGHT))), JUDGE.program.declarations)
    assert stated.fits(Change(fact, added)) is fits


HELD = {**FIGHT, "players": {"ann": {}, "bob": {"life": 3}}}


def test_what_a_comparison_lacks_is_looked_for_in_what_it_compares() -> None:
    found = flips(JUDGE.deriver, JUDGE.facts(board(HELD)), parse_atom("loses_game(bob, life)"), cap=20, seconds=60)
    assert "without blocks(bear, ogre)" in {str(one[0]) for one in found.sets}


def test_a_search_is_complete_only_where_nothing_that_matters_was_left_out() -> None:
    facts = JUDGE.facts(board({**FLYER, "battlefield": [creature("drake", "ann"), *FLYER["battlefield"][1:]]}))
    found = flips(JUDGE.deriver, facts, parse_atom("tapped_after(bear)"), cap=50, seconds=60)
    assert not found.complete
    menace = {**FIGHT, "battlefield": [creature("ogre", "ann", 3, 3, keywords=["menace"]), creature("bear", "bob")]}
    found = flips(JUDGE.deriver, JUDGE.facts(board(menace)), parse_atom("unlawful_block(ogre, menace)"), cap=50)
    assert found.complete
    assert {str(one[0]) for one in found.sets} == {"without blocks(bear, ogre)", "without has(ogre, menace)"}


def test_a_declaration_that_is_not_legal_is_told_the_nearest_that_is() -> None:
    menace = {**FIGHT, "battlefield": [creature("ogre", "ann", 3, 3, keywords=["menace"]), creature("bear", "bob")]}
    answer = ask(menace, "legal_blocks")
    found = nearest(answer.declaration, answer.value)
    assert found is not None
    assert found.text == "it would be otherwise without blocks(bear, ogre)"
    answer = ask(FIGHT, "legal_blocks")
    assert nearest(answer.declaration, answer.value) is None


def test_a_search_that_gives_up_says_how_far_it_came() -> None:
    facts = JUDGE.facts(board(GANG))
    found = flips(JUDGE.deriver, facts, parse_atom("dies(rhino)"), seconds=0.0)
    assert (found.sets, found.complete, found.gave_up) == ((), False, True)
    assert found.text == "of changes of one fact none was found in 0 boards before time was up"
    assert Flips((), 3, True, 40).text == "no change of up to 3 facts flips the answer (40 boards tried)"


def test_an_answer_is_printed_in_four_forms() -> None:
    answer = ask(FLYER, "can_block(bear, drake)")
    text = answer_text(answer, why=True)
    assert text.startswith("can_block(bear, drake): no")
    assert "rule 702.9b flying" in text
    assert "[rule 702.9b](#702.9b) flying" in answer_markdown(answer, True, lambda number: f"#{number}")
    data = answer_json(answer, why=True)
    assert data["answer"] == "no"
    assert data["proof"][0]["attempts"][0]["rule"] == "509.1b"
    turtle = answer_turtle(answer)
    assert "/id/cr/2026-09-25/702.9b" in turtle
    assert "prov:wasDerivedFrom" in turtle


def test_a_proof_is_read_without_the_course_of_the_steps_and_what_merely_lasts() -> None:
    answer = ask(FIGHT, "dies(bear)")
    assert answer.proof is not None
    text = proof_text(answer.proof)
    assert "blocking(3, bear, ogre)" in text
    assert "rule 509.1g blocking creature (and lasts)" in text
    for unsaid in ("step(", "settled(", "not leaves(", "blocking(2", "2 = 2 "):
        assert unsaid not in text
    assert text.endswith("the JSON and Turtle forms have every step)")
    assert len(text.splitlines()) < len(proof_json(answer.proof)) / 1.5
    short = ask(FLYER, "can_block(bear, drake)").proof
    assert short is not None
    assert "left out" not in proof_text(short)
    assert "would give it, but stopped(bear, drake, _) holds" in proof_text(short)


def test_what_was_lost_and_gained_again_does_not_merely_last() -> None:
    lifelinked = [creature("ogre", "ann", 3, 3), creature("cleric", "bob", 3, 3, keywords=["lifelink"])]
    more = creature("bear", "ann", 3, 3)
    data = {**FIGHT, "battlefield": [*lifelinked, more], "attacks": {"ogre": "bob", "bear": "bob"}}
    answer = ask({**data, "blocks": {"cleric": "ogre"}}, "life_after(bob, 20)")
    assert answer.proof is not None
    assert "3 = sum(M, S : life_lost(3, bob, M, S))" in proof_text(answer.proof)


def test_proofs_share_their_steps() -> None:
    answer = ask({**GANG, "choices": {"divide_in_order": "all"}}, "dies(elf)")
    assert answer.proof is not None
    steps = proof_json(answer.proof)
    assert len(steps) == len(list(answer.proof.steps()))
    assert "shown above" in proof_text(answer.proof)


def test_a_combat_is_told_line_by_line_with_its_rules() -> None:
    data = {**GANG, "choices": {"divide_in_order": "all"}}
    (story,) = combat_lines(JUDGE, board(data))
    told = [line.says for line in story.lines]
    assert told[-2:] == ["ann has 20 life", "bob has 20 life"]
    assert {"bear dies (lethal damage)", "elf dies (lethal damage)", "rhino deals 2 to bear"} <= set(told)
    text = combat_text([story], "text", True, "2026-09-25")
    assert "704.5g" in text
    assert "| combat damage | bear dies (lethal damage) |" in combat_text([story], "md", False, "")
    assert '"says": "bear dies (lethal damage)"' in combat_text([story], "json", False, "")
    assert "sr:Answer" in combat_text([story], "ttl", False, "2026-09-25")
    assert len(combat_lines(JUDGE, board(GANG))) == 5
