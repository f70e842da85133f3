"""Knows what makes a parsed rule file wrong: names undeclared, arguments that do not fit, variables that
nothing binds."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from kb.number import RuleNumber
from query.predicate.fitting import near, unfit
from query.predicate.plan import UnboundError, named, order
from query.predicate.strata import CycleError, LookBackError, Stratum, stratify
from query.predicate.syntax import (
    Aggregate,
    Atom,
    Choice,
    Clause,
    Comparison,
    Declaration,
    Expression,
    Fact,
    Literal,
    Next,
    Objective,
    Operation,
    Place,
    Premise,
    Requirement,
    Statement,
    Term,
    Variable,
    literals,
    variables,
)

MOST_PREMISES = 16
"""How many premises one clause may have, those inside aggregates counted."""

_WIDER = {"object": {"thing", "any"}, "player": {"thing", "any"}, "thing": {"any"}, "word": {"any"}}


def check(
    statements: Sequence[Statement], rules: Container[RuleNumber] | None = None
) -> tuple[list[str], tuple[Stratum, ...]]:
    """The faults of a whole program, each with its place, and, if there are none, its strata.

    `rules`: the numbers that the edition has; a citation outside them is a fault. None: citations are not looked up.
    """
    declarations: dict[str, Declaration] = {}
    faults: list[str] = []
    for statement in statements:
        if isinstance(statement, Declaration):
            faults.extend(_declared_twice(statement, declarations))
            declarations.setdefault(statement.name, statement)
    for statement in statements:
        if not isinstance(statement, Declaration):
            faults.extend(_Checker(declarations, rules).statement(statement))
    if faults:
        return faults, ()
    clauses = [statement for statement in statements if isinstance(statement, Clause)]
    faults.extend(_underived(declarations, clauses))
    try:
        return faults, stratify(declarations, clauses)
    except CycleError as error:
        return [
            *faults,
            f"{error.links[0].place}: a predicate needs all of itself: {_steps(error.links)}",
        ], ()
    except LookBackError as error:
        return [*faults, f"{error.links[0].place}: within the stages nothing may look back over them: "
                f"{_steps(error.links)}"], ()  # fmt: skip


def _fit(one: str, other: str) -> bool:
    """Whether a value can be of both kinds."""
    return one == other or other in _WIDER.get(one, ()) or one in _WIDER.get(other, ())


def _steps(links: Iterable[object]) -> str:
    return ", ".join(map(str, links))


def _declared_twice(found: Declaration, earlier: Mapping[str, Declaration]) -> Iterator[str]:
    if found.name in earlier:
        yield f"{found.place}: {found.name} is already declared at {earlier[found.name].place}"
    for name, kind in found.arguments[1:]:
        if kind == "stage":
            yield f"{found.place}: only the first argument can be a stage, found {name} of {found.name}"


def _underived(declarations: Mapping[str, Declaration], clauses: Iterable[Clause]) -> Iterator[str]:
    derived = {clause.head.predicate for clause in clauses}
    for name, declared in declarations.items():
        if declared.world == "derived" and name not in derived:
            yield f"{declared.place}: no clause derives {name}; declare it 'given' if a board states it"


class _Checker:
    """The checks of one statement; `kinds` gathers what each variable has been used as."""

    def __init__(self, declarations: Mapping[str, Declaration], rules: Container[RuleNumber] | None) -> None:
        self._declarations, self._rules = declarations, rules
        self._kinds: dict[str, str] = {}

    def statement(self, statement: Clause | Choice | Requirement | Objective) -> Iterator[str]:
        if self._rules is not None and statement.cites not in self._rules:
            yield f"{statement.place}: the edition has no rule {statement.cites}"
        checked = {
            Clause: self._clause,
            Choice: self._choice,
            Requirement: self._requirement,
            Objective: self._objective,
        }[type(statement)](statement)  # type: ignore[operator]
        yield from checked

    def _clause(self, clause: Clause) -> Iterator[str]:
        declared = self._declarations.get(clause.head.predicate)
        if declared is not None and declared.world != "derived":
            yield f"{clause.head.place}: {declared.name} is {declared.world}: a board states it, no clause derives it"
        yield from self._atom(clause.head, head=True)
        yield from self._premises(clause.premises, clause.place)
        stage = _stage_of(clause, declared)
        yield from self._stages(clause, stage)
        yield from self._bound(clause.premises, clause.head.arguments, stage, clause.place)
        for example in clause.examples:
            for fact in (*example.facts, *([example.gives] if example.gives else ())):
                yield from self._example_fact(fact, example.place)

    def _example_fact(self, fact: Fact, place: Place) -> Iterator[str]:
        declared = self._declarations.get(fact[0])
        if declared is None:
            yield f"{place}: no predicate {fact[0]!r} is declared{near(fact[0], self._declarations)}"
        else:
            yield from (f"{place}: {fault}" for fault in unfit(fact[0], fact[1], declared))

    def _choice(self, choice: Choice) -> Iterator[str]:
        declared = self._declarations.get(choice.chosen.predicate)
        if declared is not None and declared.world != "given":
            yield f"{choice.chosen.place}: {declared.name} is chosen by a player, so it must be declared 'given'"
        for atom in (choice.chosen, choice.options):
            yield from self._atom(atom)
        yield from self._premises(choice.condition, choice.place)
        wanted = [choice.limit] if isinstance(choice.limit, Variable) else []
        known = named(choice.options.arguments)
        missing = named(choice.chosen.arguments) - known
        if choice.group is not None and choice.group.name not in known:
            missing |= {choice.group.name}
        if missing:
            said = [*choice.chosen.arguments, *([choice.group] if choice.group else [])]
            yield _unbound(missing, said, choice.place)
        yield from self._bound(choice.condition, wanted, named([choice.group] if choice.group else []), choice.place)

    def _requirement(self, requirement: Requirement) -> Iterator[str]:
        yield from self._premises(requirement.premises, requirement.place)
        yield from self._bound(requirement.premises, (), set(), requirement.place)

    def _objective(self, objective: Objective) -> Iterator[str]:
        yield from self._premises(objective.premises, objective.place)
        yield from self._bound(objective.premises, [objective.weight], set(), objective.place)
        yield from self._numeric(objective.weight, objective.place)

    def _premises(self, premises: Sequence[Premise], place: Place) -> Iterator[str]:
        if _size(premises) > MOST_PREMISES:
            yield f"{place}: more than {MOST_PREMISES} premises; split the clause"
        for premise in premises:
            if isinstance(premise, Literal):
                yield from self._atom(premise.atom)
            elif isinstance(premise, Aggregate):
                yield from self._aggregate(premise)
        for premise in premises:
            if isinstance(premise, Comparison):
                yield from self._comparison(premise)

    def _aggregate(self, premise: Aggregate) -> Iterator[str]:
        yield from self._use(premise.result, "number", premise.place)
        yield from self._premises(premise.body, premise.place)
        if any(isinstance(term, Next) for term in premise.terms):
            yield f"{premise.place}: a stage cannot be counted"
        if premise.function != "count":
            yield from self._numeric(premise.terms[0], premise.place)

    def _comparison(self, premise: Comparison) -> Iterator[str]:
        sides = (premise.left, premise.right)
        if premise.operator not in ("=", "!=") or any(isinstance(side, Operation) for side in sides):
            for side in sides:
                yield from self._numeric(side, premise.place)
            return
        known = [kind for side in sides if (kind := self._kind(side)) is not None]
        if len(known) == 2 and not _fit(known[0], known[1]):
            yield f"{premise.place}: a {known[0]} is compared with a {known[1]} in {premise}"
        for side, other in (sides, sides[::-1]):
            if isinstance(side, Variable) and (kind := self._kind(other)) is not None:
                self._kinds.setdefault(side.name, kind)

    def _kind(self, side: Expression) -> str | None:
        if isinstance(side, Variable):
            return self._kinds.get(side.name)
        return None if isinstance(side, str) else "number"

    def _numeric(self, expression: Expression, place: Place) -> Iterator[str]:
        if isinstance(expression, Operation):
            yield from self._numeric(expression.left, place)
            yield from self._numeric(expression.right, place)
        elif isinstance(expression, str):
            yield f"{place}: expected a number, found the word {expression!r}"
        elif isinstance(expression, Variable) and self._kinds.get(expression.name) not in ("stage", "number"):
            yield from self._use(expression, "number", place)

    def _atom(self, atom: Atom, head: bool = False) -> Iterator[str]:
        declared = self._declarations.get(atom.predicate)
        if declared is None:
            yield f"{atom.place}: no predicate {atom.predicate!r} is declared{near(atom.predicate, self._declarations)}"
            return
        if len(atom.arguments) != len(declared.arguments):
            count = len(declared.arguments)
            yield f"{atom.place}: {declared} takes {count} arguments, found {len(atom.arguments)}"
            return
        for term, (name, kind) in zip(atom.arguments, declared.arguments, strict=True):
            yield from self._argument(atom, term, name, kind, head)

    def _argument(self, atom: Atom, term: Term, name: str, kind: str, head: bool) -> Iterator[str]:
        if isinstance(term, Next):
            if kind != "stage":
                yield f"{atom.place}: {name} of {atom.predicate} is no stage, found {term}"
            yield from self._use(term.variable, "stage", atom.place)
        elif isinstance(term, Variable):
            if term.anonymous and head:
                yield f"{atom.place}: the head of a clause cannot say '_'"
            yield from self._use(term, kind, atom.place)
        elif isinstance(term, int) != (kind in ("number", "stage")):
            yield f"{atom.place}: {name} of {atom.predicate} is a {kind}, found {term!r}"

    def _use(self, variable: Variable, kind: str, place: Place) -> Iterator[str]:
        if variable.anonymous:
            return
        earlier = self._kinds.setdefault(variable.name, kind)
        if not _fit(earlier, kind):
            yield f"{place}: {variable.name} is a {earlier} and a {kind} in one clause"

    def _stages(self, clause: Clause, stage: set[str]) -> Iterator[str]:
        """Within the stages a premise is of the head's stage or, under `T+1`, of the one before."""
        declared = self._declarations.get(clause.head.predicate)
        if declared is None or not declared.staged or not clause.head.arguments:
            return
        head = clause.head.arguments[0]
        allowed = {head, head.variable} if isinstance(head, Next) else {head}
        for literal, _ in literals(clause.premises):
            atom = literal.atom
            other = self._declarations.get(atom.predicate)
            if other is not None and other.staged and atom.arguments and atom.arguments[0] not in allowed:
                yield (
                    f"{atom.place}: under the stage {head} of the head a premise is of stage "
                    f"{' or '.join(sorted(map(str, allowed)))}, found {atom}"
                )

    def _bound(
        self, premises: Sequence[Premise], needs: Sequence[Expression], known: set[str], place: Place
    ) -> Iterator[str]:
        """Every variable of the premises, and of what needs them, must be bound by a premise that is no test."""
        wanted, said = named(needs), [*needs, *premises]
        try:
            order(premises, known, wanted | known)
        except UnboundError as error:
            yield _unbound(error.names, said, place)
            return
        missing = wanted - known - _binding(premises)
        if missing:
            yield _unbound(missing, said, place)
        yield from self._unnamed(premises, place)

    def _unnamed(self, premises: Sequence[Premise], place: Place) -> Iterator[str]:
        for premise in premises:
            if isinstance(premise, Comparison) and any(v.anonymous for v in variables(premise)):
                yield f"{premise.place}: '_' has no value to compare"


def _unbound(names: Iterable[str], said: Iterable[Expression | Premise], place: Place) -> str:
    """The fault of variables that nothing binds, where the first of them stands."""
    wanted = set(names)
    found = [one for part in said for one in variables(part) if one.name in wanted and one.place is not None]
    first = found[0].place if found else place
    return f"{first}: nothing binds {', '.join(sorted(wanted))}"


def _binding(premises: Iterable[Premise]) -> set[str]:
    """The variables that premises bind, what stands only inside an aggregate left out."""
    found: set[str] = set()
    for premise in premises:
        found |= {premise.result.name} if isinstance(premise, Aggregate) else named([premise])
    return found


def _stage_of(clause: Clause, declared: Declaration | None) -> set[str]:
    if declared is None or not declared.staged or not clause.head.arguments:
        return set()
    return named([clause.head.arguments[0]])


def _size(premises: Iterable[Premise]) -> int:
    return sum(1 + (_size(premise.body) if isinstance(premise, Aggregate) else 0) for premise in premises)
