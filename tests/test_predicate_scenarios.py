"""The rules' own combat examples, in our words: every answer, its citations, and a checked proof."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from kb.shipped import shipped
from query.predicate.board_read import board
from query.predicate.checker import check_proof
from query.predicate.judge import Judge
from query.predicate.program import load

PATHS = sorted(shipped("scenarios").glob("*.yaml"))
SCENARIOS = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in PATHS}
JUDGE = Judge(load())
CASES = [
    pytest.param(said["board"], ask, id=f"{name} {at}")
    for name, said in SCENARIOS.items()
    for at, ask in enumerate(said["ask"], 1)
]


def test_every_combat_example_of_the_rules_is_a_scenario() -> None:
    rules = "113.2a 508.1c 508.1d 509.1b 509.1c 510.1c 702.14d 702.15e 702.19b 702.19c 702.22h 702.164b 802.2a 809.3c"
    told = [name.partition("-")[0] for name in SCENARIOS]
    assert sorted(set(told)) == sorted(rules.split())
    assert told.count("702.19b") == 2
    assert len(CASES) >= 44


@pytest.mark.parametrize(("said", "ask"), CASES)
def test_a_scenario_is_answered(said: dict[str, Any], ask: dict[str, Any]) -> None:
    data = {**said, **ask.get("with", {})}
    found = board({**data, "battlefield": [*data["battlefield"], *ask.get("add", [])]})
    answer = JUDGE.ask(found, ask["question"])
    assert answer.value == ask["answer"], answer
    assert len(answer.found) >= ask.get("found", 0)
    assert {str(number) for number in ask.get("cites", [])} <= {str(number) for number in answer.citations}
    if answer.proof is not None:
        check_proof(answer.proof, JUDGE.program, [*JUDGE.facts(found), *answer.assumed])
