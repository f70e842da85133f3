"""Measures reading, recognising, writing and asking about cards, as ratios within one run.

usage: python tests/bench/bench_cards.py [HOME]      (HOME: a home built with cards, to measure look-ups in)
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from ingest.card_parts import write_facts, write_statements
from ingest.cards import Collection, read_cards, read_rulings
from kb.recognition import Recogniser
from kb.vocabulary import Names
from tests.card_files import ALL_CARDS, ALL_RULINGS, CURRENT, keywords
from tests.official import rulebook


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """The processor time of a call in seconds, and what it gives."""
    start = time.process_time()
    answer = call()
    return time.process_time() - start, answer


def main() -> None:
    """Prints each step's seconds of processor time and its ratio to plain `json.loads` of the same file."""
    plain, _ = timed(lambda: [json.loads(line) for line in ALL_CARDS.read_text(encoding="utf-8").split("\n") if line])
    found = Collection()
    steps = [("parse the cards with json alone", plain)]
    steps.append(("read the cards as values", timed(lambda: read_cards(ALL_CARDS, found))[0]))
    steps.append(("read the rulings as values", timed(lambda: read_rulings(ALL_RULINGS, found))[0]))
    cards, rulings, book = list(found.cards.values()), list(found.rulings.values()), rulebook(CURRENT)
    recogniser = Recogniser(keywords())
    faces = [face for card in cards for face in card.faces]
    steps.append(("recognise keywords", timed(lambda: [recogniser.uses(face) for face in faces])[0]))
    with TemporaryDirectory() as folder:
        target = Path(folder) / "part.nq.gz"
        steps.append(("find and write facts", timed(lambda: write_facts(cards, book, Names(), target))[0]))
        editions = {book.edition: book}
        writing = timed(lambda: write_statements(rulings, cards, editions, Names(), target))[0]
        steps.append(("find and write what is stated and mentioned", writing))
    for name, seconds in steps:
        print(f"{seconds:7.2f} s  {seconds / plain:6.1f} x  {name}")
    if len(sys.argv) > 1:
        look_up(sys.argv[1])


def look_up(home: str) -> None:
    """Prints how long a card takes, the first time and warm."""
    from query.knowledge_base import KnowledgeBase

    with KnowledgeBase.open(home) as base:
        for name in ("Black Knight", "Death-Mask Duplicant", "Humility", "Lightning Bolt"):
            first = timed(lambda name=name: base.card(name))[0]
            warm = min(timed(lambda name=name: base.card(name))[0] for _ in range(20))
            print(f"{first * 1000:7.2f} ms first {warm * 1000:7.2f} ms warm  {name}")


if __name__ == "__main__":
    main()
