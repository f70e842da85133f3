"""Knows whether a clause does what the boards beside it say: it is run alone, on their facts and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from query.predicate.clause_code import compiled
from query.predicate.program import Program
from query.predicate.relation import Relation, Row
from query.predicate.syntax import Clause, Example, Next, show_fact


def broken(program: Program) -> Iterator[str]:
    """One line for each example that its clause does not bear out, and for each clause that lacks a yes or a no."""
    for clause in program.clauses:
        for holds in (True, False):
            if clause.premises and not any(example.holds == holds for example in clause.examples):
                yield f"{clause.place}: no board beside the clause where it {'holds' if holds else 'does not hold'}"
        for example in clause.examples:
            fault = fault_of(program, clause, example)
            if fault:
                yield f"{example.place}: {fault}"


def fault_of(program: Program, clause: Clause, example: Example) -> str:
    """What is wrong with one example; empty if nothing is."""
    given = gives(program, clause, example)
    if example.holds and not given:
        return f"the clause for {clause.head} does not hold here"
    if example.gives and (example.gives[1] in given) != example.holds:
        return f"the clause gives {[show_fact((clause.head.predicate, row)) for row in given]}"
    if not example.holds and not example.gives and given:
        return f"the clause gives {show_fact((clause.head.predicate, given[0]))} here"
    return ""


def gives(program: Program, clause: Clause, example: Example) -> list[Row]:
    """What a clause alone gives on an example's facts."""
    relations = {name: Relation() for name in program.declarations}
    for name, row in example.facts:
        relations[name].rows[row] = -1
    staged = program.declarations[clause.head.predicate].staged
    function = compiled(clause, staged, recursive=True)
    new: dict[Row, int] = {}
    for stage in _stages(program, clause, example) if staged else (0,):
        function(relations, Relation(), new, 0, stage, lambda: None)
    return list(new)


def _stages(program: Program, clause: Clause, example: Example) -> list[int]:
    """The stages that an example speaks of, and for a clause that leads on, the ones after them."""
    said = {row[0] for name, row in example.facts if program.declarations[name].staged}
    first = clause.head.arguments[0]
    if isinstance(first, int):
        return [first]
    stages = {int(stage) for stage in said} or {0}
    return sorted({stage + 1 for stage in stages} if isinstance(first, Next) else stages)
