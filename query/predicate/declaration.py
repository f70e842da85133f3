"""Knows how a declaration of attackers or blockers is judged: what it breaks, what it obeys, and the most
that could be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from query.predicate.absent import fits, instance
from query.predicate.answer import NO, UNDETERMINED, YES, Answer, Declaration
from query.predicate.branches import Branch, branches
from query.predicate.choose import ChoiceProblem, NoChoiceError, reached
from query.predicate.decision import decision
from query.predicate.derive import Deriver, Model
from query.predicate.limits import LimitError, Limits
from query.predicate.match import matches
from query.predicate.program import Program
from query.predicate.proof import Proof, prove, refute
from query.predicate.syntax import Atom, Choice, Fact, Literal, Objective, Requirement, Score, literals, show_fact

MOST_MISSES = 10
"""Of how many missed requirements it is proven that they are missed."""

DECLARATIONS = {"legal_attacks": "attacks", "legal_blocks": "blocks"}
"""The questions about a declaration, and the predicate it states."""


def declared(deriver: Deriver, facts: Sequence[Fact], question: str, cap: int, limits: Limits) -> Answer:
    """Whether the declaration on a board is legal (508.1, 509.1), with what it breaks and misses, and `cap`
    legal ones."""
    try:
        return _judged(deriver, facts, question, cap, limits)
    except (LimitError, NoChoiceError) as error:
        return Answer(question, UNDETERMINED, missing=(str(error),))


def _judged(deriver: Deriver, facts: Sequence[Fact], question: str, cap: int, limits: Limits) -> Answer:
    """The answer where it is the same in every branch of what is left open before the declaration."""
    limits = limits.begun()
    choice = _choice(deriver.program, DECLARATIONS[question])
    decided = deriver.once(("decision", choice), lambda: decision(deriver.program, choice))
    needed = [*_predicates(decided.requirements), *_predicates(decided.objectives)]
    first: Answer | None = None
    count = 0
    for branch in branches(deriver, facts, needed, limits):
        if branch.open:
            return Answer(question, UNDETERMINED, missing=branch.open, branches=count)
        problem = ChoiceProblem(deriver, choice, [*facts, *branch.assumed], limits)
        found = replace(_declared(deriver, branch, problem, question, cap, limits), assumed=branch.assumed)
        first, count = first or found, count + 1
        if found.value != first.value:
            missing = tuple(f"{one.value} if {', '.join(map(show_fact, one.assumed))}" for one in (first, found))
            return replace(first, value=UNDETERMINED, missing=missing, branches=count)
    assert first is not None
    return replace(first, branches=count)


def _declared(
    deriver: Deriver, branch: Branch, problem: ChoiceProblem, question: str, cap: int, limits: Limits
) -> Answer:
    """What there is to say of the declaration in one branch."""
    model, chosen = branch.model, problem.choice.chosen.predicate
    best = problem.best()
    listed = list(problem.listed(best.value, cap + 1)) if cap else []
    made = tuple((chosen, row) for row in model.rows(chosen))
    unlawful = tuple(prove(model, fact) for fact in _broken(model, problem.decision.requirements))
    obeyed = _obeyed(model, problem.decision.objectives)
    count = sum(obeyed.values())
    other = deriver.derive([*problem.facts, *best.chosen], sorted(model.wanted), limits)
    missed = tuple(fact for fact in _obeyed(other, problem.decision.objectives) if fact not in obeyed)
    found = Declaration(
        made, unlawful, count, best.value, best.proven, best.chosen, missed if count < best.value else (),
        tuple(listed[:cap]), len(listed) > cap,
    )  # fmt: skip
    found = replace(found, misses=tuple(_misses(model, found.missed)))
    return Answer(question, _value(found), _proof(model, found, problem), declaration=found)


def _misses(model: Model, missed: Sequence[Fact]) -> Iterator[Proof]:
    """Why requirements are not obeyed: what demands each, and the lack of what would obey it."""
    for name, row in missed[:MOST_MISSES]:
        if name not in model.program.declarations:
            continue
        lack = refute(model, Atom(name, row))
        for one in lack.attempts:
            binding = fits(one.clause.head, Atom(name, row)) or {}
            for premise in one.clause.premises:
                said = instance(premise, binding)
                if isinstance(said, Literal) and not said.negated:
                    terms = tuple(term for term in said.atom.arguments if isinstance(term, (str, int)))
                    if (said.atom.predicate, terms) in model:
                        yield prove(model, (said.atom.predicate, terms))
        yield lack


def _value(found: Declaration) -> str:
    if found.unlawful or found.obeyed < found.optimum:
        return NO
    return YES if found.proven else UNDETERMINED


def _proof(model: Model, found: Declaration, problem: ChoiceProblem) -> Proof | None:
    """The first broken restriction, or what is obeyed of the most that could be (508.1d, 509.1c)."""
    if found.unlawful:
        return found.unlawful[0]
    if len(problem.decision.objectives) != 1:
        return None
    below = tuple(prove(model, fact) for fact in _obeyed(model, problem.decision.objectives))
    return Proof(Score(found.obeyed, found.optimum), "optimum", problem.decision.objectives[0], below)


def _broken(model: Model, requirements: Sequence[Requirement]) -> list[Fact]:
    """The facts that must not hold and do: what `not p(...)` of a requirement finds."""
    found: list[Fact] = []
    for requirement in requirements:
        for premise in requirement.premises:
            if isinstance(premise, Literal) and premise.negated:
                found.extend((premise.atom.predicate, row) for row in model.rows(premise.atom.predicate))
    return found


def _obeyed(model: Model, objectives: Sequence[Objective]) -> dict[Fact, int]:
    """What is obeyed, each with its weight; a fact where the objective is about one predicate."""
    found: dict[Fact, int] = {}
    for objective in objectives:
        premise = objective.premises[0]
        if len(objective.premises) == 1 and isinstance(premise, Literal):
            for binding in matches(model, objective.premises, {}, set()):
                row = tuple(binding[term.name] for term in premise.atom.arguments if hasattr(term, "name"))
                found[(premise.atom.predicate, row)] = int(objective.weight) if isinstance(objective.weight, int) else 1
        else:
            found.update({(objective.label, row): weight for row, weight in reached(model, objective).items()})
    return found


def _predicates(parts: Sequence[Requirement | Objective]) -> list[str]:
    return [literal.atom.predicate for part in parts for literal, _ in literals(part.premises)]


def _choice(program: Program, predicate: str) -> Choice:
    return next(choice for choice in program.choices if choice.chosen.predicate == predicate)
