"""Knows the sets that citations are measured on: the dev items and the rules' own examples, with their gold numbers.

`now` is the gold as the edition that is asked numbers it: people cited other editions, and numbers move. It serves to
learn from; figures are always scored on the gold as it stands, against the numbers of the edition asked, and against
those of the item's own edition as `seerule cite --batch` gives them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ingest.document import read_rulebook
from kb.edition import changes, words
from kb.number import RuleNumber
from kb.rulebook import Rulebook
from kb.words import stems
from query.citing.cards import CardFacts, CardsInMemory

DATA = Path(os.environ.get("SEERULE_TEST_DATA", Path(__file__).parents[3] / "shared" / "data"))
SCORER = DATA.parent / "checks" / "score_citations.py"
CURRENT, WITH_EXAMPLES = "cr-20260807.txt", "cr-20260116.txt"
SAME_RULE = 0.3
BY_HAND = {
    "iss-mage-371": ("702.103e",),
    "iss-mage-1122": ("106.12a",),
    "pg-scg-m10layers": ("613.8a",),
    "wotc-ruling-15": ("704.6c",),
}
"""What today's edition calls the gold where the edition of the time is not among the test data."""


@dataclass(frozen=True, slots=True)
class Item:
    """A text and the rules that govern it."""

    id: str
    set: str
    text: str
    gold: tuple[str, ...]
    now: tuple[str, ...]
    answer: str = ""
    cards: tuple[str, ...] = ()
    edition: str = ""
    then: Mapping[str, str] | None = None

    def numbered(self, number: str) -> str | None:
        """What the item's edition calls a rule of the edition that is asked; None where it had none."""
        return number if self.then is None else self.then.get(number)


def rulebook(name: str) -> Rulebook:
    return read_rulebook((DATA / "cr" / name).read_bytes(), name)


def cards() -> CardsInMemory:
    """Every card of the test data."""
    found = []
    with open(DATA / "cards" / "oracle.jsonl", encoding="utf-8") as file:
        for line in file:
            said = json.loads(line)
            text = said.get("oracle_text") or "\n".join(
                face.get("oracle_text", "") for face in said.get("card_faces", ())
            )
            found.append(CardFacts(said["name"], said.get("type_line", ""), tuple(said.get("keywords", ())), text))
    return CardsInMemory(found)


def examples(book: Rulebook) -> list[Item]:
    """The rules' own examples; the rule that each is printed under is the gold."""
    return [
        Item(f"{rule.key}/{at}", "examples", example.text, (str(rule.number),), (str(rule.number),))
        for rule in book.rules
        for at, example in enumerate(rule.examples, 1)
    ]


def dev_items(current: Rulebook) -> list[Item]:
    """The dev items, each with its gold as given and as `current` numbers it."""
    editions = _editions()
    numberings = _numberings(editions, current)
    items = []
    for line in (DATA / "citations" / "dev.jsonl").read_text(encoding="utf-8").splitlines():
        said = json.loads(line)
        gold = tuple(said["citations"])
        now = [_today(number, said["edition"], editions, current) for number in gold]
        items.append(
            Item(
                said["id"],
                said["set"],
                said["text"],
                gold,
                BY_HAND.get(said["id"], tuple(dict.fromkeys(number for number in now if number))),
                said.get("answer", ""),
                tuple(said.get("cards", ())),
                said["edition"],
                numberings[max((date for date in numberings if date <= said["edition"]), default=min(numberings))],
            )
        )
    return items


def _editions() -> dict[str, str]:
    """File names by the date in them."""
    names = sorted(path.name for path in (DATA / "cr").glob("cr-????????.txt"))
    return {f"{name[3:7]}-{name[7:9]}-{name[9:11]}": name for name in names}


def _numberings(editions: Mapping[str, str], current: Rulebook) -> dict[str, dict[str, str]]:
    """By edition what it calls the rules of the current one, followed back from each edition to the one before."""
    newest, *older = sorted((date for date in editions if date <= current.edition), reverse=True)
    said = words(current)
    found = {newest: {key: key for key in said}}
    for date in older:
        before = words(rulebook(editions[date]))
        was = {change.new: change.old for change in changes(before, said) if change.old and change.new}
        found[date] = {key: was[then] for key, then in list(found.values())[-1].items() if then in was}
        said = before
    return found


def _today(number: str, edition: str, editions: dict[str, str], current: Rulebook) -> str | None:
    """What `current` calls the rule that was `number` on a day: the same number if it still says the same."""
    if edition >= current.edition:
        return number
    before = [name for date, name in editions.items() if date <= edition] or [min(editions.values())]
    old = rulebook(before[-1])
    asked = RuleNumber.parse(number)
    if asked not in old:
        return number if asked in current else None
    said = set(stems(old[asked].text))

    def alike(other: RuleNumber) -> float:
        words = set(stems(current[other].text))
        return len(said & words) / max(1, len(said | words))

    if asked in current and alike(asked) > SAME_RULE:
        return number
    best = max(current, key=alike)
    return str(best) if alike(best) > SAME_RULE else None
