"""Knows how signals become a ranking and a confidence: weights in a readable file, learned from cases free to use."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from operator import mul
from typing import Any

from kb.shipped import shipped
from query.citing.signals import SIGNALS, Candidate

_OF_ONE_RULE = 3


@dataclass(frozen=True, slots=True)
class Ranked:
    """A rule by its place, best first in a ranking; `signals` are the parts of `score` by name.

    `share` is the part of the whole ranking's weight that the rule has, `confidence` the measured chance that a
    person would cite it.
    """

    place: int
    score: float
    share: float
    confidence: float
    signals: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Calibration:
    """How confidence is made, and from where on a citation is asserted.

    A logistic curve over a rule's share, its score, its lead on the next one, and whether it is the first.
    """

    offset: float
    share: float
    score: float
    lead: float
    first: float
    asserted: float

    def confidence(self, share: float, score: float, lead: float, *, first: bool) -> float:
        """The chance that a person would cite the rule."""
        share = min(max(share, 1e-6), 1 - 1e-6)
        odds = math.log(share / (1 - share))
        said = self.offset + self.share * odds + self.score * score + self.lead * lead + self.first * first
        return 1 / (1 + math.exp(-said))


class Ranker:
    """A weighted sum of signals, each counted in its usual spread.

    `means` and `spreads` are those of the cases learned from; `weights` how much one spread counts.
    """

    def __init__(
        self, means: Sequence[float], spreads: Sequence[float], weights: Sequence[float], calibration: Calibration
    ) -> None:
        self.means, self.weights, self.calibration = tuple(means), tuple(weights), calibration
        self._scaled = [weight / spread for weight, spread in zip(weights, spreads, strict=True)]
        self._spreads = tuple(spreads)
        self._usual = sum(map(mul, self.means, self._scaled))

    @classmethod
    def load(cls, *, semantic: bool) -> Ranker:
        """The shipped weights: with the embedding or without."""
        said = json.loads(shipped("citing", "weights.json").read_text(encoding="utf-8"))
        return cls.from_json(said["semantic" if semantic else "base"])

    @classmethod
    def from_json(cls, said: Mapping[str, Any]) -> Ranker:
        """The ranker that `as_json` wrote; raises `KeyError` where a signal is missing."""
        rows = [said["signals"][name] for name in SIGNALS]
        means, spreads, weights = ([row[part] for row in rows] for part in ("mean", "spread", "weight"))
        return cls(means, spreads, weights, Calibration(**said["confidence"]))

    def as_json(self) -> dict[str, Any]:
        """Mean, spread and weight by signal, and how confidence is made."""
        rows = zip(SIGNALS, self.means, self._spreads, self.weights, strict=True)
        return {
            "signals": {
                name: {"mean": round(mean, 4), "spread": round(spread, 4), "weight": round(weight, 4)}
                for name, mean, spread, weight in rows
            },
            "confidence": {part: round(value, 4) for part, value in asdict(self.calibration).items()},
        }

    def rank(self, found: Sequence[Candidate], most: int = 20) -> list[Ranked]:
        """The best candidates, best first."""
        scores = [self._score(candidate.values) for candidate in found]
        if not scores:
            return []
        best = max(scores)
        weights = [math.exp(score - best) for score in scores]
        whole = sum(weights)
        order = _spread(sorted(range(len(found)), key=lambda at: (-scores[at], found[at].place)), found)[: most + 1]
        leads = [scores[at] - scores[after] for at, after in pairwise(order)] + [0.0]
        return [
            Ranked(
                found[at].place,
                scores[at],
                weights[at] / whole,
                self.calibration.confidence(weights[at] / whole, scores[at], lead, first=at == order[0]),
                self._parts(found[at].values),
            )
            for at, lead in zip(order[:most], leads, strict=False)
        ]

    def _score(self, values: Sequence[float]) -> float:
        score: float = sum(map(mul, values, self._scaled)) - self._usual
        return score

    def _parts(self, values: Sequence[float]) -> dict[str, float]:
        rows = zip(SIGNALS, values, self.means, self._scaled, strict=True)
        return {name: scaled * (value - mean) for name, value, mean, scaled in rows}


def _spread(order: Sequence[int], found: Sequence[Candidate]) -> list[int]:
    """The order with no more than `_OF_ONE_RULE` subrules of one rule before the rules of others are named."""
    counts: Counter[int] = Counter()
    first: list[int] = []
    later: list[int] = []
    for at in order:
        counts[found[at].family] += 1
        (first if counts[found[at].family] <= _OF_ONE_RULE else later).append(at)
    return first + later
