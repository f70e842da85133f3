"""Knows whether the rule files cite truly: the rule exists, says what it said when it was cited, and bears
the clause's label.

`data/rules/citations.lock` keeps for each cited rule the edition and a hash of its text, never the text.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from kb.errors import SeeruleError
from kb.number import RuleNumber
from kb.rulebook import Rulebook
from query.predicate.program import Program

_WORD = re.compile(r"[a-z0-9/+-]+")
_HEADER = "# rule\tedition\tsha256 of its text, first 16 digits"


@dataclass(frozen=True, slots=True)
class Locked:
    """What the lock keeps of one cited rule."""

    edition: str
    digest: str


def digest(text: str) -> str:
    """What the lock keeps of a text: blanks and typographic marks do not count."""
    words = " ".join(text.replace("’", "'").replace("“", '"').replace("”", '"').split())
    return hashlib.sha256(words.encode()).hexdigest()[:16]


def lint(program: Program, rulebook: Rulebook, lock: Mapping[RuleNumber, Locked]) -> Iterator[str]:
    """One line for each citation that is not true, with its place.

    Of an outline, whose rules have no text, only numbers are checked, and labels against headings.
    """
    wrong: set[RuleNumber] = set()
    for part in program.cited:
        number = part.cites
        if number not in rulebook:
            yield f"{part.place}: the rules of {rulebook.edition} have no rule {number}{_nearest(number, rulebook)}"
        elif not rulebook.outline:
            if number not in wrong and (fault := _changed(number, rulebook, lock)):
                wrong.add(number)
                yield f"{part.place}: {fault}"
            if not bears(rulebook, number, part.label):
                yield f"{part.place}: rule {number} does not say {part.label!r}, nor does a heading above it"


def bears(rulebook: Rulebook, number: RuleNumber, label: str) -> bool:
    """Whether the words of a label stand in a rule's text, or in a heading above it; a plural counts as its
    singular."""
    texts = [rulebook[number].text, *(rulebook.titles.get(above, "") for above in (number, *number.ancestors))]
    wanted = _stems(label)
    return any(_contains(_stems(text), wanted) for text in texts)


def current_lock(program: Program, rulebook: Rulebook) -> dict[RuleNumber, Locked]:
    """What the lock should hold for a program under an edition whose text is loaded."""
    numbers = sorted({part.cites for part in program.cited} & set(rulebook))
    return {number: Locked(rulebook.edition, digest(rulebook[number].text)) for number in numbers}


def read_lock(path: Path) -> dict[RuleNumber, Locked]:
    """The lock in a file; empty if there is none. Raises `SeeruleError` for a line that is no entry."""
    found: dict[RuleNumber, Locked] = {}
    if not path.exists():
        return found
    for at, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line and not line.startswith("#"):
            try:
                number, edition, text = line.split("\t")
                found[RuleNumber.parse(number)] = Locked(edition, text)
            except ValueError:
                raise SeeruleError(f"{path}:{at}: expected rule, edition and hash, found {line!r}") from None
    return found


def lock_text(lock: Mapping[RuleNumber, Locked]) -> str:
    """The lock as its file holds it."""
    rows = (f"{number}\t{lock[number].edition}\t{lock[number].digest}" for number in sorted(lock))
    return "\n".join([_HEADER, *rows]) + "\n"


def _changed(number: RuleNumber, rulebook: Rulebook, lock: Mapping[RuleNumber, Locked]) -> str:
    locked = lock.get(number)
    if locked is None:
        return f"rule {number} is not in citations.lock; see what it says, then: seerule lint-rules --lock"
    if locked.digest == digest(rulebook[number].text):
        return ""
    moved = [other for other, rule in rulebook.items() if digest(rule.text) == locked.digest]
    if moved:
        return f"rule {number} of {locked.edition} is rule {moved[0]} in the rules of {rulebook.edition}"
    return f"rule {number} no longer says what it said in the rules of {locked.edition}"


def _nearest(number: RuleNumber, rulebook: Rulebook) -> str:
    parent = number.parent
    there = [str(child) for child in rulebook.children.get(parent, ())] if parent is not None else []
    return f"; {parent} has {there[0]} to {there[-1]}" if there else ""


def _stems(text: str) -> list[str]:
    return [_stem(word) for word in _WORD.findall(text.lower().replace("’", "").replace("'", ""))]


def _stem(word: str) -> str:
    return word[:-1] if word.endswith("s") and len(word) > 3 and not word.endswith("ss") else word


def _contains(words: list[str], wanted: list[str]) -> bool:
    return any(words[at : at + len(wanted)] == wanted for at in range(len(words) - len(wanted) + 1))
