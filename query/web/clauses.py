"""Knows which clauses of the predicates rest on which rule."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LeadingClause:
    """A clause of the predicates that rests on a rule: its label, and what it says."""

    label: str
    text: str


def clauses_by_rule() -> dict[str, tuple[LeadingClause, ...]]:
    """The clauses by the key of the rule that they rest on."""
    from query.predicate.judge import judge

    found: dict[str, list[LeadingClause]] = {}
    for clause in judge().program.clauses:
        found.setdefault(str(clause.cites), []).append(LeadingClause(clause.label, str(clause)))
    return {key: tuple(clauses) for key, clauses in found.items()}
