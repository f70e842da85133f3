"""Knows how the rules are searched: what bypasses ranking, what ranks above what, which hits are one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from itertools import chain
from typing import Any

from kb.index import Index, IndexedRuling, Match, Passage
from kb.number import RuleNumber
from kb.rulebook import plain
from kb.words import stem, words
from query.errors import UnknownFilter
from query.lookup import Lookup
from query.resting import Resting
from query.search_cards import SearchedCards
from query.search_numbers import asked_numbers
from query.search_words import SearchWords, mended, names_a_variant, sought

KINDS = ("rule", "glossary", "example", "ruling", "card")
"""What can be searched for."""

_ORDER = {"rule": 0, "chapter": 1, "glossary": 2}
_POINTED_AT = 2  # rules that a glossary entry brings with it
_RULINGS = 10  # that rest on a rule and are shown with it
_LOOKED_AT = 60
_LEAST_FOUND = 10  # when fewer passages have every word, those with some are taken too
_WORTH = {"rule": 1.0, "glossary": 0.85, "example": 0.6}
_VARIANT = 0.55  # of the relevance that a rule of a casual variant has when nobody asked for one
_FIRST_VARIANT_CHAPTER = 800


@dataclass(frozen=True, slots=True)
class Hit:
    """Something found: a rule, glossary entry, example, ruling or card, with its text and the words that were sought.

    `key` is the rule's number, a glossary entry's key or a ruling's, or the card's name; `heading` its titles, the
    ruling's card, or the card's types;
    `marks` are spans of `text`; `why` says how it was found; `also` are neighbours that say the same less well.
    """

    kind: str
    key: str
    heading: str
    text: str
    why: str
    edition: str
    marks: tuple[tuple[int, int], ...] = ()
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found, best first; `asked` is what was searched for, where a misspelling was mended; `more` is how
    many hits the limit has left out.
    """

    search: str
    asked: str
    edition: str
    hits: tuple[Hit, ...]
    more: int = 0

    def as_json(self) -> dict[str, Any]:
        """The answer as plain values, for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Filters:
    """What a search is limited to: `kind` of `KINDS`, `section` the beginning of a number, `card` a card's name."""

    kind: str | None = None
    section: str = ""
    card: str | None = None
    limit: int = 10


