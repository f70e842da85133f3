"""Knows how well a text's words match one field of every rule: an inverted index scored by BM25."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Scores = list[float]
"""A number for every rule, in the order of the book."""


class Field:
    """One field of all rules: what a rule says, what is said of it, what players call it.

    `documents` are the stems of each rule's field; `saturation` and `length` are BM25's k1 and b.

    >>> field = Field([["flying", "block"], ["reach"], []])
    >>> [score > 0 for score in field.score(["block", "reach"])]
    [True, True, False]
    """

    def __init__(self, documents: Sequence[Sequence[str]], saturation: float = 1.2, length: float = 0.6) -> None:
        self.size = len(documents)
        self._arrays: dict[str, tuple[NDArray[np.intp], NDArray[np.float64]]] = {}
        lengths = [len(document) for document in documents if len(document) > 1]
        mean = sum(lengths) / len(lengths) if lengths else 1.0
        counts: dict[str, list[tuple[int, float]]] = {}
        for at, document in enumerate(documents):
            norm = saturation * (1 - length + length * max(1, len(document)) / mean)
            for term, count in Counter(document).items():
                counts.setdefault(term, []).append((at, count * (saturation + 1) / (count + norm)))
        self.rarity = {
            term: math.log(1 + (self.size - len(found) + 0.5) / (len(found) + 0.5)) for term, found in counts.items()
        }
        self.postings = {
            term: [(at, weight * self.rarity[term]) for at, weight in found] for term, found in counts.items()
        }

    def use_arrays(self) -> None:
        """Scores with numpy from now on: the same sums several times as fast, where the extra `semantic` brings it."""
        import numpy as np

        self._arrays = {
            term: (np.array([at for at, _ in found], np.intp), np.array([weight for _, weight in found]))
            for term, found in self.postings.items()
        }

    def score(self, query: Iterable[str]) -> Scores:
        """The BM25 score of every rule; a word said twice counts less than double."""
        if self._arrays:
            return self._score_by_arrays(query)
        scores = [0.0] * self.size
        for term, count in Counter(query).items():
            times = 1 + math.log(count)
            for at, weight in self.postings.get(term, ()):
                scores[at] += weight * times
        return scores

    def _score_by_arrays(self, query: Iterable[str]) -> Scores:
        import numpy as np

        scores = np.zeros(self.size)
        for term, count in Counter(query).items():
            if term in self._arrays:
                places, weights = self._arrays[term]
                scores[places] += weights * (1 + math.log(count))
        found: Scores = scores.tolist()
        return found

    def cover(self, terms: Collection[str]) -> Scores:
        """The rarity of the terms that every rule's field has, summed."""
        held = [term for term in terms if term in self.postings]
        if self._arrays:
            import numpy as np

            sums = np.zeros(self.size)
            for term in held:
                sums[self._arrays[term][0]] += self.rarity[term]
            summed: Scores = sums.tolist()
            return summed
        covered = [0.0] * self.size
        for term in held:
            rarity = self.rarity[term]
            for at, _ in self.postings[term]:
                covered[at] += rarity
        return covered


def relative(scores: Scores) -> Scores:
    """Scores as a share of the best one."""
    best = max(scores, default=0.0)
    return [score / best for score in scores] if best > 0 else scores
