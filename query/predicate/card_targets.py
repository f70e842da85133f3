"""Knows what a card's text says it targets: the words after "target", as far as they belong to what is described."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from query.predicate.board import CardFacts
from query.predicate.described_ending import Speaker
from query.predicate.description import describe

_MODEL = Speaker("you", "this")
_REMINDER = re.compile(r"\([^()]*\)|\"[^\"]*\"|“[^”]*”")
_START = re.compile(
    r"(?:\b(?:any number of|up to \w+|one or two|two|three|four|five|\d+) )?(?:\b(?:another|other|any|any other) )?"
    r"\btarget\b|\b(?:any number of|up to \w+|one or two|two|three|four|five) (?:other )?targets\b",
    re.I,
)
_NO_TARGET = re.compile(
    r"(?:\b(?:the|that|a|its|new|this|those|each|chosen|same|is|are|single|only)|'s) targets?$", re.I
)
_END_WORDS = """
    and attack attacks at base become becomes block blocks by can't control controls create creates deal deals discard
    discards doesn't don't draw draws each exile exiles face fight fights for from gain gains get gets has have if in
    instead into lose loses mill mills on onto own owns perpetually phases put puts reveal reveals sacrifice sacrifices
    scries shuffle shuffles take takes this to then unless until untap untaps where must as choose chooses add adds
    connives explores can may
"""
_ENDS = frozenset(_END_WORDS.split())
"""Words that cannot belong to a description: where one follows, the description is over."""

_LONGEST = 14
ABILITY = re.compile(r"^(?:when|whenever|at)\b|^[^.\"]*(?:\{[^}]*\}|sacrifice|discard|tap|pay|remove)[^.\"]*: ", re.I)
"""How an activated or triggered ability begins."""

_OF_ITS_OWN = ("mutate", "bestow", "overload", "cleave", "splice", "fuse", "aftermath")


def spell_targets(types: Sequence[str], text: str) -> tuple[str, ...]:
    """What a spell with this text targets, in words; those that `describe` does not read stay as they are.

    Only an instant's or a sorcery's own text and an Aura's enchant ability make a spell targeted (rules 115.1a-b).

    >>> spell_targets(["instant"], "Destroy target creature or planeswalker.")
    ('target creature or planeswalker',)
    >>> spell_targets(["creature"], "When this creature enters, destroy target artifact.")
    ()
    >>> spell_targets(["enchantment"], "Enchant creature you control\\nIt may rain.")
    ('creature you control',)
    >>> spell_targets(["sorcery"], "Target creature with a good heart gains flying until end of turn.")
    ('Target creature with a good heart gains flying',)
    """
    parts = [_REMINDER.sub("", part).strip() for part in text.split("\n")]
    found = [part[8:].rstrip(".") for part in parts if part.startswith("Enchant ")]
    if {"instant", "sorcery"} & set(types):
        found = [words for part in parts if not ABILITY.search(part) for words in _phrases(part)]
    found += [word for word in _OF_ITS_OWN if any(part.lower().startswith(word) for part in parts)]
    return tuple(dict.fromkeys(found))


def ability_targets(text: str) -> tuple[str, ...] | None:
    """What the abilities of a permanent with this text target; None where it cannot be told of which ability.

    >>> ability_targets("Flying\\n{T}: This creature deals 1 damage to any target.")
    ('any target',)
    >>> ability_targets("{1}: Tap target creature.\\n{2}: Untap target land.") is None
    True
    """
    parts = [_REMINDER.sub("", part).strip() for part in text.split("\n")]
    abilities = [part for part in parts if ABILITY.search(part)]
    if len(abilities) != 1:
        return None
    return tuple(dict.fromkeys(_phrases(abilities[0])))


def wants(said: Mapping[str, Any], card: CardFacts, source: CardFacts | None) -> tuple[str, ...] | None:
    """What each target of a spell or ability must be: as a board says it, parted by semicolons, else as the text of
    its card or of its source's does. None if neither tells."""
    stated = tuple(words for part in said.get("target", "").split(";") if (words := part.strip()))
    if stated or said.get("kind", "spell") == "spell":
        return stated or card.targets
    found = card if card.types and card.name else source
    if found is None or not found.types:
        return None
    return found.ability_targets if found.ability_targets is not None else (f"an ability of {found.name}",)


def _phrases(text: str) -> Iterator[str]:
    for start in _START.finditer(text):
        if not _NO_TARGET.search(text[: start.end()]):
            yield _phrase(text[start.start() :])


def _phrase(text: str) -> str:
    """The description at the start of a text: the longest that is read, if something that is none of it follows.

    Else the first words as they are, which nothing reads.
    """
    words = re.split(r"[.;:•—]| unless | equal to ", text)[0].split()[:_LONGEST]
    for size in range(len(words), 0, -1):
        said = " ".join(words[:size])
        owned = said.removesuffix("'s").removesuffix("’s")
        if owned != said and describe(owned, _MODEL) is not None:
            return owned
        if describe(said.rstrip(","), _MODEL) is not None:
            after = words[size] if size < len(words) else ""
            cut = " equal to " in text[: len(said) + 12]
            if not cut and (not after or said.endswith(",") or after.rstrip(",").lower() in _ENDS):
                return said.rstrip(",")
            break
    return " ".join(words[:8])
