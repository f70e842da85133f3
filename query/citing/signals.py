"""Knows every signal that speaks for or against a rule governing a text, each a number that can be explained."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import pairwise
from operator import truediv

from kb.words import stems
from query.citing.book import Book
from query.citing.field import Scores, relative
from query.citing.meaning import Meaning
from query.citing.names import FoundName
from query.citing.reading import Reading

SIGNALS = {
    "words": "the text's words are in the rule",
    "words of the text": "share of the text's words that the rule has",
    "words of the rule": "share of the rule's words that the text has",
    "context": "the text's words are in the rule, its headings and the rule above",
    "family": "the text's words are in the rule and its subrules",
    "heading": "the text's words are in the headings",
    "sentence": "one sentence of the text fits the rule",
    "phrases": "two words side by side are so in the rule",
    "glossary": "the text's words are in glossary entries that point to the rule",
    "citing": "the text's words are in sentences that cite the rule",
    "examples": "the text's words are in the rule's examples",
    "players' words": "the text says it as players do",
    "players' words share": "share of the text that players' words cover",
    "number": "the text prints the rule's number",
    "keyword": "the text names the keyword that the rule is about",
    "keyword alone": "the text asks for nothing but the keyword",
    "keyword not named": "the rule is about a keyword that the text does not name",
    "term": "the text uses a glossary term that points to the rule",
    "term alone": "the text asks for nothing but a glossary term that points to the rule",
    "term above": "the text uses a glossary term that points to the rule above",
    "card keyword": "a named card has the keyword that the rule is about",
    "card text": "the words of named cards are in the rule",
    "above": "the rule above fits",
    "below": "a subrule fits",
    "best of kin": "no other subrule of the same rule fits better",
    "cited by": "a rule that fits cites the rule",
    "cites": "the rule cites a rule that fits",
    "often cited": "other rules and the glossary cite the rule",
    "variant": "the rule is of a variant and the text speaks of one",
    "variant not named": "the rule is of a variant and the text speaks of none",
    "subrule": "the rule is a subrule",
    "title": "the rule is only a title",
    "length": "the rule is long",
    "redundancy": "the rule only says that several instances are one",
    "meaning": "the text means what the rule says (embedding)",
    "players' meaning": "the text means what players say (embedding)",
}
"""Every signal and what it says, in the order of their values."""

_FIRST_PASS = {
    "context": 1.0,
    "words": 1.0,
    "family": 0.5,
    "glossary": 0.5,
    "citing": 0.3,
    "keyword": 0.3,
    "term": 0.3,
    "sentence": 1.0,
    "phrases": 0.5,
    "players' words": 1.0,
    "meaning": 6.0,
    "players' meaning": 1.5,
    "number": 9.0,
}
_RELATIVE = ("words", "context", "family", "heading", "glossary", "citing", "examples", "players")
_STRONGEST = 40


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rule by its place in the book, the place of the rule that it belongs to, and the values of `SIGNALS`."""

    place: int
    family: int
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class _Column:
    """One signal of every rule: the values times `scale`; scaling when a value is asked for spares most of the work."""

    values: Scores
    scale: float = 1.0


def candidates(reading: Reading, meaning: Meaning | None, most: int = 150) -> list[Candidate]:
    """The rules that a first look finds fit, at most `most`, with the value of every signal."""
    columns = _columns(reading, meaning)
    first = _first_pass(columns, reading.book.size)
    columns |= {name: _Column(values) for name, values in _kinship(first, reading.book).items()}
    places = nlargest(most, range(reading.book.size), key=first.__getitem__)
    nothing = _Column([0.0] * reading.book.size)
    ordered = [columns.get(name, nothing) for name in SIGNALS]
    return [
        Candidate(
            place, reading.book.families[place], tuple([column.values[place] * column.scale for column in ordered])
        )
        for place in places
    ]


def _first_pass(columns: dict[str, _Column], size: int) -> Scores:
    """A plain sum of the signals that find rules, as a share of the best."""
    named = [(columns[name], weight) for name, weight in _FIRST_PASS.items() if name in columns]
    parts = [(column.values, column.scale * weight) for column, weight in named if any(column.values)]
    total = nothing = [0.0] * size
    for first in range(0, len(parts), 4):  # four at once: going through all rules is what takes time
        (a, i), (b, j), (c, k), (d, m) = (*parts[first : first + 4], *[(nothing, 0.0)] * 3)[:4]
        total = [t + p * i + q * j + r * k + s * m for t, p, q, r, s in zip(total, a, b, c, d, strict=True)]
    return relative(total)


def _columns(reading: Reading, meaning: Meaning | None) -> dict[str, _Column]:
    """Every signal that does not need the others, for every rule."""
    book, fields = reading.book, reading.book.fields
    said = [word.stem for word in reading.words]
    scored = {name: fields[name].score(said) for name in _RELATIVE if name in fields}
    weight = sum(fields["words"].rarity.get(stem, 0.0) for stem in set(said)) or 1.0
    columns = {name: _share_of_best(scores) for name, scores in scored.items() if name != "players"}
    columns["players' words"] = _share_of_best(scored["players"])
    columns["players' words share"] = _Column(scored["players"], 1 / weight)
    columns["sentence"] = _best_sentence(reading, columns["context"])
    covered = fields["words"].cover(set(said))
    columns["words of the text"] = _Column(covered, 1 / weight)
    plain = {"words of the rule": list(map(truediv, covered, book.weight_of_own))} | _names(reading) | _shape(reading)
    plain["phrases"] = _phrases(book, said)
    if meaning is not None:
        plain["meaning"], plain["players' meaning"] = meaning.compare(_without_names(reading))
    return columns | {name: _Column(values) for name, values in plain.items()} | _cards(reading)


