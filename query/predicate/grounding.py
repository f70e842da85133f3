"""Knows how what depends on a choice becomes ground conditions on one board: every instance of a clause, with
what is settled before the choice already decided.

A clause is run, as the code it becomes for deriving too, over the facts that are settled and those that some choice
could make true; what a row then still depends on are literals. A solver's own grounding of a text does the same and
takes several times as long. What has not the form for it is an `UnsuitedError`, and the text is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from operator import itemgetter

from query.predicate.answer_set import folded
from query.predicate.clause_code import compiled
from query.predicate.derive import Deriver, Model
from query.predicate.ground_rules import NOTHING, GroundRules, Total, Weighted
from query.predicate.match import Binding, value
from query.predicate.plan import named, shared
from query.predicate.relation import Relation, Row
from query.predicate.syntax import (
    Aggregate,
    Atom,
    Choice,
    Clause,
    Comparison,
    Literal,
    Next,
    Objective,
    Premise,
    Requirement,
    Term,
    Variable,
)

_OUTER, _GROUND = "#outer", "#ground"
"""The values for which an aggregate is asked for, and what a clause is run for; no predicate can have these names."""


class UnsuitedError(Exception):
    """A clause that cannot be put to the solver instance by instance."""


class Grounding:
    """What could hold on one board under some choice, each fact with the literal that says whether it does."""

    def __init__(
        self, rules: GroundRules, deriver: Deriver, model: Model, choice: Choice, tick: Callable[[], None]
    ) -> None:
        self._rules, self._deriver, self._choice, self._tick = rules, deriver, choice, tick
        self._relations = dict(model.relations)
        self._literals: dict[str, dict[Row, int]] = {}
        self._counted_by: dict[tuple[str, tuple[int, ...]], dict[Row, Total]] = {}
        options = Clause(choice.cites, choice.label, choice.chosen, (Literal(choice.options),), (), choice.place)
        self.chosen = rules.free(list(self._run(options.head, options.premises)))
        self._know(choice.chosen.predicate, self.chosen)

    def limit(self, most: dict[str | int, int]) -> None:
        """No group chooses more than its number of options."""
        if self._choice.group is None:
            return
        at = self._choice.chosen.arguments.index(self._choice.group)
        totals = self._counts(self._choice.chosen.predicate, (at,))
        for who, number in most.items():
            self._rules.forbid(self._rules.at_least(number + 1, totals.get((who,), NOTHING)))

    def define(self, predicate: str, clauses: Iterable[Clause]) -> None:
        """Every fact of a predicate that some choice makes true; what its clauses rest on must be defined before."""
        found: dict[Row, list[int]] = {}
        for clause in clauses:
            for row, literal in self._instances(clause.premises, clause.head.arguments):
                found.setdefault(row, []).append(literal)
        self._know(predicate, {row: self._rules.any_of(literals) for row, literals in found.items()})

    def require(self, requirement: Requirement) -> None:
        """No answer in which the requirement's premises do not hold."""
        met = self._rules.any_of(literal for _, literal in self._instances(requirement.premises, ()))
        self._rules.forbid(-met)

    def gain(self, objective: Objective) -> None:
        """The objective's weight for each way in which its premises hold."""
        if any(isinstance(premise, Aggregate) for premise in objective.premises):
            raise UnsuitedError(str(objective.weight))
        names = sorted(named(objective.premises))
        ways: dict[Row, list[int]] = {}
        for row, literal in self._instances(objective.premises, [Variable(name) for name in names]):
            ways.setdefault(row, []).append(literal)
        for row, literals in ways.items():
            weight = value(objective.weight, dict(zip(names, row, strict=True)))
            self._rules.gain(self._rules.any_of(literals), int(weight))

    def _know(self, predicate: str, literals: dict[Row, int]) -> None:
        self._literals[predicate] = literals
        self._relations[predicate] = Relation(literals)

    def could(self, clause: Clause) -> Iterable[Row]:
        """The rows of a clause's head that could hold, over what is settled and what some choice makes true."""
        return self._run(clause.head, clause.premises)

    def _run(self, head: Atom, premises: Sequence[Premise]) -> Iterable[Row]:
        at = self._choice
        clause = Clause(at.cites, at.label, replace(head, predicate=_GROUND), tuple(premises), (), at.place)
        code = self._deriver.once(("grounding", clause), lambda: compiled(clause, recursive=True))
        new: dict[Row, int] = {}
        code({**self._relations, _GROUND: Relation()}, Relation(), new, 0, 0, self._tick)
        return new

    def _instances(self, premises: Sequence[Premise], terms: Sequence[Term]) -> Iterator[tuple[Row, int]]:
        """The values of the terms in each way in which the premises could hold, and the literal for that way."""
        self._tick()
        premises = [_spelled(premise, at) for at, premise in enumerate(premises)]
        counts = [premise for premise in premises if isinstance(premise, Aggregate)]
        compared = folded(premises, named(terms))
        if any(one.function not in ("count", "sum") or one.result.name not in compared for one in counts):
            raise UnsuitedError(", ".join(map(str, counts)))
        late = [part for parts in compared.values() for part in parts]
        plain = [part for part in premises if part not in late and not isinstance(part, Aggregate)]
        settled = [part for part in plain if not (self._moved(part) and isinstance(part, Literal) and part.negated)]
        names = sorted(named(plain) | named(terms))
        tests = [self._literal(part, names) for part in plain if self._moved(part)]
        rows = list(self._run(Atom("", tuple(map(Variable, names))), settled))
        for one in counts:
            outer = sorted(shared(one, premises, named(terms)) - {one.result.name})
            tests.append(self._counted(one, outer, compared[one.result.name], names, rows))
        give = _giver(terms, names)
        if len(tests) == 1:
            yield from zip(map(give, rows), map(tests[0], rows), strict=True)
            return
        for row in rows:
            self._tick()
            yield give(row), self._rules.all_of([test(row) for test in tests])

    def _moved(self, premise: Premise) -> bool:
        return isinstance(premise, Literal) and premise.atom.predicate in self._literals

    def _literal(self, premise: Premise, names: Sequence[str]) -> Callable[[Row], int]:
        """The literal of a premise that depends on the choice, by the values of the names."""
        assert isinstance(premise, Literal)
        atom, literals = premise.atom, self._literals[premise.atom.predicate]
        if not premise.negated:
            give = _giver(atom.arguments, names)
            return lambda row: literals[give(row)]
        known = tuple(at for at, term in enumerate(atom.arguments) if not _anonymous(term))
        give = _giver([atom.arguments[at] for at in known], names)
        like: dict[Row, list[int]] = {}
        for fact, literal in literals.items():
            like.setdefault(tuple(fact[at] for at in known), []).append(literal)
        return lambda row: -self._rules.any_of(like.get(give(row), ()))

    def _counted(
        self,
        one: Aggregate,
        outer: Sequence[str],
        compared: Sequence[Comparison],
        names: Sequence[str],
        rows: Sequence[Row],
    ) -> Callable[[Row], int]:
        """The literal that a count or sum compares as said, by the values of the names."""
        give = _giver(list(map(Variable, outer)), names)
        totals = self._totals(one, outer, {give(row) for row in rows})

        def literal(row: Row) -> int:
            known, total = dict(zip(names, row, strict=True)), totals.get(give(row), NOTHING)
            return self._rules.all_of([self._compares(part, one.result, known, total) for part in compared])

        return literal

    def _totals(self, one: Aggregate, outer: Sequence[str], keys: set[Row]) -> dict[Row, Total]:
        """What is counted for each of the keys: each distinct value of the terms once."""
        direct = self._direct(one, outer)
        if direct is not None:
            return self._counts(*direct)
        body = [_spelled(premise, at) for at, premise in enumerate(one.body)]
        if any(isinstance(premise, Aggregate) for premise in body):
            raise UnsuitedError(str(one))
        self._relations[_OUTER] = Relation(keys)
        premises = [Literal(Atom(_OUTER, tuple(map(Variable, outer)))), *body] if outer else body
        found: dict[Row, dict[Row, list[int]]] = {}
        if keys:
            for row, literal in self._instances(premises, [*map(Variable, outer), *one.terms]):
                found.setdefault(row[: len(outer)], {}).setdefault(row[len(outer) :], []).append(literal)
        weigh: Callable[[Row], int] = (lambda _: 1) if one.function == "count" else (lambda terms: int(terms[0]))
        return {
            key: Total.of((self._rules.any_of(literals), weigh(terms)) for terms, literals in each.items())
            for key, each in found.items()
        }

    def _direct(self, one: Aggregate, outer: Sequence[str]) -> tuple[str, tuple[int, ...]] | None:
        """The predicate and the places of the outer values, where an aggregate counts the facts of one predicate."""
        premise = one.body[0]
        if one.function != "count" or len(one.body) > 1 or not self._moved(premise) or not isinstance(premise, Literal):
            return None
        terms = premise.atom.arguments
        wanted = [*map(Variable, outer), *one.terms]
        if premise.negated or len(set(terms)) != len(terms) or len(wanted) != len(terms) or set(wanted) != set(terms):
            return None
        return premise.atom.predicate, tuple(terms.index(Variable(name)) for name in outer)

    def _counts(self, predicate: str, places: tuple[int, ...]) -> dict[Row, Total]:
        """How many facts of a predicate hold, by the values at the places."""
        if (predicate, places) not in self._counted_by:
            groups: dict[Row, list[Weighted]] = {}
            for row, literal in self._literals[predicate].items():
                groups.setdefault(tuple([row[at] for at in places]), []).append((literal, 1))
            self._counted_by[predicate, places] = {key: Total.of(weighted) for key, weighted in groups.items()}
        return self._counted_by[predicate, places]

    def _compares(self, comparison: Comparison, result: Variable, known: Binding, total: Total) -> int:
        """The literal that what is counted compares as said with a known number."""
        left = comparison.left == result
        bound = int(value(comparison.right if left else comparison.left, known))
        operator = comparison.operator if left else _TURNED.get(comparison.operator, comparison.operator)
        reach = self._rules.at_least
        if operator in ("=", "!="):
            same = self._rules.all_of([reach(bound, total), -reach(bound + 1, total)])
            return same if operator == "=" else -same
        least = reach(bound + (operator in (">", "<=")), total)
        return least if operator in (">", ">=") else -least


