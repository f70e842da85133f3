"""Learns the weights of `data/citing/weights.json` from the dev items and the rules' examples; needs numpy.

usage: train_citations.py [--write] [FOLDER]     prints cross-validated figures; --write keeps the weights; FOLDER keeps
                                                 the vectors of rules between runs
"""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from kb.shipped import shipped
from query.citing.book import Book
from query.citing.meaning import Meaning, Model
from query.citing.ranker import Calibration, Ranked, Ranker
from query.citing.reading import Reading
from query.citing.signals import SIGNALS, Candidate, candidates
from tests.bench import citation_sets as sets

FOLDS, RIDGE, STEPS, RATE = 5, 30.0, 300, 0.05
OWN_WEIGHT, OTHER_WEIGHT = 3.0, 0.2
SEMANTIC = ("meaning", "players' meaning")
PRECISION, TOP, SMALL = 0.8, 2, 0.5


@dataclass
class Case:
    """An item, its candidates, and which of them are right."""

    item: sets.Item
    found: list[Candidate]
    values: np.ndarray
    right: np.ndarray
    weight: float = 1.0


def cases(items: list[sets.Item], book: Book, meaning: Meaning | None, cards: sets.CardsInMemory) -> list[Case]:
    made = []
    for item in items:
        found = candidates(Reading(item.text, book, item.cards, cards, item.answer), meaning)
        values = np.array([candidate.values for candidate in found])
        right = np.array([str(book.rules[candidate.place].number) in item.now for candidate in found], float)
        made.append(Case(item, found, values, right))
    return made


def fold(item: sets.Item) -> int:
    """Items of one rule chapter or one card stay together, so that nothing is learned from the tested text's kin."""
    kin = item.id.partition(".")[0] if item.set == "examples" else item.id
    return int(hashlib.md5(kin.encode()).hexdigest(), 16) % FOLDS


def usable(made: list[Case]) -> list[Case]:
    return [case for case in made if case.right.any()]


def learn(made: list[Case], without: tuple[str, ...] = ()) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Means, spreads and weights: a softmax over each case's candidates, weights held small."""
    stacked = np.concatenate([case.values for case in made])
    means, spreads = stacked.mean(0), np.maximum(stacked.std(0), 0.01)
    made = usable(made)
    values = np.concatenate([(case.values - means) / spreads for case in made])
    sizes = [len(case.right) for case in made]
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    right = np.concatenate([case.right / case.right.sum() for case in made])
    weight = np.repeat([case.weight for case in made], sizes)
    allowed = np.array([name not in without for name in SIGNALS], float)
    weights, slope, square = (np.zeros(len(SIGNALS)) for _ in range(3))
    total = sum(case.weight for case in made)
    for step in range(1, STEPS + 1):
        scores = values @ weights
        scores = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), sizes))
        scores /= np.repeat(np.add.reduceat(scores, starts), sizes)
        gradient = (values.T @ ((scores - right) * weight) + RIDGE * weights) * allowed / total
        slope, square = 0.9 * slope + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2
        weights -= RATE * slope / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return means, spreads, weights


def ranker(made: list[Case], without: tuple[str, ...], calibration: Calibration | None = None) -> Ranker:
    means, spreads, weights = learn(made, without)
    return Ranker(means.tolist(), spreads.tolist(), weights.tolist(), calibration or Calibration(0, 1, 0, 0, 0, 1))


def cross_validated(own: list[Case], other: list[Case], without: tuple[str, ...]) -> dict[str, list]:
    """The ranking of every own case by a ranker that has not seen its fold."""
    rankings = {}
    for tested in range(FOLDS):
        seen = [case for case in own if fold(case.item) != tested]
        for case in seen:
            case.weight = OWN_WEIGHT
        for case in other:
            case.weight = OTHER_WEIGHT
        made = ranker(seen + other, without)
        rankings |= {case.item.id: made.rank(case.found)[:20] for case in own if fold(case.item) == tested}
    return rankings


def figures(own: list[Case], rankings: dict[str, list], book: Book) -> dict[str, dict[str, float]]:
    """any@1, any@5 and fam@5 by set, on the gold as given."""
    found: dict[str, list[tuple[bool, bool, bool]]] = {}
    for case in own:
        if not case.item.gold:
            continue
        numbers = [book.rules[ranked.place].number for ranked in rankings[case.item.id][:5]]
        gold = set(case.item.gold)
        families = {number.rstrip("abcdefghijkmnpqrstuvwxyz") for number in gold}
        near = {f"{number.chapter}.{number.rule}" for number in numbers}
        row = (str(numbers[0]) in gold, bool(gold & set(map(str, numbers))), bool(families & near))
        for name in (case.item.set, "ALL"):
            found.setdefault(name, []).append(row)
    return {
        name: dict(zip(("any@1", "any@5", "fam@5"), np.mean(rows, 0).round(3).tolist(), strict=True)) | {"n": len(rows)}
        for name, rows in found.items()
    }


