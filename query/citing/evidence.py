"""Knows which words of a text led to a rule: spans with the reason for each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from query.citing.reading import Reading

_MOST = 4
_GAP = 24  # characters between two words that still make one passage


@dataclass(frozen=True, slots=True)
class Evidence:
    """Words of the text, its characters `start` to `end`, and why they lead to the rule."""

    text: str
    start: int
    end: int
    why: str


def evidence(reading: Reading, place: int) -> tuple[Evidence, ...]:
    """What leads from the text to the rule at `place`: names first, then the passages that share most words with it."""
    found = [*_names(reading, place)]
    found += _shared(reading, place)
    kept: list[Evidence] = []
    for one in found:
        if not any(one.start < other.end and other.start < one.end for other in kept):
            kept.append(one)
    return tuple(sorted(kept[:_MOST], key=lambda one: one.start))


def _names(reading: Reading, place: int) -> Iterator[Evidence]:
    book = reading.book
    family = {place, book.parents[place]}
    for number in reading.numbers:
        if number.place in family:
            yield _span(reading, number.start, number.end, "the number")
    for keyword in reading.keywords:
        if book.keywords[keyword.name] in family:
            head = book.rules[book.keywords[keyword.name]]
            yield _span(reading, keyword.start, keyword.end, f"keyword {head.heading}, {head.number}")
    for term in reading.terms:
        if book.terms[term.name] & family:
            yield _span(reading, term.start, term.end, "glossary term that points here")


def _shared(reading: Reading, place: int) -> list[Evidence]:
    """Runs of words that the rule or players' words for it share, the rarest first."""
    book = reading.book
    own, players = set(book.own[place]), set(book.players[place])
    rarity = book.fields["words"].rarity
    runs: list[tuple[float, int, int, bool]] = []
    for word in reading.words:
        if word.stem not in own and word.stem not in players:
            continue
        weight, is_own = rarity.get(word.stem, 3.0), word.stem in own
        if runs and 0 <= word.start - runs[-1][2] <= _GAP:
            before = runs[-1]
            runs[-1] = (before[0] + weight, before[1], word.end, before[3] or is_own)
        else:
            runs.append((weight, word.start, word.end, is_own))
    runs.sort(key=lambda run: -run[0])
    why = {True: f"words of {book.rules[place].number}", False: "what players say"}
    return [_span(reading, start, end, why[is_own]) for _, start, end, is_own in runs]


def _span(reading: Reading, start: int, end: int, why: str) -> Evidence:
    return Evidence(reading.text[start:end], start, end, why)
