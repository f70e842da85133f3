"""Knows the best a player can choose: `choose`, `require` and `maximize` solved by clingo, with a witness
and a proof of the optimum.

What does not depend on the choice is derived first and handed over as facts; only what does is solved.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from query.predicate.answer_set import (
    CREDIT,
    LEAST,
    MAXIMIZE,
    choice_text,
    clause_text,
    fact_text,
    idle,
    objective_text,
    possible,
    requirement_text,
)
from query.predicate.clause_code import compiled
from query.predicate.credit import Credits
from query.predicate.derive import Deriver, LimitError, Limits, Model
from query.predicate.match import matches, value
from query.predicate.plan import named
from query.predicate.program import Program
from query.predicate.relation import Relation, Row
from query.predicate.syntax import Choice, Clause, Fact, Objective, Premise, Requirement, literals

if TYPE_CHECKING:
    import clingo


@dataclass(frozen=True, slots=True)
class Best:
    """The most that can be reached, a choice that reaches it, and whether it is proven that none reaches more."""

    value: int
    chosen: tuple[Fact, ...]
    proven: bool = True


class NoChoiceError(Exception):
    """No choice keeps to every requirement; not even the empty one."""


class ChoiceProblem:
    """One choice on one board: the facts it rests on, and the clauses, requirements and objectives that it decides."""

    def __init__(self, deriver: Deriver, choice: Choice, facts: Iterable[Fact], limits: Limits | None = None) -> None:
        self._deriver, self._choice = deriver, choice
        self._limits = limits or Limits()
        program = deriver.program
        self.requirements = [part for part in program.requirements if above(program, part) == choice]
        self.objectives = [part for part in program.objectives if above(program, part) == choice]
        self._facts = [fact for fact in facts if fact[0] != choice.chosen.predicate]
        self._clauses = self._deciding()
        self._settled = self._settled_predicates()
        self._model = deriver.derive(self._facts, sorted(self._settled), self._limits)
        self._most = self._limited()
        self._text = "\n".join(self._static())

    def best(self) -> Best:
        """The optimum. Raises `NoChoiceError`, or `LimitError` if not even one choice was found in time."""
        control = self._control(["--opt-strategy=usc", "--models=0"], self._maximized())
        found: list[tuple[int, tuple[Fact, ...]]] = []

        def keep(model: clingo.Model) -> None:
            found.append((-sum(model.cost), self._chosen(model)))

        with control.solve(on_model=keep, async_=True) as handle:
            finished = handle.wait(self._limits.seconds)
            handle.cancel()
            result = handle.get()
        if not found:
            if finished and result.unsatisfiable:
                raise NoChoiceError(f"no choice keeps to {', '.join(str(part.cites) for part in self.requirements)}")
            raise LimitError(f"no choice found within {self._limits.seconds:g} seconds")
        best, chosen = max(found, key=lambda one: one[0])
        return Best(best, chosen, finished)

    def listed(self, least: int, cap: int) -> Iterator[tuple[Fact, ...]]:
        """Choices that keep to every requirement and reach `least`, each once, at most `cap` of them."""
        lines = [f"#project p_{self._choice.chosen.predicate}/{len(self._choice.chosen.arguments)}."]
        if least > 0:
            lines += [*self._counted(), LEAST.replace("least", str(least))]
        control = self._control([f"--models={cap}", "--project"], lines)
        deadline = time.perf_counter() + self._limits.seconds
        with control.solve(yield_=True) as handle:
            for model in handle:
                yield self._chosen(model)
                if time.perf_counter() > deadline:
                    return

    def program_text(self) -> str:
        """The whole problem in the language of clingo, for another solver or a second opinion."""
        return "\n".join([self._text, *self._counted(), MAXIMIZE])

    def _control(self, options: Sequence[str], lines: Iterable[str]) -> clingo.Control:
        import clingo

        control = clingo.Control([*options, "--warn=none"], message_limit=0)
        control.add("base", [], "\n".join([self._text, *lines]))
        control.ground([("base", [])])
        return control

    def _counted(self) -> list[str]:
        """The clauses that only objectives rest on, and what objectives count."""
        kept = self._rests_on(self.requirements)
        lines = [clause_text(clause) for clause in self._clauses if clause.head.predicate not in kept]
        return [*lines, *(objective_text(part, at) for at, part in enumerate(self.objectives))]

    def _maximized(self) -> list[str]:
        """What is maximised, by whom it is credited to where the rule file allows."""
        lines: list[str] = [CREDIT]
        for at, objective in enumerate(self.objectives):
            clauses = possible(self._clauses, self._choice, objective, self._settled)
            if clauses is None:
                return [*self._counted(), MAXIMIZE]
            lines.extend(Credits(self._choice, self._model, self._most, map(self._possible, clauses)).lines(at))
        return lines

    def _possible(self, clause: Clause) -> Iterable[Row]:
        new: dict[Row, int] = {}
        relations = {**self._model.relations, clause.head.predicate: Relation()}
        compiled(clause, recursive=True)(relations, Relation(), new, 0, 0, lambda: None)
        return new

    def _chosen(self, model: clingo.Model) -> tuple[Fact, ...]:
        name = f"p_{self._choice.chosen.predicate}"
        rows = [_row(symbol) for symbol in model.symbols(atoms=True) if symbol.name == name]
        return tuple((self._choice.chosen.predicate, row) for row in sorted(rows, key=str))

    def _rests_on(self, parts: Iterable[Requirement | Objective]) -> frozenset[str]:
        return self._deriver.program.needed(_predicates(premise for part in parts for premise in part.premises))

    def _deciding(self) -> list[Clause]:
        """The clauses that depend on the choice and that a requirement or objective rests on."""
        program = self._deriver.program
        wanted = self._rests_on([*self.requirements, *self.objectives])
        moved = {self._choice.chosen.predicate}
        grew = True
        while grew:
            before = len(moved)
            moved |= {c.head.predicate for c in program.clauses if _predicates(c.premises) & moved}
            grew = len(moved) > before
        return [clause for clause in program.clauses if clause.head.predicate in moved & wanted]

    def _settled_predicates(self) -> frozenset[str]:
        """What the deciding clauses need and the choice does not touch."""
        moved = {self._choice.chosen.predicate, *(clause.head.predicate for clause in self._clauses)}
        premises = [*self._choice.condition, *_premises(self._clauses)]
        premises += _premises([*self.requirements, *self.objectives])
        return frozenset((_predicates(premises) | {self._choice.options.predicate}) - moved)

    def _static(self) -> Iterator[str]:
        """What is settled before the choice, as facts, then the choice and what requirements rest on."""
        moved = {self._choice.chosen.predicate, *(clause.head.predicate for clause in self._clauses)}
        kept = self._rests_on(self.requirements)
        clauses = [c for c in self._clauses if c.head.predicate in kept and not idle(c, self._choice)]
        said = [*_premises(clauses), *_premises(self.requirements)]
        said += _premises([clause for clause in self._clauses if clause.head.predicate not in kept])
        for name in sorted(_predicates(said) & self._settled | {self._choice.options.predicate}):
            yield from (fact_text((name, row)) for row in self._model.rows(name))
        yield from choice_text(self._choice, self._most.items())
        yield from map(clause_text, clauses)
        for number, requirement in enumerate(self.requirements):
            yield from requirement_text(requirement, number)
        declared = self._deriver.program.declarations
        for name in sorted(moved | self._settled):
            yield f"#defined p_{name}/{len(declared[name].arguments)}."

    def _limited(self) -> dict[str | int, int]:
        """How many options each group may choose."""
        choice = self._choice
        if choice.group is None or choice.limit is None:
            return {}
        found: dict[str | int, int] = {}
        at = choice.options.arguments.index(choice.group)
        for who in dict.fromkeys(row[at] for row in self._model.rows(choice.options.predicate)):
            outside = named([choice.limit, choice.group])
            for binding in matches(self._model, choice.condition, {choice.group.name: who}, outside):
                found[who] = int(value(choice.limit, binding))
                break
        return found


def above(program: Program, part: Requirement | Objective) -> Choice | None:
    """The choice that a requirement or objective stands under in its file."""
    before = [c for c in program.choices if c.place.file == part.place.file and c.place.line < part.place.line]
    return max(before, key=lambda choice: choice.place.line, default=None)


def reached(model: Model, objective: Objective) -> dict[Row, int]:
    """What a given choice reaches: the weight of each way in which the objective's premises hold."""
    names = sorted(named(objective.premises))
    found: dict[Row, int] = {}
    for binding in matches(model, objective.premises, {}, named([objective.weight])):
        found[tuple(binding.get(name, "") for name in names)] = int(value(objective.weight, binding))
    return found


def unmet(model: Model, requirement: Requirement) -> bool:
    """Whether a given choice breaks a requirement."""
    return next(matches(model, requirement.premises, {}, set()), None) is None


def _premises(parts: Sequence[Clause | Requirement | Objective]) -> list[Premise]:
    return [premise for part in parts for premise in part.premises]


def _predicates(premises: Iterable[Premise]) -> set[str]:
    return {literal.atom.predicate for literal, _ in literals(tuple(premises))}


def _row(symbol: clingo.Symbol) -> Row:
    import clingo

    return tuple(part.number if part.type == clingo.SymbolType.Number else part.string for part in symbol.arguments)
