"""Knows how a random board is made: any keyword that the shipped rules speak of, effects, counters, attacks
and blocks."""

from __future__ import annotations

import random
from typing import Any

from query.predicate.board import Board
from query.predicate.board_read import board
from query.predicate.keyword import STATIC

KEYWORDS = (
    *STATIC, "flying", "reach", "menace", "trample", "first strike", "double strike", "deathtouch", "lifelink",
    "bushido 1", "flanking", "rampage 2", "exalted", "melee", "battle cry", "training", "mentor", "dethrone",
    "afflict 1", "frenzy 2", "persist", "undying", "toxic 1", "poisonous 2", "absorb 1", "annihilator 1",
    "protection from red", "protection from artifacts", "protection from goblins", "protection from each color",
    "protection from everything", "protection from bob", "islandwalk", "snow swampwalk", "nonbasic landwalk",
    "artifact landwalk", "hexproof from black", "ward {2}", "provoke",
)  # fmt: skip
EFFECTS = (
    "can't block", "can't be blocked", "can't be blocked by walls", "can't be blocked except by artifacts",
    "can't be blocked by creatures with power 2 or less",
    "can't be blocked by creatures with power 3 or greater",
    "can block only creatures with flying", "can block an additional creature", "can block any number of creatures",
    "can't be blocked except by two or more creatures", "can't be blocked by more than one creature",
    "must block", "must be blocked", "lure", "can block as though it had reach", "deals no combat damage",
    "assigns combat damage equal to its toughness", "prevent all damage to it", "regenerates", "+1/+1", "-1/-0",
    "assigns combat damage as though it weren't blocked", "its damage can't be prevented", "can't block alone",
    "gains double strike after first combat damage", "loses double strike after first combat damage",
)  # fmt: skip
COLORS = ("white", "blue", "black", "red", "green")
LANDS = ({"subtypes": ["island"], "supertypes": ["basic"]}, {"subtypes": ["swamp"], "supertypes": ["snow", "basic"]},
         {"subtypes": ["tower"]}, {"types": ["artifact", "land"]})  # fmt: skip


def random_data(seed: int, attackers: int = 4, blockers: int = 4) -> dict[str, Any]:
    """The data of a random board: ann attacks bob, some blocks are declared, legal or not."""
    chance = random.Random(seed)
    mine = [_creature(chance, f"a{at}", "ann") for at in range(chance.randint(1, attackers))]
    yours = [_creature(chance, f"b{at}", "bob") for at in range(chance.randint(0, blockers))]
    lands = [
        {"id": f"l{at}", "controller": "bob", "types": ["land"], **chance.choice(LANDS)}
        for at in range(chance.randint(0, 2))
    ]
    attacks = {one["id"]: "bob" for one in mine if chance.random() < 0.8}
    blocks = {
        one["id"]: chance.sample(sorted(attacks), min(len(attacks), chance.choice((1, 1, 1, 2))))
        for one in yours
        if attacks and chance.random() < 0.6
    }
    return {
        "players": {
            "ann": {"life": chance.randint(1, 25)},
            "bob": {"life": chance.randint(1, 25), "poison": chance.randint(0, 9)},
        },
        "battlefield": [*mine, *yours, *lands],
        "attacks": attacks,
        "blocks": blocks,
        "choices": {"divide_in_order": "all"},
    }  # fmt: skip


def random_board(seed: int, attackers: int = 4, blockers: int = 4) -> Board:
    """A random board."""
    return board(random_data(seed, attackers, blockers))


def _creature(chance: random.Random, name: str, controller: str) -> dict[str, Any]:
    return {
        "id": name,
        "controller": controller,
        "types": chance.choice((["creature"], ["creature"], ["artifact", "creature"])),
        "subtypes": chance.choice((["goblin"], ["wall"], ["bear"])),
        "colors": chance.sample(COLORS, chance.choice((0, 1, 1, 2))),
        "power": chance.randint(0, 5),
        "toughness": chance.randint(1, 5),
        "keywords": chance.sample(KEYWORDS, chance.choice((0, 1, 1, 2, 3))),
        "effects": chance.sample(EFFECTS, chance.choice((0, 0, 0, 1))),
        "counters": {kind: chance.randint(1, 2) for kind in ("+1/+1", "-1/-1", "shield") if chance.random() < 0.1},
        "damage": chance.choice((0, 0, 0, 1)),
        "tapped": chance.random() < 0.1,
        "summoning_sick": chance.random() < 0.1,
    }
