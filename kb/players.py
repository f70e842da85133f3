"""Knows what players, judges and rulings call what a rule says: phrases of our own writing, bound to a rule's text.

Numbers move from edition to edition, so each line names its rule by the digests of the texts it has had.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

from kb.rulebook import Rulebook
from kb.shipped import shipped


def digest(text: str) -> str:
    """Eight hexadecimal digits that tell the words of a rule from any other's, whatever its spaces and case.

    >>> digest("Flying,  see") == digest("flying see")
    True
    """
    return hashlib.sha256(" ".join(re.findall(r"\w+", text.casefold())).encode()).hexdigest()[:8]


def lines() -> Iterator[tuple[str, frozenset[str], str]]:
    """Number, digests and phrases of every line of `data/citing/players-words.txt`."""
    text = shipped("citing", "players-words.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            name, _, phrases = line.partition(": ")
            number, *digests = name.split()
            yield number, frozenset(digests), phrases


def players_words(rulebook: Rulebook) -> dict[str, str]:
    """The phrases by rule key, for the rules of this edition whose text a line is bound to."""
    keys: dict[str, str] = {}
    for rule in rulebook.rules:
        keys.setdefault(digest(rule.text), rule.key)
    found: dict[str, str] = {}
    for _, digests, phrases in lines():
        bound = [keys[one] for one in digests if one in keys]
        if len(bound) == 1:
            found[bound[0]] = phrases
    return found
