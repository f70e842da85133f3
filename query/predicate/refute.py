"""Knows how it is proven that nothing of a form holds: by the clauses that came nearest, at the stage that matters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from query.predicate.absent import Attempt, attempts
from query.predicate.derive import Model
from query.predicate.match import rows, value
from query.predicate.proof import Proof, prove
from query.predicate.syntax import Atom, Literal, Variable


def refute(model: Model, atom: Atom, depth: int = 4) -> Proof:
    """The proof that nothing of the atom's form holds; raises `ValueError` if something does.

    Each clause that could have given it is explained: by the proof of what stands against it or, `depth` levels deep,
    of what is lacking.
    """
    if next(rows(model, atom, {}), None) is not None:
        raise ValueError(f"{atom} holds")
    found = tuple(replace(one, because=_because(model, one, depth)) for one in attempts(model, atom))
    return Proof(atom, "absent", attempts=nearest(found) if _timed(model, atom) else found)


def _timed(model: Model, atom: Atom) -> bool:
    """Whether an atom is of a stage, or looks back over them."""
    return any(atom.predicate in one.predicates and one.part != "before" for one in model.program.strata)


def nearest(found: Sequence[Attempt]) -> tuple[Attempt, ...]:
    """Of the clauses that could have given what does not hold at any stage, those that came nearest: where something
    stands against them; else where something that follows is lacking; else all."""
    least = min(map(_distance, found), default=0)
    return tuple(one for one in found if _distance(one) == least)


def _distance(attempt: Attempt) -> int:
    failed, because = attempt.failed, attempt.because
    if not isinstance(failed, Literal) or failed.negated:
        return 0
    if because is None or not because.attempts:
        return 2
    return max(min(map(_distance, because.attempts)), 0)


def _turning(model: Model, atom: Atom) -> Atom:
    """The atom at the stage at which it ceased to hold, if it held before."""
    first = atom.arguments[0] if atom.arguments else None
    if not model.program.declarations[atom.predicate].staged or not isinstance(first, int):
        return atom
    for stage in range(first - 1, -1, -1):
        if next(rows(model, Atom(atom.predicate, (stage, *atom.arguments[1:])), {}), None) is not None:
            return Atom(atom.predicate, (stage + 1, *atom.arguments[1:]))
    return atom


def _because(model: Model, attempt: Attempt, depth: int) -> Proof | None:
    """Why a premise fails: the proof of what it denies, the lack of what it needs, or what gave the number compared."""
    failed = attempt.failed
    if attempt.given_by is not None:
        failed = Literal(attempt.given_by, negated=True)
    if isinstance(failed, Literal) and failed.negated:
        named_terms = [
            Variable(f"Any{at}") if isinstance(term, Variable) else term
            for at, term in enumerate(failed.atom.arguments)
        ]
        first = next(rows(model, Atom(failed.atom.predicate, tuple(named_terms)), {}))
        return prove(model, (failed.atom.predicate, tuple(value(term, first) for term in named_terms)))
    if isinstance(failed, Literal):
        lacking = _turning(model, failed.atom)
        return refute(model, lacking, depth - 1) if depth else Proof(lacking, "absent")
    return None
