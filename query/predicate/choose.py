"""Knows the best a player can choose: `choose`, `require` and `maximize` solved by clingo, with a witness
and a proof of the optimum.

What does not depend on the choice is derived first; only what does is solved. It is put to the solver instance by
instance, or as a text where a clause has not the form for that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from query.predicate.answer_set import (
    LEAST,
    MAXIMIZE,
    choice_text,
    clause_text,
    fact_text,
    idle,
    objective_text,
    requirement_text,
)
from query.predicate.credit import Credits
from query.predicate.decision import decision
from query.predicate.derive import Deriver, Model
from query.predicate.ground_rules import GroundRules
from query.predicate.grounding import Grounding, UnsuitedError
from query.predicate.limits import LimitError, Limits
from query.predicate.match import matches, value
from query.predicate.plan import named
from query.predicate.relation import Row
from query.predicate.syntax import Choice, Fact, Objective, Requirement

if TYPE_CHECKING:
    import clingo


_FROM_ABOVE = ("--opt-strategy=usc",)
"""Proves that so much cannot be reached, then less, until a choice is found: soon, where the bound is nearly met."""

_FROM_BELOW = ("--opt-strategy=bb,lin", "--opt-heuristic=sign,model", "--restart-on-model")
"""Finds better and better choices: soon good ones, where a proof from above does not end."""


@dataclass(frozen=True, slots=True)
class Best:
    """The most that can be reached, a choice that reaches it, and whether it is proven that none reaches more."""

    value: int
    chosen: tuple[Fact, ...]
    proven: bool = True


class NoChoiceError(Exception):
    """No choice keeps to every requirement; not even the empty one."""


@dataclass(frozen=True, slots=True)
class _Posed:
    """A problem put to a solver: how a model's chosen rows are read, and what is gained beside its cost."""

    control: clingo.Control
    chosen: Callable[[clingo.Model], list[Row]]
    gained: int = 0