_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _anonymous(term: Term) -> bool:
    return isinstance(term, Variable) and term.anonymous


def _spelled(premise: Premise, at: int) -> Premise:
    """A positive premise with its open places named, so that the fact it was matched with is known."""
    if not isinstance(premise, Literal) or premise.negated:
        return premise
    terms = tuple(
        Variable(f"#{at}.{place}") if _anonymous(term) else term for place, term in enumerate(premise.atom.arguments)
    )
    return Literal(replace(premise.atom, arguments=terms))


def _giver(terms: Sequence[Term], names: Sequence[str]) -> Callable[[Row], Row]:
    """A function from the values of the names to the values of the terms."""
    fixed = [term for term in terms if not isinstance(term, Variable)]
    if any(isinstance(term, Next) for term in fixed):
        raise UnsuitedError(", ".join(map(str, terms)))
    places = [names.index(term.name) if isinstance(term, Variable) else -1 for term in terms]
    if not fixed and len(places) > 1:
        return itemgetter(*places)
    if not fixed:
        return (lambda row: (row[places[0]],)) if places else (lambda _: ())
    pairs = [(at, "" if isinstance(term, (Variable, Next)) else term) for at, term in zip(places, terms, strict=True)]
    return lambda row: tuple([row[at] if at >= 0 else term for at, term in pairs])
