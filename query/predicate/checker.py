"""Knows whether a proof is right, and trusts nothing that found it.

It shares no code with the evaluator: its own matching, its own reckoning, and, for what must be absent or counted in
full, its own plain evaluation of the program from the board's facts. It is slow and short on purpose.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from query.predicate.plain import (
    Extent,
    Values,
    aggregate,
    compared,
    compares,
    evaluate,
    fitting,
    names,
    outside,
    reckon,
    solve,
    unify,
)
from query.predicate.program import Program
from query.predicate.syntax import (
    Aggregate,
    Atom,
    Clause,
    Comparison,
    Fact,
    Literal,
    Objective,
    Premise,
    Score,
    Variable,
)


class Step(Protocol):
    """What the checker reads of a proof step."""

    @property
    def says(self) -> Atom | Comparison | Aggregate | Score: ...  # noqa: D102
    @property
    def kind(self) -> str: ...  # noqa: D102
    @property
    def clause(self) -> Clause | Objective | None: ...  # noqa: D102
    @property
    def premises(self) -> tuple[Step, ...]: ...  # noqa: D102
    @property
    def attempts(self) -> tuple[Reason, ...]: ...  # noqa: D102


class Reason(Protocol):
    """What the checker reads of the reason for a lack."""

    @property
    def because(self) -> Step | None: ...  # noqa: D102


class WrongProofError(AssertionError):
    """A step that does not follow; the message names it and says why."""


def check_proof(proof: Step, program: Program, facts: Iterable[Fact]) -> int:
    """The number of steps checked. Raises `WrongProofError` for the first step that does not follow."""
    return Checker(program, frozenset(facts)).check(proof)


@dataclass(slots=True)
class Checker:
    """Checks any number of proofs about one board; what follows from the board is worked out once."""

    program: Program
    facts: frozenset[Fact]
    _extent: Extent | None = field(default=None)

    def check(self, proof: Step) -> int:
        """The number of steps checked. Raises `WrongProofError` for the first step that does not follow."""
        waiting, seen = [proof], set[int]()
        while waiting:
            step = waiting.pop()
            if id(step) not in seen:
                seen.add(id(step))
                self.step(step)
                waiting.extend(step.premises)
                waiting.extend(one.because for one in step.attempts if one.because is not None)
        return len(seen)

    def step(self, step: Step) -> None:
        """Checks one step and none below it."""
        if step.kind == "given":
            self._given(step)
        elif step.kind in ("rule", "round"):
            self._rule(step)
        elif step.kind == "absent":
            self._absent(step)
        elif step.kind == "count":
            self._need(isinstance(step.says, Aggregate), step, "counts nothing")
        elif step.kind == "arithmetic":
            says = step.says
            self._need(isinstance(says, Comparison) and compares(says, {}), step, "is not true")
        elif step.kind == "optimum":
            self._optimum(step)
        else:
            raise WrongProofError(f"{step.says}: no step is of kind {step.kind!r}")

    def _optimum(self, step: Step) -> None:
        """What is said to be reached is reached, and each premise is a part of it; that no choice reaches more than
        the best was proven by the solver and is no step here."""
        objective, says = step.clause, step.says
        self._need(
            isinstance(objective, Objective) and objective in self.program.objectives, step, "is of no objective"
        )
        assert isinstance(objective, Objective)
        assert isinstance(says, Score)
        wanted = names([objective.weight])
        ways = list(solve(objective.premises, {}, self.extent(), wanted))
        reached = {tuple(sorted(values.items(), key=str)): int(reckon(objective.weight, values)) for values in ways}
        self._need(sum(reached.values()) == says.reached <= says.best, step, f"reaches {sum(reached.values())}")
        atoms = [part.atom for part in objective.premises if isinstance(part, Literal)]
        for below in step.premises:
            said = below.says
            fits = isinstance(said, Atom) and any(
                said.predicate == atom.predicate and unify(atom, said.arguments, {}) is not None for atom in atoms
            )
            self._need(fits, step, f"does not count {said}")

    def _need(self, true: bool, step: Step, fault: str) -> None:
        if not true:
            raise WrongProofError(f"{step.says} ({step.kind}): {fault}")

    def _given(self, step: Step) -> None:
        says = step.says
        self._need(
            isinstance(says, Atom) and (says.predicate, says.arguments) in self.facts,
            step,
            "is not on the board",
        )
        self._need(not step.premises and step.clause is None, step, "is given, so it rests on nothing")

    def _absent(self, step: Step) -> None:
        says = step.says
        assert isinstance(says, Atom)
        self._need(not step.premises, step, "is a lack, so it rests on nothing")
        held = next(fitting(says, self.extent().get(says.predicate, set()), {}), None)
        self._need(held is None, step, "holds after all")

    def _rule(self, step: Step) -> None:
        clause, says = step.clause, step.says
        known = isinstance(clause, Clause) and clause in self.program.clauses
        self._need(isinstance(says, Atom) and known, step, "is of no clause of the program")
        assert isinstance(clause, Clause)
        assert isinstance(says, Atom)
        self._need(says.predicate == clause.head.predicate, step, "is not what its clause gives")
        values = unify(clause.head, says.arguments, {})
        self._need(values is not None, step, "is not what its clause gives")
        self._need(len(step.premises) == len(clause.premises), step, "has not the premises of its clause")
        assert values is not None
        self._premises(step, clause, values)

    def _premises(self, step: Step, clause: Clause, values: Values) -> None:
        """Positive premises bind the variables; the others are then judged."""
        pairs = list(zip(clause.premises, step.premises, strict=True))
        for premise, below in pairs:
            if isinstance(premise, Literal) and not premise.negated:
                says = below.says
                fits = isinstance(says, Atom) and says.predicate == premise.atom.predicate
                self._need(fits and below.kind in ("given", "rule", "round"), step, f"does not rest on {premise}")
                assert isinstance(says, Atom)
                bound = unify(premise.atom, says.arguments, values)
                self._need(bound is not None, step, f"rests on {says}, which is no {premise}")
                values.update(bound or {})
        waiting = [pair for pair in pairs if not (isinstance(pair[0], Literal) and not pair[0].negated)]
        while waiting:
            judged = [pair for pair in waiting if self._judged(step, *pair, values, clause)]
            self._need(bool(judged), step, "leaves a premise that cannot be judged")
            waiting = [pair for pair in waiting if pair not in judged]

    def _judged(self, step: Step, premise: Premise, below: Step, values: Values, clause: Clause) -> bool:
        """Whether the premise could be judged with the values known so far."""
        if isinstance(premise, Literal):
            if not names([premise]) <= values.keys():
                return False
            said, wanted = below.says, _put(premise.atom, values)
            same = isinstance(said, Atom) and below.kind == "absent" and _same(said, wanted)
            self._need(same, step, f"does not rest on the lack of {wanted}")
            return True
        if isinstance(premise, Aggregate):
            outer = names([clause.head]) | outside(clause.premises)
            if not (names([*premise.body, *premise.terms]) & outer) - {premise.result.name} <= values.keys():
                return False
            self._counted(step, premise, below, values)
            return True
        if not compared(premise, values):
            return False
        self._need(below.kind == "arithmetic" and compares(premise, values), step, f"needs {premise}")
        said = below.says
        assert isinstance(said, Comparison)
        sides = (reckon(said.left, {}), reckon(said.right, {}))
        wanted_sides = (reckon(premise.left, values), reckon(premise.right, values))
        self._need(sides == wanted_sides and said.operator == premise.operator, step, f"needs {premise}")
        return True

    def _counted(self, step: Step, premise: Aggregate, below: Step, values: Values) -> None:
        outer = {name: known for name, known in values.items() if name != premise.result.name}
        result = self._aggregate(premise, outer)
        self._need(below.kind == "count" and result is not None, step, f"needs {premise}")
        assert result is not None
        self._need(
            values.setdefault(premise.result.name, result) == result,
            step,
            f"needs {premise}, which is {result}",
        )
        said = below.says
        assert isinstance(said, Aggregate)
        self._need(said.result.name == str(result) and said.function == premise.function, below, f"is {result}")
        held = all((s.says.predicate, s.says.arguments) in self for s in below.premises if isinstance(s.says, Atom))
        self._need(held, below, "counts what does not hold")

    def __contains__(self, fact: object) -> bool:
        assert isinstance(fact, tuple)
        return fact[1] in self.extent().get(fact[0], set())

    def _aggregate(self, premise: Aggregate, values: Values) -> int | None:
        return aggregate(premise, values, self.extent())

    def extent(self) -> Extent:
        """Every fact that holds, found once, by plain evaluation."""
        if self._extent is None:
            self._extent = evaluate(self.program, self.facts)
        return self._extent


def _put(atom: Atom, values: Values) -> Atom:
    terms = [t if isinstance(t, Variable) and t.anonymous else reckon(t, values) for t in atom.arguments]
    return Atom(atom.predicate, tuple(terms))


def _same(one: Atom, other: Atom) -> bool:
    pairs = zip(one.arguments, other.arguments, strict=True)
    alike = all((isinstance(a, Variable) and isinstance(b, Variable)) or a == b for a, b in pairs)
    return one.predicate == other.predicate and alike
