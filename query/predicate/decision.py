"""Knows what of a program a choice decides, and what is settled before it: the same on every board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from query.predicate.answer_set import idle
from query.predicate.credit import possible
from query.predicate.program import Program
from query.predicate.syntax import Choice, Clause, Objective, Premise, Requirement, literals


@dataclass(frozen=True, slots=True)
class Decision:
    """One choice of a program.

    `clauses`: those that depend on the choice and that a requirement or objective rests on. `settled`: the predicates
    they need and the choice does not touch. `required`: the predicates of those clauses that requirements rest on.
    `brings`: for each objective the clauses that say which option could bring what it counts, or None.
    `ordered`: the clauses of each predicate that a solver must know beside these, each after those it rests on; None
    where one feeds itself or a later stage.
    """

    choice: Choice
    requirements: tuple[Requirement, ...]
    objectives: tuple[Objective, ...]
    clauses: tuple[Clause, ...]
    settled: frozenset[str]
    required: frozenset[str]
    brings: tuple[tuple[Clause, ...] | None, ...]
    ordered: tuple[tuple[str, tuple[Clause, ...]], ...] | None

    @property
    def moved(self) -> frozenset[str]:
        """The predicates that depend on the choice."""
        return frozenset({self.choice.chosen.predicate, *(clause.head.predicate for clause in self.clauses)})


def decision(program: Program, choice: Choice) -> Decision:
    """What a choice of a program decides."""
    requirements = tuple(part for part in program.requirements if above(program, part) == choice)
    objectives = tuple(part for part in program.objectives if above(program, part) == choice)
    clauses = _deciding(program, choice, [*requirements, *objectives])
    moved = {choice.chosen.predicate, *(clause.head.predicate for clause in clauses)}
    premises = [*choice.condition, *_premises([*clauses, *requirements, *objectives])]
    settled = frozenset((predicates(premises) | {choice.options.predicate}) - moved)
    brings = tuple(possible(clauses, choice, objective, settled) for objective in objectives)
    counted = [objective for objective, found in zip(objectives, brings, strict=True) if found is None]
    required = _rests_on(program, requirements)
    ordered = _ordered(program, choice, clauses, _rests_on(program, [*requirements, *counted]))
    return Decision(choice, requirements, objectives, clauses, settled, required, brings, ordered)


def above(program: Program, part: Requirement | Objective) -> Choice | None:
    """The choice that a requirement or objective stands under in its file."""
    before = [c for c in program.choices if c.place.file == part.place.file and c.place.line < part.place.line]
    return max(before, key=lambda choice: choice.place.line, default=None)


def predicates(premises: Iterable[Premise]) -> set[str]:
    """The predicates that premises speak of, those inside aggregates included."""
    return {literal.atom.predicate for literal, _ in literals(tuple(premises))}


def _premises(parts: Iterable[Clause | Requirement | Objective]) -> list[Premise]:
    return [premise for part in parts for premise in part.premises]


def _rests_on(program: Program, parts: Iterable[Requirement | Objective]) -> frozenset[str]:
    return program.needed(predicates(_premises(parts)))


def _deciding(program: Program, choice: Choice, parts: Iterable[Requirement | Objective]) -> tuple[Clause, ...]:
    wanted = _rests_on(program, parts)
    moved = {choice.chosen.predicate}
    grew = True
    while grew:
        before = len(moved)
        moved |= {clause.head.predicate for clause in program.clauses if predicates(clause.premises) & moved}
        grew = len(moved) > before
    return tuple(clause for clause in program.clauses if clause.head.predicate in moved & wanted)


def _ordered(
    program: Program, choice: Choice, clauses: Sequence[Clause], wanted: frozenset[str]
) -> tuple[tuple[str, tuple[Clause, ...]], ...] | None:
    found: list[tuple[str, tuple[Clause, ...]]] = []
    for stratum in program.strata:
        mine = [clause for clause in clauses if clause.head.predicate in wanted & set(stratum.predicates)]
        if mine and (stratum.recursive or stratum.part == "stages"):
            return None
        for name in dict.fromkeys(clause.head.predicate for clause in mine):
            found.append((name, tuple(c for c in mine if c.head.predicate == name and not idle(c, choice))))
    return tuple(found)
