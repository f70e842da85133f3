"""Knows how a ruling's text names cards and glossary terms: by longest match, and never an ordinary word for a card."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from kb.card import Card
from kb.keyword import Keywords
from kb.lexicon import is_whole
from kb.rulebook import Rulebook
from kb.ruling import Mention, MentionKind, Method, Ruling

_SENTENCE_START = re.compile(r"(?:^|[.!?:;—–•\"“‘(\[\n*]|\.\.\.|'')\s*$")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_SET = re.compile(
    r"(?: and [A-Z][\w' ]*)?(?: release| story| Commander| Jumpstart)? "
    r"(?:sets?|blocks?|expansions?|release|cards|draft|boosters?)\b"
)
_DETERMINED = re.compile(
    r"\b(?:[Ee]ach|[Ee]very|[Aa]nother|[Oo]ther|[Aa]ny|[Aa]ll|[Nn]o|[Yy]our|more|[Tt]heir|[Tt]hose|two|three) $"
)
_SMALL = frozenset(
    ["a", "an", "and", "as", "at", "by", "for", "from", "in", "into", "of", "on", "or", "the", "to", "with", "vs"]
)


@dataclass(frozen=True, slots=True)
class _Name:
    """A name that texts may hold, what it names, and whether it is told from ordinary words by its own spelling."""

    text: str
    kind: MentionKind
    target: str
    distinct: bool = True


class Mentioner:
    """Finds what rulings mention among the given cards and the glossary of an edition; built once for all rulings.

    A card's name of one word that also is a keyword, a glossary term, a type or a word of the rulebook is taken for the
    card only in the rulings on that card; any other name of one word only inside a sentence, where its capital says so.
    A name that several cards bear is nobody's, except in the rulings on one of them.
    """

    def __init__(self, cards: Iterable[Card], rulebook: Rulebook, keywords: Keywords) -> None:
        known = list(cards)
        ordinary = _ordinary_words(known, rulebook, keywords)
        self._own = {card.key: _own_names(card) for card in known}
        self._cards = _automaton(_card_names(known, ordinary))
        self._terms = _automaton(_terms(rulebook))

    def mentions(self, ruling: Ruling) -> tuple[Mention, ...]:
        """The cards and glossary terms that the ruling's text names, in order; no two overlap."""
        text = ruling.text.replace("’", "'")
        cards = [*self._own_mentions(ruling, text), *self._card_mentions(text)]
        kept = list(_longest(cards, []))
        terms = list(_longest(self._term_mentions(text.lower()), kept)) if len(text) == len(text.lower()) else []
        return tuple(sorted((*kept, *terms), key=lambda mention: mention.start))

    def _own_mentions(self, ruling: Ruling, text: str) -> Iterator[Mention]:
        for name, method in self._own.get(ruling.card, ()):
            at = text.find(name)
            while at >= 0:
                end = at + len(name)
                if is_name(text, at, end):
                    yield Mention(at, end, "card", ruling.card, method)
                at = text.find(name, end)

    def _card_mentions(self, text: str) -> Iterator[Mention]:
        for end, name in self._cards.iter(text):
            start = end + 1 - len(name.text)
            if not is_name(text, start, end + 1):
                continue
            head = text[max(start - 12, 0) : start]
            plain = not name.distinct and (_SENTENCE_START.search(head) or _DETERMINED.search(head))
            if not plain and not _SET.match(text, end + 1):
                yield Mention(start, end + 1, "card", name.target, "card name")

    def _term_mentions(self, plain: str) -> Iterator[Mention]:
        for end, name in self._terms.iter(plain):
            start = end + 1 - len(name.text)
            if is_whole(plain, start, end + 1):
                yield Mention(start, end + 1, "term", name.target, "glossary term")


def is_name(text: str, start: int, end: int) -> bool:
    """Whether the span stands alone: no part of a longer word or of a longer name in capitals.

    >>> is_name("Fear of Death", 0, 4), is_name("cast Humility, then", 5, 13), is_name("Opts", 0, 3)
    (False, True, False)
    """
    before, after = text[start - 1 : start], text[end:]
    if start and (before.isalnum() or before in "-'"):
        return False
    if after[:1].isalnum() or re.match(r"-\w", after):
        return False
    longer = re.match(r"(?:,? (?:of|the|and|from|to|in|for|a|an|with))* ?([A-Z])", after)
    if longer is not None and after[:1] == " " and not re.match(r" (?:and|or|with|from|to|in|for|a|an|the) ", after):
        return False
    if " // " in text[start:end]:
        return True
    leading = re.search(r"([A-Z][\w'-]*)((?: of| the| in| and)*) $", text[:start])
    if leading is None or (leading[2] and " and" in leading[2]):
        return True
    return bool(_SENTENCE_START.search(text[: leading.start()]) and not leading[2])


