"""Knows why a fact does not hold: every clause that could have given it, and the first premise that stopped each."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from query.predicate.derive import Model
from query.predicate.match import Binding, filled, satisfied, value
from query.predicate.plan import named, order
from query.predicate.syntax import (
    Aggregate,
    Atom,
    Clause,
    Comparison,
    Literal,
    Next,
    Operation,
    Premise,
    Term,
    Variable,
)

if TYPE_CHECKING:
    from query.predicate.proof import Proof

MOST_TRIED = 2_000
"""How many ways to match one clause are tried before the furthest so far is reported."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A clause that could have given a fact, and the premise that failed in the way that came furthest.

    `failed` has the values known at that point filled in; `because` proves that it fails, where that was asked for.
    """

    clause: Clause
    failed: Premise
    because: Proof | None = None

    @property
    def text(self) -> str:
        """The premise that failed, as a rule file writes it."""
        return str(self.failed)


def attempts(model: Model, atom: Atom) -> tuple[Attempt, ...]:
    """One attempt for each clause whose head could give the atom; none for a predicate that a board states."""
    found = []
    for clause in model.program.clauses:
        if clause.head.predicate == atom.predicate:
            binding = fits(clause.head, atom)
            if binding is not None:
                failed = furthest(model, clause, binding)
                if failed is not None:
                    found.append(failed)
    return tuple(found)


def fits(head: Atom, atom: Atom) -> Binding | None:
    """The values that a head's variables take if it gives the atom; a variable of the atom leaves them free."""
    binding: Binding = {}
    for term, wanted in zip(head.arguments, atom.arguments, strict=True):
        if isinstance(wanted, (Variable, Next)):
            continue
        if isinstance(term, Next):
            term, wanted = term.variable, int(wanted) - 1
        if isinstance(term, Variable):
            if binding.setdefault(term.name, wanted) != wanted:
                return None
        elif term != wanted:
            return None
    return binding


def furthest(model: Model, clause: Clause, binding: Binding) -> Attempt | None:
    """The attempt that matched most premises before one failed; None if they all hold."""
    ordered = order(clause.premises, set(binding), named(clause.head.arguments))
    best, at_best, tried = binding, -1, 0
    waiting: list[tuple[int, Binding]] = [(0, binding)]
    while waiting and tried < MOST_TRIED:
        at, known = waiting.pop()
        tried += 1
        model.limits.check()
        if at == len(ordered):
            return None
        if at > at_best:
            best, at_best = known, at
        ways = list(islice(satisfied(model, ordered[at], known), MOST_TRIED))
        waiting.extend((at + 1, extended) for extended in reversed(ways))
    if not ordered:
        return None
    return Attempt(clause, instance(ordered[at_best], best))


def instance(premise: Premise, binding: Binding) -> Premise:
    """The premise with the known values filled in."""
    if isinstance(premise, Literal):
        return Literal(filled(premise.atom, binding), premise.negated)
    if isinstance(premise, Aggregate):
        body = tuple(instance(part, binding) for part in premise.body)
        return Aggregate(premise.result, premise.function, premise.terms, body)
    return Comparison(premise.operator, _partly(premise.left, binding), _partly(premise.right, binding))


def _partly(side: Term | Operation, binding: Binding) -> Term | Operation:
    if isinstance(side, Operation):
        return Operation(side.operator, _partly(side.left, binding), _partly(side.right, binding))
    return value(side, binding) if named([side]) <= binding.keys() else side
