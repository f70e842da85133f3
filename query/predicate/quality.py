"""Knows what a card means by a quality: "red", "artifacts", "Goblins", "everything" as aspects and values in
one form."""

from __future__ import annotations

import re
from collections.abc import Collection

Quality = tuple[str, str]
"""An aspect (`color`, `type`, `subtype`, `supertype`, `keyword`, `player`, `everything`) and its value."""

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


def qualities(text: str, players: Collection[str] = ()) -> list[Quality] | None:
    """What "protection from TEXT" or "hexproof from TEXT" speaks of; None if it is no quality known here.

    `players`: the names of the players on the board, each of which is a quality too.

    >>> qualities("red"), qualities("artifacts"), qualities("Goblins")
    ([('color', 'red')], [('type', 'artifact')], [('subtype', 'goblin')])
    >>> qualities("each color") == [("color", color) for color in COLORS]
    True
    >>> qualities("everything"), qualities("ann", ["ann"]), qualities("creatures with flying")
    ([('everything', 'everything')], [('player', 'ann')], [('keyword', 'flying')])
    >>> qualities("red and from black")
    [('color', 'red'), ('color', 'black')]
    >>> qualities("the color of your choice") is None
    True
    """
    if text in players:
        return [("player", text)]
    said = " ".join(text.lower().split())
    parts = [part.strip() for part in re.split(r",? and from |, from |,? and (?=from )| and ", said)]
    if len(parts) > 1:
        found = [qualities(part, players) for part in parts]
        return None if None in found else [one for part in found if part for one in part]
    return _one(said)


def _one(said: str) -> list[Quality] | None:
    if said == "everything":
        return [("everything", "everything")]
    if said in ("each color", "all colors", "each of the five colors"):
        return [("color", color) for color in COLORS]
    if said in (*COLORS, "colorless", "multicolored", "monocolored"):
        return [("color", said)]
    if with_keyword := re.fullmatch(r"creatures? with ([a-z ]+)", said):
        return [("keyword", with_keyword[1])] if " or " not in said and "power" not in said else None
    word = singular(said)
    if word in TYPES:
        return [("type", word)]
    if said in SUPERTYPES:
        return [("supertype", said)]
    return [("subtype", word)] if re.fullmatch(r"[a-z][a-z'-]*", said) else None
