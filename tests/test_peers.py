"""The board cases of other engines: most pass, none fails undisputed, and every proof on the way is checked."""

from __future__ import annotations

import json
from collections import Counter

from query.predicate.checker import check_proof
from query.predicate.judge import Judge
from query.predicate.program import load
from tests.official import DATA, needs_data
from tests.peers.__main__ import DISPUTED, HERE, disputed, run
from tests.peers.verdict import FAILED, PASSED

FILE = DATA / "board" / "cases.jsonl"


@needs_data
def test_the_peers_cases() -> None:
    cases = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    found = [(case, one) for case, one in run(cases) if not case["ask"].endswith("after layers")]
    counted = Counter(one.value for _, one in found)
    assert len(found) >= 421
    assert counted[FAILED] == 0
    assert counted[PASSED] >= 0.97 * len(found)
    assert counted[DISPUTED] == len(disputed())
    assert all(one.reason for _, one in found if one.value != PASSED)
    judge, checked = Judge(load([HERE / "peers.rules"])), 0
    for _, one in found[::3]:
        if one.answer is not None and one.answer.proof is not None and one.board is not None:
            checked += check_proof(one.answer.proof, judge.program, [*judge.facts(one.board), *one.answer.assumed])
    assert checked > 50
