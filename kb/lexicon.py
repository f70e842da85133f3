"""Knows how keywords are found in running text: longest name first, whole words, verbs in the forms that English
gives them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from kb.keyword import Keyword, Keywords

_DOUBLING = re.compile(r"[^aeiou]*[aeiou][bdgklmnprt]|un[^aeiou]*[aeiou][bdgklmnprt]")


@dataclass(frozen=True, slots=True)
class Token:
    """A keyword's name in a text: `start` and `end` are character offsets, `form` how the name stands there.

    `form` is `name` for the name as the edition has it, `verb` for the third person of a keyword action ("scries"),
    `past` for its other forms ("sacrificed", "tapping").
    """

    start: int
    end: int
    keyword: Keyword
    form: str = "name"

    def moved(self, by: int) -> Token:
        """The same token in a text that begins `by` characters earlier."""
        return Token(self.start + by, self.end + by, self.keyword, self.form)


class Lexicon:
    """Finds the keywords of one edition; built once, asked for every text.

    >>> from kb.number import RuleNumber
    >>> names = ("Flying", "ability"), ("Double", "action"), ("Double Strike", "ability")
    >>> known = [Keyword(name, kind, RuleNumber.parse("702.9")) for name, kind in names]
    >>> [token.keyword.name for token in Lexicon(Keywords("", tuple(known))).tokens("flying and double strike")]
    ['Flying', 'Double Strike']
    """

    def __init__(self, keywords: Keywords) -> None:
        self.keywords = keywords
        self._automaton = _automaton(_names(keywords.values()))
        self._covered = _covered_names(keywords)

    def tokens(self, text: str) -> list[Token]:
        """The keywords of `text` in order, none overlapping another, the longest first where two begin alike."""
        plain = text.replace("’", "'").lower()
        if len(plain) != len(text):  # a few letters grow in lower case; offsets must not
            plain = "".join(sign.lower() if len(sign.lower()) == 1 else sign for sign in text.replace("’", "'"))
        found = [
            Token(at + 1 - length, at + 1, keyword, form)
            for at, (length, keyword, form) in self._automaton.iter(plain)
            if is_whole(plain, at + 1 - length, at + 1)
        ]
        found += self._generic_tokens(plain)
        return list(_longest(found))

    def _generic_tokens(self, plain: str) -> Iterator[Token]:
        for suffix, pattern in self._covered:
            if suffix in plain:
                for word in pattern.finditer(plain):
                    keyword = self.keywords.named(word[0])
                    if keyword is not None:
                        yield Token(word.start(), word.end(), keyword)


def is_whole(text: str, start: int, end: int) -> bool:
    """Whether the span is bounded by no letter, digit or hyphen.

    >>> is_whole("nonflying", 3, 9), is_whole("flying, haste", 0, 6)
    (False, True)
    """
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (before.isalnum() or (before in ("-", "'") and start > 0)) and not (
        after.isalnum() or (after in ("-", "'") and text[end + 1 : end + 2].isalpha())
    )


def _automaton(names: Iterable[tuple[str, Keyword, str]]) -> Any:
    import ahocorasick

    automaton = ahocorasick.Automaton()
    for name, keyword, form in names:
        if name not in automaton:
            automaton.add_word(name, (len(name), keyword, form))
    automaton.make_automaton()
    return automaton


def _names(keywords: Iterable[Keyword]) -> Iterator[tuple[str, Keyword, str]]:
    inflected = []
    for keyword in keywords:
        yield keyword.key, keyword, "name"
        if keyword.kind == "action":
            inflected += [(form, keyword, kind) for form, kind in inflections(keyword.key)]
    yield from inflected


def inflections(name: str) -> Iterator[tuple[str, str]]:
    """The other forms of a keyword action, its first word being the verb, each with its kind.

    >>> list(inflections("scry"))
    [('scries', 'verb'), ('scried', 'past'), ('scrying', 'past')]
    >>> [form for form, _ in inflections("tap")]
    ['taps', 'tapped', 'tapping']
    """
    verb, _, rest = name.partition(" ")
    after = f" {rest}" if rest else ""
    consonant_y = verb.endswith("y") and verb[-2:-1] not in "aeiou"
    stem = verb[:-1] + "i" if consonant_y else verb
    sibilant = consonant_y or verb.endswith(("s", "x", "z", "ch", "sh"))
    yield f"{stem}{'es' if sibilant else 's'}{after}", "verb"
    if verb.endswith("e"):
        yield from ((f"{verb}d{after}", "past"), (f"{verb[:-1]}ing{after}", "past"))
        return
    root = verb + verb[-1] if _DOUBLING.fullmatch(verb) else verb
    yield f"{stem if consonant_y else root}ed{after}", "past"
    yield f"{root}ing{after}", "past"


def _covered_names(keywords: Keywords) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """For each generic term the pattern of the names that it covers, with the types that may stand before them."""
    types = "|".join(map(re.escape, keywords.types)) or "(?!)"
    return tuple(
        (family.suffix, re.compile(rf"\b(?:(?:non-?)?(?:{types})(?:-covered)? )*[a-z]+{family.suffix}\b"))
        for family in keywords.generic
    )


def _longest(tokens: list[Token]) -> Iterator[Token]:
    end = 0
    for token in sorted(tokens, key=lambda token: (token.start, -token.end)):
        if token.start >= end:
            yield token
            end = token.end