def _share_of_best(scores: Scores) -> _Column:
    best = max(scores, default=0.0)
    return _Column(scores, 1 / best if best > 0 else 1.0)


def _best_sentence(reading: Reading, whole: _Column) -> _Column:
    """How well the sentence that fits a rule best fits it."""
    said = [sentence for sentence in reading.sentences if sentence]
    if len(said) < 2:
        return whole
    context = reading.book.fields["context"]
    each = [relative(context.score(word.stem for word in sentence)) for sentence in said]
    return _Column(list(map(max, *each)))


def _phrases(book: Book, said: Sequence[str]) -> Scores:
    """Pairs of neighbours that text and rule share, the rarer the better; 1 is two or three rare ones."""
    scores = [0.0] * book.size
    for pair in set(pairwise(said)):
        places = book.phrases.get(pair, ())
        for place in places:
            scores[place] += math.log(1 + book.size / len(places)) / 20
    return [min(score, 2.0) for score in scores]


def _names(reading: Reading) -> dict[str, Scores]:
    book = reading.book
    keyword, term, above, number, keyword_alone, term_alone = ([0.0] * book.size for _ in range(6))
    named = Counter(found.name for found in reading.keywords)
    for name in named:
        head = book.keywords[name]
        for place in (head, *book.kin.get(head, ())):
            keyword[place] += 1 / math.sqrt(len(named))
    for place, share in _pointed_at(reading.terms, book):
        term[place] += share
        for narrower in book.kin.get(place, ()):
            above[narrower] = max(above[narrower], term[place])
    for found in reading.numbers:
        number[found.place] = 1.0
    if reading.asks_for_one_name:
        for name in {found.name for found in reading.keywords if reading.is_asked(found)}:
            keyword_alone[book.keywords[name]] = 1.0
        for place, share in _pointed_at([found for found in reading.terms if reading.is_asked(found)], book):
            term_alone[place] += share
    return {
        "keyword": keyword,
        "keyword alone": keyword_alone,
        "term alone": term_alone,
        "keyword not named": [
            of_one if not said else 0.0 for of_one, said in zip(book.of_a_keyword, keyword, strict=True)
        ],
        "term": term,
        "term above": above,
        "number": number,
    }


def _pointed_at(found: Sequence[FoundName], book: Book) -> list[tuple[int, float]]:
    """The rules that the glossary points to from the terms found, with their share of the attention."""
    names = {term.name for term in found}
    return [(place, 1 / len(book.terms[name]) / math.sqrt(len(names))) for name in names for place in book.terms[name]]


def _cards(reading: Reading) -> dict[str, _Column]:
    book = reading.book
    facts = [card.facts for card in reading.cards if card.facts is not None][:4]
    keyword = [0.0] * book.size
    named = {found.name for found in reading.keywords}
    for name in {name for card in facts for name in _card_keywords(card.keywords)} - named:
        if (head := book.keywords.get(name)) is not None:
            for place in (head, *book.kin.get(head, ())):
                keyword[place] = 1.0
    said = list(dict.fromkeys(stem for card in facts for stem in stems(card.text)[:60]))
    return {"card keyword": _Column(keyword), "card text": _share_of_best(book.fields["context"].score(said))}


def _card_keywords(keywords: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(stems(keyword)) for keyword in keywords]


def _shape(reading: Reading) -> dict[str, Scores]:
    book, nothing = reading.book, [0.0] * reading.book.size
    named, unnamed = (book.casual, nothing) if reading.of_a_variant else (nothing, book.casual)
    return {"variant": named, "variant not named": unnamed, **book.shape}


def _kinship(first: Scores, book: Book) -> dict[str, Scores]:
    """How the first look's results pass to the rules above, below and at either end of a reference."""
    below = [0.0] * book.size
    for fit, parent in zip(first, book.parents, strict=True):
        if fit > 0.0 <= parent and fit > below[parent]:
            below[parent] = fit
    above = [first[parent] if parent >= 0 else 0.0 for parent in book.parents]
    best = [1.0 if parent >= 0 and first[place] >= below[parent] else 0.0 for place, parent in enumerate(book.parents)]
    cited, citing = [0.0] * book.size, [0.0] * book.size
    for place in nlargest(_STRONGEST, range(book.size), key=first.__getitem__):
        for target in book.cites.get(place, ()):
            cited[target] = max(cited[target], first[place])
        for source in book.cited_by.get(place, ()):
            citing[source] = max(citing[source], first[place])
    return {"above": above, "below": below, "best of kin": best, "cited by": cited, "cites": citing}


def _without_names(reading: Reading) -> str:
    """The text with "this card" for every card's name."""
    parts, at = [], 0
    for card in reading.cards:
        parts += [reading.text[at : card.start], "this card"]
        at = card.end
    return "".join([*parts, reading.text[at:]])
