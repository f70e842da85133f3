"""Knows the cards that the peers' cases name, from the test data; without that folder, none."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

from query.predicate.board import CardFacts
from query.predicate.card_text import card_facts
from tests.peers.translate import COLORS, Case


def test_data() -> Path:
    """The folder of the test data."""
    default = Path(__file__).resolve().parents[3] / "shared" / "data"
    return Path(os.environ.get("SEERULE_TEST_DATA", default))


test_data.__test__ = False  # type: ignore[attr-defined]


def cards_of(cases: Iterable[Case]) -> dict[str, CardFacts]:
    """The cards that objects of the cases are named after."""
    names = {thing["name"] for case in cases for thing in case.get("objects", [])}
    path = test_data() / "cards" / "oracle.jsonl"
    found: dict[str, CardFacts] = {}
    if not path.exists():
        return found
    with path.open(encoding="utf-8") as file:
        for line in file:
            card = json.loads(line)
            if card["name"] in names:
                found[card["name"]] = _facts(card)
    return found


def _facts(card: Case) -> CardFacts:
    return card_facts(
        card["name"],
        card.get("type_line", ""),
        card.get("oracle_text", ""),
        [COLORS[color.lower()] for color in card.get("colors", [])],
        card.get("power"),
        card.get("toughness"),
    )