def calibrate(own: list[Case], rankings: dict[str, list], book: Book) -> Calibration:
    """The logistic curve through cross-validated rankings, and from where on `PRECISION` is reached.

    The curve is fitted to the first `TOP` of each ranking; what is asserted is measured by curves that have not seen
    the fold.
    """
    rows = np.array([row for case in own for row in measures(rankings[case.item.id])])
    right = np.array(
        [is_right(ranked, case.item.now, book) for case in own for ranked in rankings[case.item.id][:TOP]], float
    )
    scored = np.array(
        [is_right_then(ranked, case.item, book) for case in own for ranked in rankings[case.item.id][:TOP]], float
    )
    folds = np.array([fold(case.item) for case in own for _ in rankings[case.item.id][:TOP]])
    chances = np.zeros(len(right))
    for tested in range(FOLDS):
        chances[folds == tested] = chance(rows[folds == tested], curve(rows[folds != tested], right[folds != tested]))
    return Calibration(*map(float, curve(rows, right)), asserted=least_confidence(chances, scored))


def measures(ranking: list) -> list[tuple[float, ...]]:
    """What the curve sees of the first of a ranking."""
    found = []
    for ranked, after in list(pairwise(ranking))[:TOP]:
        share = min(max(ranked.share, 1e-6), 1 - 1e-6)
        lead = ranked.score - after.score
        found.append((1.0, np.log(share / (1 - share)), ranked.score, lead, float(ranked is ranking[0])))
    return found


def is_right(ranked: Ranked, gold: tuple[str, ...], book: Book) -> bool:
    return str(book.rules[ranked.place].number) in gold


def is_right_then(ranked: Ranked, item: sets.Item, book: Book) -> bool:
    """Whether the item's edition calls the rule by a number of the gold."""
    return item.numbered(str(book.rules[ranked.place].number)) in item.gold


def chance(rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-rows @ weights))


def curve(rows: np.ndarray, right: np.ndarray) -> np.ndarray:
    """A logistic regression, its weights held small, by Newton's method."""
    weights = np.zeros(rows.shape[1])
    for _ in range(60):
        now = chance(rows, weights)
        bend = (rows.T * (now * (1 - now))) @ rows + SMALL * np.eye(len(weights))
        weights += np.linalg.solve(bend, rows.T @ (right - now) - SMALL * weights)
    return weights


def least_confidence(chances: np.ndarray, right: np.ndarray) -> float:
    """The least confidence from which on the precision is at least `PRECISION`, all above it counted."""
    order = np.argsort(-chances)
    precision = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    reached = [at for at in range(10, len(order)) if precision[at] >= PRECISION]
    return float(chances[order[reached[-1]]]) if reached else 1.0


def kept(name: str, book: Book, model: Model) -> Meaning:
    """The meaning of a book's rules, from the folder given or made anew."""
    folders = [Path(word) for word in sys.argv[1:] if not word.startswith("--")]
    if not folders:
        return Meaning.of(book, model)
    path = folders[0] / f"{name}.npz"
    if not path.exists():
        Meaning.of(book, model).save(path)
    return Meaning.load(path, model)


def main() -> None:
    current, printed = sets.rulebook(sets.CURRENT), sets.rulebook(sets.WITH_EXAMPLES)
    cards = sets.cards()
    book, bare = Book(current), Book(printed, examples=False)
    model = Model()
    vectors = {name: kept(name, each, model) for name, each in (("book", book), ("bare", bare))}
    written = {}
    for name, without in (("semantic", ()), ("base", SEMANTIC)):
        own = cases(sets.dev_items(current), book, None if without else vectors["book"], cards)
        other = cases(sets.examples(printed), bare, None if without else vectors["bare"], cards)
        rankings = cross_validated(own, other, without)
        for row in figures(own, rankings, book).items():
            print(name, *row)
        on_examples = cross_validated(other, [], without)
        print(name, figures(other, on_examples, bare)["ALL"])
        calibration = calibrate(own, rankings, book)
        print(name, calibration)
        for case in own:
            case.weight = OWN_WEIGHT
        for case in other:
            case.weight = OTHER_WEIGHT
        written[name] = ranker(own + other, without, calibration).as_json()
    if "--write" in sys.argv:
        shipped("citing", "weights.json").write_text(json.dumps(written, indent=1) + "\n")


if __name__ == "__main__":
    main()
