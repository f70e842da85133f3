"""Knows what a rule of one edition is called in another: the same, moved, edited, gone, or new.

Numbers move: keywords and chapters are put in before others, and a citation of 2019 may silently mean another rule
today. Two editions are aligned by what their rules say, never by number alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Literal as OneOf

from pyoxigraph import Literal, Quad

from kb.rulebook import Rule, Rulebook, plain
from kb.vocabulary import PROV, SR, XSD, Names

Kind = OneOf["same", "moved", "edited", "moved and edited", "removed", "added"]

_NUMBERS = re.compile(r"\d{3}(?:\.\d+[a-z]*)?(?:[–-](?:[a-z]|\d+[a-z]?)\b)?")
_ALIKE = 0.5  # the share of words in common from which an edited rule under the same heading is taken for the same rule
_FAR = 0.7  # the share asked of a rule that has also left its place
_RARE = 40  # a word in more rules than this says nothing about which rule it is


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one rule between two editions.

    `old` and `new` are keys, None where the rule is new or gone; `likeness` is the share of words in common, 1.0
    where the texts are the same but for the numbers they cite and 0.0 where there is no other.
    """

    kind: Kind
    old: str | None
    new: str | None
    likeness: float = 1.0


Words = dict[str, tuple[str, ...]]
"""The rules of an edition by key, each as its words: all that an alignment needs to know of an edition."""


def words(rulebook: Rulebook) -> Words:
    """The words of every chapter's title, and of every rule and its examples, without the numbers they cite."""
    titles = {str(head.number): tuple(plain(head.title).split()) for head in rulebook.chapters}
    return titles | {rule.key: _words(rule) for rule in rulebook.rules}


def changes(old: Words, new: Words) -> tuple[Change, ...]:
    """What became of every chapter and rule of `old`, in its order, then those that only `new` has.

    A rule is recognised by its words, the numbers in them left aside; of several with the same words the one in the
    same place; then an edited rule by its place and its words; then by its words alone.

    >>> old = {"702.7": ("swift",), "702.7a": ("a", "swift", "creature", "strikes", "first")}
    >>> new = {"702.8": ("swift",), "702.8a": ("a", "swift", "creature", "always", "strikes", "first")}
    >>> [(change.kind, change.old, change.new) for change in changes(old, new)]
    [('moved', '702.7', '702.8'), ('moved and edited', '702.7a', '702.8a')]
    """
    return _Alignment(old, new).changes()


def revision_quads(old: str, new: str, found: Iterable[Change], names: Names) -> Iterator[Quad]:
    """The changes from edition `old` to edition `new`, in the named graph of this method of inference.

    A rule was a revision of the one it continues; an edited one bears the likeness to it.
    """
    graph = names.revisions
    for change in found:
        if change.old is None or change.new is None:
            continue
        node = names.rule(new, change.new)
        yield Quad(node, PROV.wasRevisionOf, names.rule(old, change.old), graph)
        if change.likeness < 1:
            yield Quad(node, SR.likeness, Literal(f"{change.likeness:.3f}", datatype=XSD.decimal), graph)


class _Alignment:
    """The pairs found so far, and the rules of both editions that have none yet."""

    def __init__(self, old: Words, new: Words) -> None:
        self.old, self.new = old, new
        self.pairs: dict[str, tuple[str, float]] = {}
        self.taken: set[str] = set()

    def changes(self) -> tuple[Change, ...]:
        """Runs the steps from the surest to the least sure and tells the outcome."""
        for step in (self._same_words, self._same_place, self._alike_anywhere):
            step()
        told = [self._told(key) for key in self.old]
        added = [Change("added", None, key, 0.0) for key in self.new if key not in self.taken]
        return (*told, *added)

    def _told(self, key: str) -> Change:
        if key not in self.pairs:
            return Change("removed", key, None, 0.0)
        other, likeness = self.pairs[key]
        moved, edited = other != key, likeness < 1
        kind: Kind = "moved and edited" if moved and edited else "moved" if moved else "edited" if edited else "same"
        return Change(kind, key, other, likeness)

    def _pair(self, old: str, new: str, likeness: float) -> None:
        if old not in self.pairs and new not in self.taken:
            self.pairs[old] = (new, likeness)
            self.taken.add(new)

    def _same_words(self) -> None:
        """Rules whose words are the same; where several are, those of the same number first, then in order."""
        there: dict[tuple[str, ...], list[str]] = {}
        for key, said in self.new.items():
            there.setdefault(said, []).append(key)
        for key, said in self.old.items():
            if key in there.get(said, ()):
                self._pair(key, key, 1.0)
        for key, said in self.old.items():
            left = [other for other in there.get(said, ()) if other not in self.taken]
            if key not in self.pairs and left:
                self._pair(key, self._under_same_parent(key, left), 1.0)

    def _under_same_parent(self, key: str, candidates: Sequence[str]) -> str:
        parent = self._parent_in_new(key)
        return next((other for other in candidates if _parent(other) == parent), candidates[0])

    def _parent_in_new(self, key: str) -> str | None:
        """What the rule above `key` is called in the new edition, as far as is known."""
        above = _parent(key)
        return self.pairs[above][0] if above in self.pairs else above

    def _same_place(self) -> None:
        """Edited rules under the same parent, the most alike first."""
        below: dict[str | None, list[str]] = {}
        for key in self.new:
            if key not in self.taken:
                below.setdefault(_parent(key), []).append(key)
        for key in self.old:
            if key not in self.pairs:
                self._pair_best(key, below.get(self._parent_in_new(key), ()), _ALIKE)

    def _alike_anywhere(self) -> None:
        """Edited rules that have moved: found by the rare words they share."""
        holding: dict[str, list[str]] = {}
        for key, said in self.new.items():
            if key not in self.taken:
                for word in set(said):
                    holding.setdefault(word, []).append(key)
        for key, said in self.old.items():
            if key not in self.pairs:
                near = Counter(
                    other for word in set(said) if len(holding.get(word, ())) <= _RARE
                    for other in holding.get(word, ())
                )  # fmt: skip
                self._pair_best(key, [other for other, _ in near.most_common(8)], _FAR)

    def _pair_best(self, key: str, candidates: Iterable[str], least: float) -> None:
        mine = self.old[key]
        likeness = {other: _likeness(mine, self.new[other]) for other in candidates if other not in self.taken}
        best = max(likeness, key=lambda other: (likeness[other], other == key), default=None)
        if best is not None and likeness[best] >= least:
            self._pair(key, best, min(likeness[best], 0.999))


def _words(rule: Rule) -> tuple[str, ...]:
    return _words_in(" ".join((rule.text, *(example.text for example in rule.examples))))


@lru_cache(maxsize=1 << 13)  # most of an edition stands in the next one word for word
def _words_in(text: str) -> tuple[str, ...]:
    return tuple(plain(_NUMBERS.sub(" ", text)).split())


def _likeness(one: tuple[str, ...], other: tuple[str, ...]) -> float:
    """The share of words that two texts have in common and in the same order."""
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return matcher.ratio() if matcher.real_quick_ratio() >= _ALIKE and matcher.quick_ratio() >= _ALIKE else 0.0


def _parent(key: str) -> str | None:
    """The key above a rule's: 702.9 for 702.9b, 702 for 702.9."""
    number = key.partition("~")[0]
    return number.rstrip("abcdefghijklmnopqrstuvwxyz") if number[-1].isalpha() else number.partition(".")[0]
