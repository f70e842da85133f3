"""Knows what a card means by a quality: "red", "artifacts", "Goblins", "everything" as aspects and values in
one form."""

from __future__ import annotations

import re
from collections.abc import Collection

from query.predicate.subtypes import SUBTYPES
from query.predicate.syntax import Fact

Quality = tuple[str, str]
"""An aspect (`color`, `type`, `subtype`, `supertype`, `keyword`, `player`, `everything`, `description`), its value."""

COLORS = ("white", "blue", "black", "red", "green")
TYPES = (
    "artifact", "battle", "conspiracy", "creature", "dungeon", "enchantment", "instant", "kindred", "land",
    "phenomenon", "plane", "planeswalker", "scheme", "sorcery", "vanguard",
)  # fmt: skip
SUPERTYPES = ("basic", "legendary", "ongoing", "snow", "world")
BASIC_LANDS = ("plains", "island", "swamp", "mountain", "forest")

_PLURALS = {"elves": "elf", "wolves": "wolf", "dwarves": "dwarf", "werewolves": "werewolf", "thieves": "thief",
            "plains": "plains", "oxen": "ox", "mice": "mouse", "sphinxes": "sphinx", "foxes": "fox",
            "octopuses": "octopus", "pegasuses": "pegasus", "sorceries": "sorcery", "homunculi": "homunculus",
            "fungi": "fungus", "cyclopes": "cyclops", "allies": "ally", "mercenaries": "mercenary",
            "faeries": "faerie", "zombies": "zombie", "coyotes": "coyote", "horses": "horse"}  # fmt: skip


def singular(word: str, known: Collection[str] = ()) -> str:
    """The singular of a card type or creature type; of several that it may be, one that is `known`.

    >>> [singular(word) for word in ("goblins", "elves", "artifacts", "plains", "sorceries")]
    ['goblin', 'elf', 'artifact', 'plains', 'sorcery']
    >>> singular("locuses", ["locus"]), singular("abilities", ["ability"]), singular("locus", ["locus"])
    ('locus', 'ability', 'locus')
    """
    if word in known:
        return word
    guesses = [_PLURALS.get(word, ""), word.removesuffix("s"), word.removesuffix("es")]
    guesses += [word[:-3] + "y", word[:-3] + "f"] if word.endswith(("ies", "ves")) else []
    found = next((guess for guess in guesses if guess in known), "")
    if found or word in _PLURALS:
        return found or _PLURALS[word]
    if word.endswith("ies") and len(word) > 5:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def qualities(text: str, players: Collection[str] = (), opponents: Collection[str] = ()) -> list[Quality] | None:
    """What "protection from TEXT" or "hexproof from TEXT" speaks of; None if it is no quality known here.

    `players`: the names of the players on the board, each of which is a quality too; `opponents`: those who are
    opponents of the player whose object says it. What only a description can say comes as one, by its words.

    >>> qualities("red"), qualities("artifacts"), qualities("Goblins")
    ([('color', 'red')], [('type', 'artifact')], [('subtype', 'goblin')])
    >>> qualities("each color") == [("color", color) for color in COLORS]
    True
    >>> qualities("everything"), qualities("ann", ["ann"]), qualities("creatures with flying")
    ([('everything', 'everything')], [('player', 'ann')], [('keyword', 'flying')])
    >>> qualities("red and from black"), qualities("each of your opponents", ["ann", "bob"], ["bob"])
    ([('color', 'red'), ('color', 'black')], [('player', 'bob')])
    >>> qualities("legendary creatures"), qualities("the color of your choice") is None
    ([('description', 'legendary creatures')], True)
    """
    if text in players:
        return [("player", text)]
    said = " ".join(text.lower().replace("’", "'").split()).rstrip(".")
    if said in _OPPONENTS:
        return [("player", name) for name in opponents] or None
    parts = [part.strip() for part in re.split(r",? and from |, from |,? and (?=from )| and ", said)]
    if len(parts) > 1:
        found = [qualities(part, players, opponents) for part in parts]
        return None if None in found else [one for part in found if part for one in part]
    return _one(said) or _described(said)


_OPPONENTS = ("opponents", "your opponents", "each opponent", "each of your opponents")


def _one(said: str) -> list[Quality] | None:
    if said == "everything":
        return [("everything", "everything")]
    if said in ("each color", "all colors", "each of the five colors"):
        return [("color", color) for color in COLORS]
    said = said.replace("mono-colored", "monocolored").replace("multi-colored", "multicolored")
    if said in (*COLORS, "colorless", "multicolored", "monocolored"):
        return [("color", said)]
    if with_keyword := re.fullmatch(r"creatures? with ([a-z ]+)", said):
        from query.predicate.keyword import COUNTED, STATIC

        return [("keyword", with_keyword[1])] if with_keyword[1] in (*STATIC, *COUNTED) else None
    if singular(said, TYPES) in TYPES:
        return [("type", singular(said, TYPES))]
    if said in SUPERTYPES:
        return [("supertype", said)]
    word = singular(said, SUBTYPES)
    return [("subtype", word)] if word in SUBTYPES else None


def _described(said: str) -> list[Quality] | None:
    from query.predicate.description import describe

    read = describe(said)
    if read is None or read.aspects & {"combat"} or ("with", "kind", "player") in read.options[0]:
        return None
    return [("description", said)]


def quality_facts(found: Collection[Quality]) -> list[Fact]:
    """The facts that say what the descriptions among qualities mean: of sources in any zone (rule 702.16a)."""
    from query.predicate.description import Description, describe

    facts: list[Fact] = []
    for aspect, words in found:
        if aspect == "description" and (read := describe(words)) is not None:
            kinds = [tuple(test for test in option if test[1] != "kind") for option in read.options]
            facts.extend(Description(words, tuple(kinds)).facts)
    return facts
