"""Knows how cases are run and told of: by source and by what is asked; exit status 1 if one fails undisputed."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from query.predicate.judge import Judge
from query.predicate.program import load
from tests.peers.cards import cards_of
from tests.peers.translate import Case
from tests.peers.verdict import FAILED, OPEN, PASSED, Referee, Verdict, verdict

HERE = Path(__file__).parent
DISPUTED = "disputed"


def disputed() -> dict[str, tuple[str, str]]:
    """The cases that the rules contradict: id, deciding rule, reason."""
    lines = (HERE / "disputed.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line.strip() and not line.startswith("#")]
    return {row[0]: (row[1], row[2]) for row in rows}


def run(cases: Sequence[Case]) -> Iterator[tuple[Case, Verdict]]:
    """Each case with what became of it; one that fails and is disputed counts as disputed.

    The rules are the shipped ones and what the cases mean by words of their own.
    """
    known, by = disputed(), Referee(Judge(load([HERE / "peers.rules"])), cards_of(cases))
    for case in cases:
        found = verdict(by, case)
        if found.value == FAILED and case["id"] in known:
            found = Verdict(DISPUTED, f"rule {known[case['id']][0]}: {known[case['id']][1]}", found.answer, found.board)
        yield case, found


def main(arguments: list[str]) -> int:
    """Runs the cases of a file and prints what became of them."""
    if len(arguments) != 1:
        print("usage: python -m tests.peers FILE.jsonl", file=sys.stderr)
        return 2
    with open(arguments[0], encoding="utf-8") as file:
        found = list(run([json.loads(line) for line in file if line.strip()]))
    values = (PASSED, FAILED, OPEN, DISPUTED)
    for title, key in (("source", "from"), ("ask", "ask")):
        print(f"{title:34}" + "".join(f"{value:>14}" for value in values))
        for name in sorted({case[key] for case, _ in found}):
            counted = Counter(one.value for case, one in found if case[key] == name)
            print(f"{name:34}" + "".join(f"{counted[value]:14}" for value in values))
        print()
    for value in (FAILED, DISPUTED, OPEN):
        for case, one in found:
            if one.value == value:
                print(f"{value}: {case['id']}: {one.reason}")
    asked = [one for case, one in found if not case["ask"].endswith("after layers")]
    passed = sum(one.value == PASSED for one in asked)
    print(f"\n{passed} of {len(asked)} cases without layers passed ({passed / max(len(asked), 1):.1%})")
    return 1 if any(one.value == FAILED for _, one in found) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
