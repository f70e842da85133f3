"""Knows what may follow the noun of a description: "you control", "with power 2 or less", "without flying"."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

from query.predicate.described_word import Test, words_of


@dataclass(frozen=True, slots=True)
class Speaker:
    """Whose words they are: "you" is `player`, "another" is any but the object `source`; `players` are the names of
    those who play."""

    player: str = ""
    source: str = ""
    players: Collection[str] = ()


NOBODY = Speaker()
"""The speaker of words that are about nobody in particular."""

Tests = list[tuple[Test, ...]]
_OPPONENTS = ("an opponent", "your opponents", "opponents", "each opponent", "each of your opponents")


def _controller(found: re.Match[str], by: Speaker) -> Tests | None:
    aspect = "owner" if "own" in found["verb"] else "controller"
    sense = "without" if "n't" in found["verb"] or found["verb"].startswith("not") else "with"
    if found["who"] in _OPPONENTS:
        return [((sense, f"opposing {aspect}", by.player),)] if by.player else None
    named = {name.lower(): name for name in by.players}
    player = by.player if found["who"] == "you" else named.get(found["who"])
    return [((sense, aspect, player),)] if player else None


def _measured(found: re.Match[str], by: Speaker) -> Tests | None:
    aspect, number = found["measure"], int(found["number"])
    least, most = ("with", f"{aspect} at least", number), ("with", f"{aspect} at most", number)
    how = found["how"] or ""
    return [(least,) if how in (" or greater", " or more") else (most,) if how else (least, most)]


def _compared(found: re.Match[str], by: Speaker) -> Tests | None:
    aspect, number, how = found["measure"], int(found["number"]), found["how"]
    number += {"less than": -1, "greater than": 1}.get(how, 0)
    return [(("with", f"{aspect} at {'most' if 'less' in how or 'most' in how else 'least'}", number),)]


def _keyworded(found: re.Match[str], by: Speaker) -> Tests | None:
    from query.predicate.keyword import COUNTED, STATIC

    known = (*STATIC, *COUNTED, "protection", "landwalk")
    words = re.split(r",? (?:and/or|or|and) |, ", found["keywords"])
    if any(word not in known for word in words):
        return None
    every = found["sense"] == "without" or " and " in found["keywords"]
    tests: list[Test] = [(found["sense"], "keyword", word) for word in words]
    return [tuple(tests)] if every else [(test,) for test in tests]


def _that_is(found: re.Match[str], by: Speaker) -> Tests | None:
    read = [words_of(word) for word in re.split(r",? or |, ", found["words"])]
    tests = [one.adjectives for one in read if one and one.adjectives and one.bare]
    return tests if len(tests) == len(read) else None


_MEASURE = r"(?P<before>.+?) with (?P<measure>power|toughness|mana value)"
ENDINGS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], Speaker], Tests | None]], ...] = (
    (
        re.compile(
            rf"(?P<before>.+?) (?P<who>you|{'|'.join(_OPPONENTS)}|\S+)"
            r" (?P<verb>(?:do(?:es)?n't )?(?:controls?|owns?))"
        ),
        _controller,
    ),
    (re.compile(_MEASURE + r" (?P<number>\d{1,9})(?P<how> or (?:less|fewer|greater|more))?"), _measured),
    (
        re.compile(
            _MEASURE
            + r" (?P<how>less than or equal to|greater than or equal to|less than|greater than|at most|at least)"
            r" (?P<number>\d{1,9})"
        ),
        _compared,
    ),
    (re.compile(r"(?P<before>.+?) (?P<sense>with|without) (?P<keywords>[a-z ,/]+)"), _keyworded),
    (re.compile(r"(?P<before>.+?) that(?:'s| is| are) (?P<words>[a-z ,-]+)"), _that_is),
)
"""What may follow a noun, and how it is read; tried in order, the last ending of the words first."""
