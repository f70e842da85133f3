"""Knows what of a proof goes without saying when it is read: the course of the steps, what merely lasts from one
stage to the next, and equations of a number with itself."""

from __future__ import annotations

from query.predicate.proof import Proof
from query.predicate.syntax import Atom, Clause, Comparison, Next

COURSE = frozenset(("step", "settled", "acted", "waiting", "over"))
"""The predicates of `data/rules/combat.rules` that only say how far combat is."""


def origin(step: Proof) -> Proof:
    """The step in which what it says began to hold: itself, unless it only lasts from an earlier stage."""
    while (before := _before(step)) is not None:
        step = before
    return step


def read_aloud(step: Proof) -> list[Proof]:
    """The premises of a step that a reader is told, those of its origin where it lasts."""
    began = origin(step)
    if course(began):
        return []
    return [premise for premise in began.premises if not (course(premise) or _plain(premise))]


def folded(proof: Proof) -> bool:
    """Whether reading leaves out anything of a proof."""
    return any(origin(step) is not step or len(read_aloud(step)) < len(step.premises) for step in proof.steps())


def course(step: Proof) -> bool:
    """Whether a step only says how far combat is."""
    return isinstance(step.says, Atom) and step.says.predicate in COURSE


def _plain(step: Proof) -> bool:
    says = step.says
    return isinstance(says, Comparison) and says.operator == "=" and says.left == says.right


def _before(step: Proof) -> Proof | None:
    """The premise that says the same of the stage before; none where something was counted that made a difference."""
    if not isinstance(step.clause, Clause) or not isinstance(step.says, Atom):
        return None
    head = step.clause.head.arguments
    if not head or not isinstance(head[0], Next) or any(one.kind == "count" and one.premises for one in step.premises):
        return None
    for premise in step.premises:
        says = premise.says
        if not isinstance(says, Atom) or says.predicate != step.says.predicate:
            continue
        if premise.kind in ("rule", "round") and says.arguments[1:] == step.says.arguments[1:]:
            return premise
    return None
