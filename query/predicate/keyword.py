"""Knows how a keyword in the game's own words becomes facts: its number, its quality, the lands a landwalk asks for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from difflib import get_close_matches
from functools import cache

from query.predicate.quality import SUPERTYPES, TYPES, qualities, quality_facts
from query.predicate.subtypes import SUBTYPES
from query.predicate.syntax import Fact

STATIC = (
    "deathtouch", "defender", "double strike", "fear", "first strike", "flying", "haste", "hexproof", "horsemanship",
    "indestructible", "infect", "intimidate", "lifelink", "menace", "reach", "shadow", "shroud", "skulk", "trample",
    "trample over planeswalkers", "vigilance", "wither", "decayed", "banding",
)  # fmt: skip
"""Keywords that more than one instance of changes nothing."""

COUNTED = (
    "absorb", "afflict", "annihilator", "battle cry", "bushido", "dethrone", "exalted", "flanking", "frenzy", "melee",
    "mentor", "persist", "poisonous", "provoke", "rampage", "toxic", "training", "undying", "ward",
)  # fmt: skip
"""Keywords whose every instance counts, some with a number."""

ENCODED = frozenset((*STATIC, *COUNTED, "protection", "hexproof", "landwalk"))
"""The keywords that the shipped rules speak of."""

_NUMBERED = re.compile(r"([a-z][a-z ]*?) (\d+)")
_WALK = re.compile(r"(?:([a-z ]+) )?([a-z']+?)walk")


class KeywordFacts:
    """The facts of one object's keywords; `unknown` are those that the rules do not speak of."""

    def __init__(
        self, thing: str, players: Collection[str], player: bool = False, opponents: Collection[str] = ()
    ) -> None:
        self.facts: list[Fact] = []
        self.unknown: list[str] = []
        self._thing, self._players, self._player = thing, players, player
        self._opponents = opponents
        self._instances: dict[str, int] = {}

    def add(self, text: str) -> None:
        """One keyword as a card prints it.

        >>> drake = KeywordFacts("drake", [])
        >>> for text in ("Flying", "bushido 2", "protection from red", "snow swampwalk", "phasing"):
        ...     drake.add(text)
        >>> from query.predicate.syntax import show_fact
        >>> print("\\n".join(map(show_fact, drake.facts)), drake.unknown)
        has(drake, flying)
        ability(drake, bushido, 1, 2)
        has(drake, bushido)
        protected_from(drake, color, red)
        has(drake, protection)
        landwalk(drake, "snow swampwalk")
        landwalk_wants("snow swampwalk", with, subtype, swamp)
        landwalk_wants("snow swampwalk", with, supertype, snow)
        has(drake, landwalk)
        ability(drake, phasing, 1, 0)
        has(drake, phasing) ['phasing']
        """
        said = " ".join(text.lower().split())
        if said in STATIC:
            self._has(said)
        elif found := next(self._special(said, text), None):
            self.facts.extend(found)
        else:
            self.unknown.append(text)
            self.facts.extend(self._instance(*_split(said)))

    def _has(self, keyword: str) -> None:
        predicate = "player_has" if self._player else "has"
        self.facts.append((predicate, (self._thing, keyword)))

    def _special(self, said: str, text: str) -> Iterator[list[Fact]]:
        yield from self._counted(said)
        for keyword, predicate in (("protection", "protected_from"), ("hexproof", "hexproof_from")):
            if said.startswith(f"{keyword} from "):
                yield from self._from(keyword, predicate, text[len(keyword) + 6 :])
        walk = _WALK.fullmatch(said) or re.fullmatch(r"([a-z ]+) (land)walk", said)
        if walk and (wanted := _wanted(walk[1] or "", walk[2])):
            yield [
                ("landwalk", (self._thing, said)),
                *(("landwalk_wants", (said, *part)) for part in wanted),
                ("has", (self._thing, "landwalk")),
            ]

    def _counted(self, said: str) -> Iterator[list[Fact]]:
        keyword, number = _split(said)
        if keyword in COUNTED:
            yield self._instance(keyword, number)

    def _instance(self, keyword: str, number: int) -> list[Fact]:
        self._instances[keyword] = self._instances.get(keyword, 0) + 1
        instance = self._instances[keyword]
        return [("ability", (self._thing, keyword, instance, number)), ("has", (self._thing, keyword))]

    def _from(self, keyword: str, predicate: str, quality: str) -> Iterator[list[Fact]]:
        found = qualities(quality, self._players, self._opponents)
        if found:
            name = "player_has" if self._player else "has"
            stated: list[Fact] = [(predicate, (self._thing, *one)) for one in found]
            said = "hexproof from" if keyword == "hexproof" else keyword
            yield [*stated, *quality_facts(found), (name, (self._thing, said))]


