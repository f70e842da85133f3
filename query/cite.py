"""Knows how a text is answered with the rules that govern it, each with its confidence and the words that led there."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kb.words import words
from query.citing.book import Book
from query.citing.cards import Cards
from query.citing.evidence import Evidence, evidence
from query.citing.meaning import Meaning
from query.citing.ranker import Ranked, Ranker
from query.citing.reading import Reading, Renumbered
from query.citing.signals import candidates

MOST = 20
"""The most citations that an answer holds."""

_ASSERTED_AMONG = 2  # the measured precision is that of the first two
_LEAST_WORDS = 2  # one word in common proves nothing, however rare it is
_LESS = 0.01  # by so much a citation that is not asserted stays below the least confidence of those that are


@dataclass(frozen=True, slots=True)
class RuleCitation:
    """A rule that may govern a text.

    `confidence` is the measured chance that a person would cite it; `asserted` says that citations of that confidence
    were right in four of five cases when measured on texts not learned from, or that the text prints the number.
    `signals` are the parts of the ranking's
    score by name, in the order of their size.
    """

    rule: str
    confidence: float
    asserted: bool
    evidence: tuple[Evidence, ...] = ()
    signals: Mapping[str, float] | None = None

    def as_json(self) -> dict[str, Any]:
        """Rule, confidence, asserted and evidence as plain values."""
        return {
            "rule": self.rule,
            "confidence": round(self.confidence, 3),
            "asserted": self.asserted,
            "evidence": [
                {"text": one.text, "start": one.start, "end": one.end, "why": one.why} for one in self.evidence
            ],
        }


@dataclass(frozen=True, slots=True)
class Cited:
    """The citations of one text in one edition, best first; `text` is what the spans of their evidence count in."""

    text: str
    edition: str
    citations: tuple[RuleCitation, ...]

    @property
    def asserted(self) -> tuple[RuleCitation, ...]:
        """The citations that the measured precision supports; none where nothing is known to govern the text."""
        return tuple(citation for citation in self.citations if citation.asserted)


class Citer:
    """Cites rules of one edition; `meaning` is the embedding of its rules where the extra `semantic` is used."""

    def __init__(self, book: Book, cards: Cards | None = None, meaning: Meaning | None = None) -> None:
        self.book, self.cards, self.meaning = book, cards, meaning
        self.ranker = Ranker.load(semantic=meaning is not None)
        if meaning is not None:
            for field in book.fields.values():
                field.use_arrays()

    def cite(
        self,
        text: str,
        answer: str = "",
        cards: Collection[str] = (),
        most: int = MOST,
        renumbered: Renumbered | None = None,
    ) -> Cited:
        """The rules that govern `text`, best first; `cards` are names of cards that it is about.

        Where there is an `answer`, the evidence counts in the text, a space and the answer. `renumbered` tells what
        this edition calls a rule that the text prints by another's number.
        """
        reading = Reading(text, self.book, cards, self.cards, answer, renumbered)
        ranking = self.ranker.rank(candidates(reading, self.meaning), most)
        citations = [self._citation(reading, ranked, at) for at, ranked in enumerate(ranking)]
        printed = self._printed(reading, citations)
        numbers = {one.rule for one in printed}
        # without words there is no reason, and beside what is stated nothing is to be inferred
        rest = [one for one in citations if one.rule not in numbers and one.evidence]
        least = self.ranker.calibration.asserted - _LESS if printed else 1.0
        return Cited(reading.text, self.book.rulebook.edition, (*printed, *_falling(rest, least))[:most])

    def _printed(self, reading: Reading, ranked: list[RuleCitation]) -> list[RuleCitation]:
        """The rules whose numbers the text prints, in its order: these are stated, not inferred."""
        signals = {citation.rule: citation.signals for citation in ranked}
        places = dict.fromkeys(number.place for number in reading.numbers)
        rules = [(place, str(self.book.rules[place].number)) for place in places]
        return [RuleCitation(rule, 1.0, True, evidence(reading, place), signals.get(rule, {})) for place, rule in rules]

    def _citation(self, reading: Reading, ranked: Ranked, at: int) -> RuleCitation:
        least = self.ranker.calibration.asserted
        sure = ranked.confidence >= least and at < _ASSERTED_AMONG
        found = evidence(reading, ranked.place)
        enough = sure and (reading.asks_for_one_name or sum(len(words(one.text)) for one in found) >= _LEAST_WORDS)
        parts = sorted(ranked.signals.items(), key=lambda part: -abs(part[1]))
        return RuleCitation(
            rule=str(self.book.rules[ranked.place].number),
            confidence=ranked.confidence if enough else min(ranked.confidence, least - _LESS),
            asserted=enough,
            evidence=found,
            signals=dict(parts),
        )


def _falling(ranked: Sequence[RuleCitation], least: float) -> Iterator[RuleCitation]:
    """The citations in their order, none surer than `least` or the one before: what ranks below another is no surer."""
    for one in ranked:
        least = min(least, one.confidence)
        yield replace(one, confidence=least, asserted=one.asserted and least == one.confidence)