class ChoiceProblem:
    """One choice on one board: the facts it rests on, and what is settled before it."""

    def __init__(self, deriver: Deriver, choice: Choice, facts: Iterable[Fact], limits: Limits | None = None) -> None:
        self._deriver, self.choice = deriver, choice
        self._limits = (limits or Limits()).begun()
        self.decision = deriver.once(("decision", choice), lambda: decision(deriver.program, choice))
        self.facts = [fact for fact in facts if fact[0] != choice.chosen.predicate]
        self._model = deriver.derive(self.facts, sorted(self.decision.settled), self._limits)
        self._most = self._limited()

    def best(self) -> Best:
        """The optimum. Raises `NoChoiceError`, or `LimitError` if not even one choice was found in time."""
        found: Best | None = None
        before, left = 0.0, self._limits.left
        for options, share in ((_FROM_ABOVE, 0.25), (_FROM_BELOW, 0.9)):
            if before > self._limits.left:  # not even time to pose the problem again
                break
            better = self._optimized(options, share)
            if better is not None and (found is None or better.proven or better.value > found.value):
                found = better
            if found is not None and found.proven:
                return found
            before = left - self._limits.left
        if found is None:
            raise LimitError(f"no choice found within {self._limits.seconds:g} seconds")
        return found

    def _optimized(self, options: Sequence[str], share: float) -> Best | None:
        """The best that one way of searching finds in its share of what time is left; None if it finds no choice."""
        posed = self._posed([*options, "--models=0"])
        found: list[tuple[int, tuple[Fact, ...]]] = []

        def keep(model: clingo.Model) -> None:
            found.append((posed.gained - sum(model.cost), self._facts_of(posed.chosen(model))))

        with posed.control.solve(on_model=keep, async_=True) as handle:
            finished = handle.wait(self._limits.left * share)
            handle.cancel()
            result = handle.get()
        if found:
            return Best(*max(found, key=lambda one: one[0]), finished)
        if finished and result.unsatisfiable:
            cited = ", ".join(str(part.cites) for part in self.decision.requirements)
            raise NoChoiceError(f"no choice keeps to {cited}")
        return None

    def listed(self, least: int, cap: int) -> Iterator[tuple[Fact, ...]]:
        """Choices that keep to every requirement and reach `least`, each once, at most `cap` of them."""
        posed = self._posed([f"--models={cap}", "--project"], least)
        with posed.control.solve(yield_=True, async_=True) as handle:
            while self._limits.left:
                handle.resume()
                if not handle.wait(self._limits.left):
                    handle.cancel()
                    return
                model = handle.model()
                if model is None:
                    return
                yield self._facts_of(posed.chosen(model))

    def program_text(self) -> str:
        """The whole problem in the language of clingo, for another solver or a second opinion."""
        return "\n".join([*self._static(), *self._counted(), MAXIMIZE])

    def _facts_of(self, rows: Iterable[Row]) -> tuple[Fact, ...]:
        return tuple((self.choice.chosen.predicate, row) for row in sorted(rows, key=str))

    def _posed(self, options: Sequence[str], least: int | None = None) -> _Posed:
        """The problem put to a solver: what is counted is maximised, or comes to `least` where that is said."""
        try:
            return self._grounded(options, least)
        except UnsuitedError:
            return self._written(options, least)

    def _grounded(self, options: Sequence[str], least: int | None) -> _Posed:
        if self.decision.ordered is None:
            raise UnsuitedError(self.choice.label)
        control = _control(options)
        with control.backend() as backend:
            rules = GroundRules(backend)
            grounding = Grounding(rules, self._deriver, self._model, self.choice, self._limits.check)
            grounding.limit(self._most)
            for predicate, clauses in self.decision.ordered:
                grounding.define(predicate, clauses)
            for requirement in self.decision.requirements:
                grounding.require(requirement)
            for objective, brings in zip(self.decision.objectives, self.decision.brings, strict=True):
                if brings is None:
                    grounding.gain(objective)
                else:
                    Credits(self.choice, grounding.chosen, self._most, map(grounding.could, brings)).gain(rules)
            if least is None:
                rules.maximize()
            else:
                rules.reach(least)
                rules.tell_apart(list(grounding.chosen.values()))
        chosen = grounding.chosen
        return _Posed(control, lambda model: [row for row, it in chosen.items() if model.is_true(it)], rules.gained)

    def _written(self, options: Sequence[str], least: int | None) -> _Posed:
        control, chosen = _control(options), self.choice.chosen
        lines = [*self._static(), *self._counted(), f"#project p_{chosen.predicate}/{len(chosen.arguments)}."]
        lines.append(MAXIMIZE if least is None else LEAST.replace("least", str(least)))
        control.add("base", [], "\n".join(lines))
        control.ground([("base", [])])
        name = f"p_{chosen.predicate}"
        return _Posed(control, lambda model: [_row(one) for one in model.symbols(atoms=True) if one.name == name])

    def _counted(self) -> list[str]:
        """The clauses that only objectives rest on, and what objectives count."""
        found = self.decision
        lines = [clause_text(clause) for clause in found.clauses if clause.head.predicate not in found.required]
        return [*lines, *(objective_text(part, at) for at, part in enumerate(found.objectives))]

    def _static(self) -> Iterator[str]:
        """What is settled before the choice, as facts, then the choice and what requirements rest on."""
        found = self.decision
        for name in sorted(found.settled):
            yield from (fact_text((name, row)) for row in self._model.rows(name))
        yield from choice_text(self.choice, self._most.items())
        for clause in found.clauses:
            if clause.head.predicate in found.required and not idle(clause, self.choice):
                yield clause_text(clause)
        for number, requirement in enumerate(found.requirements):
            yield from requirement_text(requirement, number)
        declared = self._deriver.program.declarations
        for name in sorted(found.moved | found.settled):
            yield f"#defined p_{name}/{len(declared[name].arguments)}."

    def _limited(self) -> dict[str | int, int]:
        """How many options each group may choose."""
        choice = self.choice
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


def _control(options: Sequence[str]) -> clingo.Control:
    import clingo

    return clingo.Control([*options, "--warn=none"], message_limit=0)


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


def _row(symbol: clingo.Symbol) -> Row:
    import clingo

    return tuple(part.number if part.type == clingo.SymbolType.Number else part.string for part in symbol.arguments)