def _longest(found: Iterable[Mention], taken: list[Mention]) -> Iterator[Mention]:
    """The mentions that overlap neither one that is `taken` nor a longer one that begins before or with them."""
    end = 0
    for mention in sorted(found, key=lambda mention: (mention.start, -mention.end)):
        clear = not any(mention.start < other.end and other.start < mention.end for other in taken)
        if mention.start >= end and clear:
            yield mention
            end = mention.end


def _own_names(card: Card) -> tuple[tuple[str, Method], ...]:
    """What rulings on a card call it: its name, its faces' names, a legend's short name; the longest first."""
    full = {name.replace("’", "'") for name in (card.name, *card.face_names)}
    short = set()
    for face in card.faces:
        if "Legendary" in face.type_line:
            short.add(re.split(r",| the | of ", face.name.replace("’", "'"))[0])
    names: list[tuple[str, Method]] = [(name, "own name") for name in full]
    names += [(name, "short name") for name in short - full if len(name) > 2 and name[:1].isupper()]
    return tuple(sorted(((name, method) for name, method in names if name), key=lambda named: -len(named[0])))


def _card_names(cards: list[Card], ordinary: frozenset[str]) -> Iterator[_Name]:
    """The names by which any ruling may mention a card; not those that several cards bear or that ordinary words
    make up.
    """
    bearers: dict[str, set[str]] = {}
    for card in cards:
        for name in {card.name, *(name for name in card.face_names if " " in name)}:
            bearers.setdefault(name.replace("’", "'"), set()).add(card.key)
    for name, keys in bearers.items():
        words = _WORD.findall(name.casefold())
        plain = all(word in ordinary or word in _SMALL for word in words)
        told = name[:1].isupper() and not (plain and len(words) < 3) and name.casefold() not in ordinary
        if len(keys) == 1 and words and told:
            yield _Name(name, "card", next(iter(keys)), len(words) > 1)


def _ordinary_words(cards: list[Card], rulebook: Rulebook, keywords: Keywords) -> frozenset[str]:
    """Words that rulings use as words: the rulebook's own in lower case, keywords, glossary terms, types and
    subtypes.
    """
    found = {word for rule in rulebook.rules for word in _WORD.findall(rule.text.replace("’", "'")) if word.islower()}
    terms = {term.replace("’", "'").casefold() for entry in rulebook.glossary for term in entry.terms}
    found |= set(keywords) | terms | {term.rpartition(" ")[0] for term in terms}  # "Two-Headed Giant Variant"
    found |= {word for keyword in keywords.values() for word in _WORD.findall(keyword.key)}
    types = {word.casefold() for card in cards for face in card.faces for word in _WORD.findall(face.type_line)}
    found |= types | {form for word in types for form in (f"{word}s", f"{word[:-1]}ies", f"{word[:-1]}ves")}
    return frozenset(found)


def _terms(rulebook: Rulebook) -> Iterator[_Name]:
    for entry in rulebook.glossary:
        for term in entry.terms if not entry.obsolete else ():
            plain = term.replace("’", "'").casefold()
            if len(plain) > 1:
                yield _Name(plain, "term", entry.heading)
                if plain[-1].isalpha() and not plain.endswith("s"):
                    yield _Name(f"{plain}s", "term", entry.heading)


def _automaton(names: Iterable[_Name]) -> Any:
    import ahocorasick

    automaton = ahocorasick.Automaton()
    for name in names:
        if name.text not in automaton:
            automaton.add_word(name.text, name)
    automaton.add_word("\0", _Name("\0", "term", ""))
    automaton.make_automaton()
    return automaton


def by_target(mentions: Iterable[Mention]) -> Mapping[tuple[MentionKind, str], list[Mention]]:
    """The mentions of one text together by what they name."""
    found: dict[tuple[MentionKind, str], list[Mention]] = {}
    for mention in mentions:
        found.setdefault((mention.kind, mention.target), []).append(mention)
    return found
