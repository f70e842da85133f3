"""Knows whether facts fit the declarations of their predicates, and which known name one misspelt may stand for."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from query.predicate.syntax import Declaration, Fact


def near(name: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` for the nearest known name, else nothing.

    >>> near("can_blok", ["can_block", "blocks"])
    "; did you mean 'can_block'?"
    """
    found = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    return f"; did you mean {found[0]!r}?" if found else ""


def check_facts(facts: Iterable[Fact], declarations: Mapping[str, Declaration]) -> Iterator[str]:
    """What is wrong with facts that a board states: unknown or derived predicates, and arguments that do not fit."""
    for name, row in facts:
        declared = declarations.get(name)
        if declared is None:
            yield f"no predicate {name!r} is declared{near(name, declarations)}"
        elif declared.world == "derived":
            yield f"{name} follows from the rules; a board cannot state it"
        else:
            yield from unfit(name, row, declared)


def unfit(name: str, row: Sequence[object], declared: Declaration) -> Iterator[str]:
    """What is wrong with the arguments of a fact."""
    if len(row) != len(declared.arguments):
        yield f"{declared} takes {len(declared.arguments)} arguments, found {len(row)}"
        return
    for value, (argument, kind) in zip(row, declared.arguments, strict=True):
        number = isinstance(value, int) and not isinstance(value, bool)
        if number != (kind in ("number", "stage")) or not (number or isinstance(value, str)):
            yield f"{name}: {argument} is a {kind}, found {value!r}"