class Search:
    """Searches in one edition: the index for words, the graph for numbers and what cites them."""

    def __init__(self, index: Index, lookup: Lookup) -> None:
        self.index, self.lookup, self.edition = index, lookup, lookup.edition
        self._cards = SearchedCards(index, lookup)

    def search(self, text: str, filters: Filters = Filters()) -> Found:
        """What is found for `text`, as people type it: numbers, a name, words, "phrases", -without.

        Raises `UnknownEntry` for a number that is not there, `UnknownFilter` for what nothing can be limited to.
        """
        self._check(filters)
        numbers = asked_numbers(text, self.lookup) if filters.card is None else None
        if numbers is not None:
            found = self._of_number(numbers[0]) if len(numbers) == 1 else self._of_numbers(numbers)
            return self._told(text, text, found, filters)
        search = sought(text)
        cards = self._cards.called(text) if filters.card is None else ()
        card = [Hit("card", one.name, one.type_line, one.text, "card", self.edition) for one in cards]
        asked = search if card else mended(search, self.index.words)
        words = self._of_words(asked, text if asked == search else asked.text, filters)
        return self._told(text, asked.text if asked != search else text, chain(card, words), filters)

    def _check(self, filters: Filters) -> None:
        if filters.kind is not None and filters.kind not in KINDS:
            raise UnknownFilter(f"there is no kind {filters.kind!r} of hits; the kinds are {', '.join(KINDS)}.")
        if filters.section and not any(key.startswith(filters.section) for key in self.lookup.keys):
            raise UnknownFilter(f"nothing in the rules of {self.edition} stands under {filters.section!r}.")

    def _told(self, text: str, asked: str, found: Iterable[Hit], filters: Filters) -> Found:
        hits = [hit for hit in found if _wanted(hit, filters)]
        return Found(text, asked, self.edition, tuple(hits[: filters.limit]), max(0, len(hits) - filters.limit))

    def card_name(self, name: str) -> str:
        """The printed name of the card that is called so; raises as `SearchedCards.named` does."""
        return self._cards.named(name).name

    def chapter(self, key: str) -> tuple[Hit, ...]:
        """Every rule of the chapter that an entry stands in, in the order of the book."""
        return tuple(self._hit(passage, "chapter", ()) for passage in self.index.below(self.edition, key[:3]))

    def _of_numbers(self, keys: Iterable[str]) -> Iterator[Hit]:
        """Several numbers give what each names and what is below it."""
        for key in keys:
            for passage in (*self.index.of_key(self.edition, key), *self.index.below(self.edition, key)):
                if passage.kind != "name":
                    yield self._hit(passage, "number", ())

    def _of_number(self, key: str) -> Iterator[Hit]:
        """A number gives what it names and what is below it, then what cites it, with the citing words."""
        for passage in (*self.index.of_key(self.edition, key), *self.index.below(self.edition, key)):
            if passage.kind != "name":
                yield self._hit(passage, "number", ())
        whole = {key, *(passage.key for passage in self.index.below(self.edition, key))}
        seen: set[tuple[str, str]] = set()
        for part in sorted(whole, key=lambda each: RuleNumber.parse(each.partition("~")[0])):
            for link in self.lookup.links_in(part):
                if link.source not in whole and (link.source, link.place) not in seen:
                    seen.add((link.source, link.place))
                    yield from self._citing(link.source, link.place, link.start, link.end, part)

        yield from self._resting_on(sorted(whole))

    def _resting_on(self, keys: Iterable[str]) -> Iterator[Hit]:
        """The rulings that were found to rest on the rules, the surest first, the words that led there marked."""
        store, names = self.lookup.store, self.lookup.names
        rulings = Resting(store, names)
        found = [each for key in keys for each in rulings.on(names.rule(self.edition, key), key)]
        found.sort(key=lambda each: -each.confidence)
        texts = self.index.rulings(dict.fromkeys(each.ruling for each in found))
        hits: dict[str, Hit] = {}
        for each in found:
            ruling = texts[each.ruling]
            if ruling.text in hits:  # the same words on another card
                hits[ruling.text] = replace(hits[ruling.text], also=(*hits[ruling.text].also, ruling.card))
            elif len(hits) < _RULINGS:
                why = f"rests on {each.rule}, inferred, {each.confidence:.2f}"
                heading = f"{ruling.card}, {ruling.date}"
                hits[ruling.text] = Hit("ruling", ruling.key, heading, ruling.text, why, self.edition, each.evidence)
        yield from hits.values()

    def _citing(self, source: str, place: str, start: int, end: int, target: str) -> Iterator[Hit]:
        """The passage that cites, the citing words marked."""
        passages = [passage for passage in self.index.of_key(self.edition, source) if passage.kind != "name"]
        examples = [passage for passage in passages if passage.kind == "example"]
        if place.startswith("example "):
            passages = examples[int(place.removeprefix("example ")) - 1 :]
        for passage in passages[:1]:
            yield replace(self._hit(passage, f"cites {target}", ()), marks=((start, end),))

    def _of_words(self, search: SearchWords, said: str, filters: Filters) -> Iterator[Hit]:
        if filters.card is not None:
            yield from self._of_card(filters.card, search)
            return
        stems = {stem(word) for part in (*search.words, *search.phrases) for word in part.split()}
        seen: set[str] = set()
        for passage, why in self._named(said, search) if filters.kind in (None, "rule", "glossary") else ():
            hit = self._hit(passage, why, stems)
            if passage.key not in seen and _wanted(hit, filters):
                seen.add(passage.key)
                yield hit
        if filters.kind != "ruling" and search.some:
            yield from self._ranked(search, filters, stems, seen)
        if filters.kind in (None, "ruling") and search.every and not filters.section:
            limit = filters.limit if filters.kind == "ruling" else 3
            yield from self._rulings(self.index.match_rulings(search.every, limit), stems)

    def _named(self, said: str, search: SearchWords) -> Iterator[tuple[Passage, str]]:
        """What bears the name that was typed, or what is left of the question without the words that ask.

        A glossary entry brings the rules that it points to.
        """
        names = dict.fromkeys((plain(said), plain(search.text)) if not search.without else ())
        found = [passage for name in names if name for passage in self.index.named(self.edition, name)]
        found.sort(key=lambda passage: _ORDER.get(passage.kind, len(_ORDER)))
        for passage in dict.fromkeys(found):
            if passage.kind == "name":
                yield from ((whole, "name") for whole in self._whole(passage.key))
            else:
                yield passage, "title"
            if passage.key.startswith("term/"):
                targets = [link.target for link in self.lookup.links_out(passage.key) if link.kind != "term"]
                for target in [target for target in targets if target][:_POINTED_AT]:
                    yield from ((whole, f"glossary: {passage.heading}") for whole in self._whole(target))

    def _whole(self, key: str) -> list[Passage]:
        """The rule, chapter or glossary entry of a key."""
        return [passage for passage in self.index.of_key(self.edition, key) if passage.kind in _ORDER][:1]

    def _ranked(self, search: SearchWords, filters: Filters, stems: set[str], seen: set[str]) -> Iterator[Hit]:
        kinds = (filters.kind,) if filters.kind else ("rule", "glossary", "example")
        matches = self.index.match(self.edition, search.every, kinds, _LOOKED_AT, filters.section)
        if len(matches) < _LEAST_FOUND and len(search.words) > 1:
            matches += self.index.match(self.edition, search.some, kinds, _LOOKED_AT, filters.section)
        variant = names_a_variant(search.text)
        scored = {match.passage: self._worth(match, stems, variant) for match in matches}
        best = sorted(scored, key=lambda passage: -scored[passage])
        yield from self._grouped([passage for passage in best if passage.key not in seen], stems)

    def _worth(self, match: Match, stems: set[str], variant: bool) -> float:
        """Relevance, times how much of the search the passage covers, less for what nobody asked for."""
        passage = match.passage
        covered = len(stems.intersection(passage.stems.split())) / max(1, len(stems))
        casual = _VARIANT if passage.chapter >= _FIRST_VARIANT_CHAPTER and not variant else 1.0
        return match.relevance * covered * covered * casual * _WORTH.get(passage.kind, 1.0)

    def _grouped(self, passages: Iterable[Passage], stems: set[str]) -> Iterator[Hit]:
        """One hit for a rule and its neighbours, or for the same words in two places: the best, naming the others."""
        best: dict[tuple[str, str], Hit] = {}
        for passage in passages:
            family = passage.key.rstrip("abcdefghijkmnpqrstuvwxyz") if passage.kind != "glossary" else passage.key
            of = (passage.kind, family)
            if of not in best:
                best[of] = self._hit(passage, "words", stems)
            elif passage.key not in (best[of].key, *best[of].also):
                best[of] = replace(best[of], also=(*best[of].also, passage.key))
        yield from best.values()

    def _of_card(self, named: str, search: SearchWords) -> Iterator[Hit]:
        """The rules of a card's keywords, then the rulings on it; those that have the words, if there are any.

        Raises `UnknownCard`, `AmbiguousCard`, `NoCards`.
        """
        card = self._cards.named(named)
        stems = {stem(word) for word in search.words}
        for keyword in card.keywords.split("\n") if card.keywords else ():
            for passage in self.index.named(self.edition, plain(keyword)):
                if passage.kind == "rule":
                    yield from self._of_keyword(passage, f"keyword of {card.name}", stems)
        every = self.index.match_rulings(search.every, 50, card.name) if search.every else None
        yield from self._rulings(self.index.rulings_on(card.name) if every is None else every, stems)

    def _of_keyword(self, rule: Passage, why: str, stems: set[str]) -> Iterator[Hit]:
        """A keyword's rule, or where words are sought those of its subrules that have one."""
        for passage in (rule, *self.index.below(self.edition, rule.key)) if stems else (rule,):
            if not stems or stems.intersection(passage.stems.split()):
                yield self._hit(passage, why, stems)

    def _rulings(self, rulings: Iterable[IndexedRuling], stems: set[str]) -> Iterator[Hit]:
        seen: set[str] = set()
        for ruling in rulings:
            if ruling.text not in seen:
                seen.add(ruling.text)
                marks = _marks(ruling.text, stems)
                yield Hit(
                    "ruling", ruling.key, f"{ruling.card}, {ruling.date}", ruling.text, "words", self.edition, marks
                )

    def _hit(self, passage: Passage, why: str, stems: Iterable[str]) -> Hit:
        marks = _marks(passage.text, set(stems))
        return Hit(passage.kind, passage.key, passage.heading, passage.text, why, passage.edition, marks)


def _marks(text: str, stems: set[str]) -> tuple[tuple[int, int], ...]:
    """The spans of the words that were sought; neighbours in one."""
    spans: list[tuple[int, int]] = []
    for word in words(text) if stems else ():
        if word.stem in stems:
            if spans and not text[spans[-1][1] : word.start].strip():
                spans[-1] = (spans[-1][0], word.end)
            else:
                spans.append((word.start, word.end))
    return tuple(spans)


def _wanted(hit: Hit, filters: Filters) -> bool:
    under = hit.key.startswith(filters.section) if hit.kind != "glossary" else not filters.section
    return filters.kind in (None, hit.kind) and under
