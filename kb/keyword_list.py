"""Knows how keywords are listed, on a line of their own or in a sentence: items, each a keyword with its parameter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kb.lexicon import Token
from kb.parameter import Parameter, leading_parameter, whole_parameter

_ITEM_START = re.compile(r"(?:^|[,;] (?:and )?| and )$")
_DANGLING = re.compile(r"[,;]? (?:and|or)$|[,;]$")
_UNKNOWN = re.compile(
    r"(?:, [a-z]+(?: [a-z]+)?)+$"
)  # keywords of another edition or of digital cards: "flying, double team"
_BETWEEN = re.compile(r"^,? ?(?:and/or |and |or |\x00+,? (?:and |or )?)?$|^/$")
_NUMBER = re.compile(r" (?:[A-Z]\w+ )?(?:\d+|X)\b(?!/)|(?: |—)(?:\{[^}]+\})+")
_LEADING = re.compile(r"(?:^|, )([A-Z][\w' -]*?) $")


@dataclass(frozen=True, slots=True)
class Item:
    """A keyword and its parameter, `token.start` to `end` in the text, or from `start` where the parameter comes
    first.
    """

    token: Token
    parameter: Parameter
    start: int
    end: int


def keyword_list(text: str, tokens: Sequence[Token]) -> list[Item] | None:
    """The items of `text` if it is a list of keyword abilities and nothing else; `tokens` are the keywords in it.

    None for any other text.
    """
    items = _item_starts(text, tokens)
    if not items or items[0][1] != len(text) - len(text.lstrip()):
        return None
    found: list[Item] = []
    for (token, start), (_, stop) in zip(items, [*items[1:], (None, len(text))], strict=True):
        rest = _DANGLING.sub("", text[token.end : stop].rstrip())
        if start < token.start:
            parameter: Parameter | None = Parameter(text[start : token.start].strip(), 0)
        else:
            parameter = whole_parameter(token.keyword, _UNKNOWN.sub("", rest))
        if parameter is None:
            return None
        found.append(Item(token, parameter, start, token.end + parameter.length))
    return found


def _item_starts(text: str, tokens: Sequence[Token]) -> list[tuple[Token, int]]:
    """The keywords that begin an item, and where the item begins."""
    found: list[tuple[Token, int]] = []
    for token in tokens:
        if token.keyword.kind != "ability":
            continue
        start = token.start
        words = _LEADING.search(text[:start]) if token.keyword.leading else None
        if words is not None:
            start = words.start(1)
        within_name = found and text[start].isupper() and "[name]" in found[-1][0].keyword.forms
        if not within_name and _ITEM_START.search(text[max(start - 7, 0) : start]):
            found.append((token, start))
    return found


def lists_in_sentence(sentence: str, tokens: Sequence[Token]) -> Iterator[list[Item]]:
    """Keyword abilities that one verb governs together; an action stands alone, an ability word in a sentence is
    none.
    """
    group: list[Item] = []
    for token in tokens:
        item = _item(token, sentence)
        joins = group and token.keyword.kind == "ability" == group[-1].token.keyword.kind
        if token.keyword.kind == "ability word" or (joins and group[-1].end > token.start):
            continue
        if joins and _BETWEEN.match(sentence[group[-1].end : token.start]):
            group.append(item)
            continue
        if group:
            yield group
        group = [item]
    if group:
        yield group


def _item(token: Token, sentence: str) -> Item:
    rest = sentence[token.end :]
    if token.keyword.kind == "ability":
        parameter = leading_parameter(token.keyword, rest)
    else:
        number = _NUMBER.match(rest) if token.keyword.forms else None
        parameter = Parameter(number[0].strip(" —"), len(number[0])) if number else Parameter("", 0)
    return Item(token, parameter, token.start, token.end + parameter.length)