def _split(said: str) -> tuple[str, int]:
    """A keyword and its number; what a ward costs is no number."""
    if said.startswith("ward"):
        return "ward", 0
    numbered = _NUMBERED.fullmatch(said)
    return (numbered[1], int(numbered[2])) if numbered else (said, 0)


def _wanted(before: str, land: str) -> list[tuple[str, str, str]]:
    """What a landwalk asks of a land: `(with or without, aspect, value)`; empty if it cannot be told."""
    if land != "land" and land not in (*SUPERTYPES, *SUBTYPES):
        return []
    wanted = [] if land == "land" else [_land(land)]
    for word in before.split():
        sense, word = ("without", word[3:]) if word.startswith("non") else ("with", word)
        if word in SUPERTYPES:
            wanted.append((sense, "supertype", word))
        elif word in TYPES:
            wanted.append((sense, "type", word))
        else:
            return []
    return wanted


def _land(word: str) -> tuple[str, str, str]:
    if word in SUPERTYPES:
        return ("with", "supertype", word)
    return ("with", "subtype", word)


@cache
def _headings() -> frozenset[str]:
    """The names of all keyword abilities, the headings of section 702, in lower case."""
    from kb.outline import embedded_outline

    rows = (line.split("\t") for line in embedded_outline().read_text(encoding="utf-8").splitlines())
    return frozenset(row[-1].lower() for row in rows if len(row) > 4 and re.fullmatch(r"702\.\d+", row[1]))


def known_keyword(text: str) -> bool:
    """Whether the game has a keyword of this name, whatever stands after it; not every one is encoded.

    >>> [known_keyword(text) for text in ("Flying", "cycling {2}", "protection from the chosen player", "flyng")]
    [True, True, True, False]
    """
    said = " ".join(text.lower().split())
    read = KeywordFacts("it", [])
    read.add(said)
    if not read.unknown:
        return True
    words = said.split(" ")
    if said.endswith("walk") or said in _headings():
        return True
    sizes = [at for at, word in enumerate(words) if at and re.match(r"[\d{—-]|x$|from$|with$|for$", word)]
    return any(" ".join(words[:size]) in _headings() for size in sizes) or said.startswith("ward")


def nearest_keyword(text: str) -> str:
    """`; did you mean 'flying'?` for the keyword that one misspelt may stand for, else nothing.

    >>> nearest_keyword("flyng"), nearest_keyword("xyzzy")
    ("; did you mean 'flying'?", '')
    """
    said = " ".join(text.lower().split())
    known = [*STATIC, *COUNTED, *sorted(_headings())]
    found = get_close_matches(said, known, n=1, cutoff=0.8)  # further off it may be an ability word, as "battalion"
    return f"; did you mean {found[0]!r}?" if found else ""


def misspelt_keywords(said: Sequence[str], path: str) -> Iterator[str]:
    """What is wrong with keywords of which the game has none, but one much like it; any other is not encoded."""
    for at, text in enumerate(said):
        if not known_keyword(text) and (hint := nearest_keyword(text)):
            yield f"{path}[{at}]: no keyword is written {text!r}{hint}"
