"""Knows what is on record for each rule of one edition when rules are sought for a text: its fields, kin and links."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from kb.number import RuleNumber
from kb.players import players_words
from kb.resolution import Link
from kb.resolution import links as links_of
from kb.rulebook import GlossaryEntry, Rule, Rulebook
from kb.words import stems
from query.citing.field import Field

_KEYWORD_CHAPTERS = (701, 702)
_FIRST_VARIANT_CHAPTER = 800
_LARGEST_RANGE = 4  # a reference to more rules than this says little of each


@dataclass(slots=True)
class _Said:
    """What others say of each rule, by its place in the book."""

    glossary: dict[int, list[str]] = field(default_factory=dict)
    citing: dict[int, list[str]] = field(default_factory=dict)
    cites: dict[int, set[int]] = field(default_factory=dict)
    terms: dict[tuple[str, ...], set[int]] = field(default_factory=dict)


class Book:
    """One edition, ready to be searched: every rule by its place, with fields to match and links to follow.

    `examples` says whether the rules' own examples may be used; leave them out to be tested on them.
    """

    def __init__(self, rulebook: Rulebook, links: tuple[Link, ...] | None = None, *, examples: bool = True) -> None:
        self.rulebook = rulebook
        self.rules: tuple[Rule, ...] = rulebook.rules
        self.keys = [rule.key for rule in self.rules]
        self.places = {key: at for at, key in enumerate(self.keys)}
        self.size = len(self.rules)
        self.parents = [self._place(rule.number.parent) for rule in self.rules]
        self.kin: dict[int, list[int]] = {}
        for at, parent in enumerate(self.parents):
            if parent >= 0:
                self.kin.setdefault(parent, []).append(at)
        self.headings = [self._headings(rule) for rule in self.rules]
        self._said = self._listen(links if links is not None else tuple(links_of(rulebook)))
        self._examples = examples

    def _place(self, number: RuleNumber | None) -> int:
        return self.places.get(str(number), -1)

    def _headings(self, rule: Rule) -> list[str]:
        """The rule's own title and those above it, up to the chapter's."""
        above = (rule.number, *rule.number.ancestors)
        titles = self.rulebook.titles
        return [titles[number] for number in above if number in titles and number.level != "section"]

    def _listen(self, links: tuple[Link, ...]) -> _Said:
        said = _Said()
        for link in links:
            targets = [self.places[key] for key in link.targets if key in self.places]
            if link.fault or not targets:
                continue
            if isinstance(link.source, GlossaryEntry):
                self._hear_glossary(said, link.source, targets)
            elif link.place == "text" and len(targets) <= _LARGEST_RANGE:
                self._hear_rule(said, link, link.source, targets)
        return said

    def _hear_glossary(self, said: _Said, entry: GlossaryEntry, targets: list[int]) -> None:
        for target in targets:
            said.glossary.setdefault(target, []).append(f"{entry.heading}. {entry.text}")
        for term in entry.terms:
            if stemmed := tuple(stems(term)):
                said.terms.setdefault(stemmed, set()).update(targets)

    def _hear_rule(self, said: _Said, link: Link, source: Rule, targets: list[int]) -> None:
        """The sentence around a reference says what its target is about."""
        text = source.paragraphs[link.position].text
        start, end = link.reference.start, link.reference.end
        first, last = text.rfind(". ", 0, start) + 1, text.find(". ", end)
        sentence = f"{text[first:start]} {text[end : last if last >= 0 else len(text)]}"
        at = self.places[source.key]
        for target in targets:
            if target != at:
                said.citing.setdefault(target, []).append(sentence)
                said.cites.setdefault(at, set()).add(target)

    @cached_property
    def own(self) -> list[list[str]]:
        """The stems of each rule's own text."""
        return [stems(rule.text) for rule in self.rules]

    @cached_property
    def players(self) -> list[list[str]]:
        """The stems of what players say of each rule."""
        phrases = players_words(self.rulebook)
        return [stems(phrases.get(key, "")) for key in self.keys]

    @cached_property
    def fields(self) -> dict[str, Field]:
        """Every field that a text's words are matched with, by name."""
        heads = [stems(" ".join(titles)) for titles in self.headings]
        parents = [self.own[parent] if parent >= 0 else [] for parent in self.parents]
        below = [[stem for at in self.kin.get(here, ()) for stem in self.own[at]] for here in range(self.size)]
        listed = [self._said.glossary.get(at, []) for at in range(self.size)]
        citing = [self._said.citing.get(at, []) for at in range(self.size)]
        fields = {
            "words": Field(self.own),
            "context": Field(
                [own * 2 + head * 2 + parent for own, head, parent in zip(self.own, heads, parents, strict=True)],
                1.5,
                0.75,
            ),
            "family": Field(
                [own + head + kin for own, head, kin in zip(self.own, heads, below, strict=True)], 1.5, 0.75
            ),
            "heading": Field(heads, 1.0, 0.5),
            "glossary": Field([stems(" ".join(dict.fromkeys(texts))) for texts in listed], 1.2, 0.5),
            "citing": Field([stems(" ".join(texts)) for texts in citing], 1.2, 0.5),
            "players": Field(self.players, 1.2, 0.5),
        }
        if self._examples:
            shown = [" ".join(example.text for example in rule.examples) for rule in self.rules]
            fields["examples"] = Field([stems(text) for text in shown], 1.2, 0.5)
        return fields

    @cached_property
    def phrases(self) -> dict[tuple[str, str], list[int]]:
        """The rules that hold two words side by side."""
        found: dict[tuple[str, str], list[int]] = {}
        for at, own in enumerate(self.own):
            for pair in dict.fromkeys(pairwise(own)):
                found.setdefault(pair, []).append(at)
        return found

    @cached_property
    def keywords(self) -> dict[tuple[str, ...], int]:
        """The headed rules of keyword actions and abilities (chapters 701 and 702), by their stems."""
        headed = [(at, rule) for at, rule in enumerate(self.rules) if rule.number.chapter in _KEYWORD_CHAPTERS]
        return {tuple(stems(rule.heading)): at for at, rule in headed if rule.heading and rule.number.rule > 1}

    @property
    def terms(self) -> dict[tuple[str, ...], set[int]]:
        """The rules that the glossary points to, by the stems of its terms."""
        return self._said.terms

    @property
    def cites(self) -> dict[int, set[int]]:
        """The rules that a rule's text refers to."""
        return self._said.cites

    @cached_property
    def cited_by(self) -> dict[int, set[int]]:
        """The rules whose text refers to a rule."""
        found: dict[int, set[int]] = {}
        for source, targets in self.cites.items():
            for target in targets:
                found.setdefault(target, set()).add(source)
        return found

    @cached_property
    def families(self) -> list[int]:
        """The place of the rule that a subrule belongs to; a rule's own."""
        return [
            parent if rule.number.letter and parent >= 0 else at
            for at, (rule, parent) in enumerate(zip(self.rules, self.parents, strict=True))
        ]

    @cached_property
    def of_a_keyword(self) -> list[float]:
        """1 for every rule of the chapters of keyword actions and abilities."""
        return [1.0 if rule.number.chapter in _KEYWORD_CHAPTERS else 0.0 for rule in self.rules]

    @cached_property
    def casual(self) -> list[float]:
        """1 for every rule of the multiplayer rules and casual variants."""
        return [1.0 if rule.number.chapter >= _FIRST_VARIANT_CHAPTER else 0.0 for rule in self.rules]

    @cached_property
    def fame(self) -> list[float]:
        """How often each rule is referred to, as a logarithm."""
        said = self._said
        return [math.log1p(len(said.citing.get(at, ())) + len(said.glossary.get(at, ()))) for at in range(self.size)]

    @cached_property
    def weight_of_own(self) -> list[float]:
        """The rarity of all different words of each rule's own text."""
        rarity = self.fields["words"].rarity
        return [sum(rarity[stem] for stem in Counter(own)) or 1.0 for own in self.own]

    @cached_property
    def shape(self) -> dict[str, list[float]]:
        """What can be said of each rule whatever the text: the signals of that name."""
        only = "multiple instances"
        return {
            "often cited": self.fame,
            "subrule": [1.0 if rule.number.letter else 0.0 for rule in self.rules],
            "title": [1.0 if rule.heading else 0.0 for rule in self.rules],
            "length": [math.log(1 + len(own)) for own in self.own],
            "redundancy": [1.0 if only in rule.text else 0.0 for rule in self.rules],
        }
