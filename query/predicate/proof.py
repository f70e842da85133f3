"""Knows why a fact holds: its clause and the proofs of its premises, down to what the board states or leaves out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from kb.number import RuleNumber
from query.predicate.absent import Attempt, attempts
from query.predicate.derive import Model
from query.predicate.match import (
    Admits,
    Binding,
    counted,
    everything,
    filled,
    head_binding,
    matches,
    rows,
    value,
)
from query.predicate.plan import named
from query.predicate.relation import GIVEN, Row, clause_of, round_of
from query.predicate.syntax import (
    Aggregate,
    Atom,
    Clause,
    Comparison,
    Fact,
    Literal,
    Next,
    Objective,
    Operation,
    Premise,
    Score,
    Variable,
    show,
)

KINDS = ("given", "rule", "round", "absent", "count", "arithmetic", "optimum")
"""What a step rests on: the board, a clause, a clause that leads into the next stage, the lack of any fact of a
form, a count or sum, reckoning, the best of all choices."""


@dataclass(frozen=True, slots=True, eq=False)
class Proof:
    """One step: what holds, of which kind, by which clause, and the steps it rests on in the clause's order.

    `says` is an `Atom` (with anonymous variables where it is of kind `absent`), a `Comparison`, an `Aggregate`, or
    the `Score` of an objective. Steps are shared: one that supports several others is one value.
    """

    says: Atom | Comparison | Aggregate | Score
    kind: str
    clause: Clause | Objective | None = None
    premises: tuple[Proof, ...] = ()
    attempts: tuple[Attempt, ...] = ()

    @property
    def text(self) -> str:
        """What holds, as a rule file writes it.

        >>> Proof(Atom("tapped", ("bear",)), "absent").text
        'not tapped(bear)'
        """
        return f"not {self.says}" if self.kind == "absent" else str(self.says)

    @property
    def cites(self) -> RuleNumber | None:
        """The rule that this step rests on."""
        return self.clause.cites if self.clause else None

    def steps(self) -> Iterator[Proof]:
        """Every step once, what rests on others before what it rests on; the reasons of a lack are steps too."""
        seen: set[int] = set()
        waiting = [self]
        while waiting:
            step = waiting.pop()
            if id(step) not in seen:
                seen.add(id(step))
                yield step
                reasons = [one.because for one in step.attempts if one.because]
                waiting.extend(reversed((*step.premises, *reasons)))

    @property
    def citations(self) -> tuple[RuleNumber, ...]:
        """Every rule that the proof rests on, in the order of the steps; of a lack, the rules that could
        have filled it."""
        found: dict[RuleNumber, None] = {}
        for step in self.steps():
            if step.cites:
                found[step.cites] = None
            found.update((one.clause.cites, None) for one in step.attempts if one.because)
        return tuple(found)


def prove(model: Model, fact: Fact) -> Proof:
    """The proof of a fact that holds in the model. Raises `KeyError` for one that does not, `LimitError` where the
    time of the question is over."""
    return _Builder(model).fact(fact)


def prover(model: Model) -> Callable[[Fact], Proof]:
    """What proves any number of facts of one model, sharing steps; lacks are told without what could fill them."""
    return _Builder(model, explained=False).fact


def refute(model: Model, atom: Atom, depth: int = 4) -> Proof:
    """The proof that nothing of the atom's form holds; raises `ValueError` if something does.

    Each clause that could have given it is explained: by the proof of what stands against it or, `depth` levels deep,
    of what is lacking.
    """
    if next(rows(model, atom, {}), None) is not None:
        raise ValueError(f"{atom} holds")
    found = tuple(replace(one, because=_because(model, one.failed, depth)) for one in attempts(model, atom))
    return Proof(atom, "absent", attempts=found)


def _because(model: Model, failed: Premise, depth: int) -> Proof | None:
    """Why a premise fails: the proof of what it denies, the lack of what it needs, or what was counted or reckoned."""
    if isinstance(failed, Literal) and failed.negated:
        named_terms = [
            Variable(f"Any{at}") if isinstance(term, Variable) else term
            for at, term in enumerate(failed.atom.arguments)
        ]
        first = next(rows(model, Atom(failed.atom.predicate, tuple(named_terms)), {}))
        return prove(model, (failed.atom.predicate, tuple(value(term, first) for term in named_terms)))
    if isinstance(failed, Literal):
        return refute(model, failed.atom, depth - 1) if depth else Proof(failed.atom, "absent")
    return None


class _Builder:
    """Rebuilds proofs from a model; a fact is looked into once."""

    def __init__(self, model: Model, explained: bool = True) -> None:
        self._model = model
        self._explained = explained
        self._done: dict[Fact, Proof] = {}
        self._absent: dict[str, Proof] = {}
        self._bindings: dict[Fact, tuple[Clause, Binding, Admits]] = {}

    def fact(self, wanted: Fact) -> Proof:
        """Builds what a fact rests on before the fact, without recursion: a chain may be long."""
        waiting = [wanted]
        while waiting:
            self._model.limits.check()
            fact = waiting[-1]
            missing = [] if fact in self._done else [f for f in self._rests_on(fact) if f not in self._done]
            if missing:
                waiting.extend(missing)
                continue
            waiting.pop()
            if fact not in self._done:
                self._done[fact] = self._step(fact)
        return self._done[wanted]

    def _origin(self, fact: Fact) -> tuple[Clause, Binding, Admits] | None:
        origin = self._model.origin(fact)
        if origin == GIVEN:
            return None
        if fact not in self._bindings:
            clause = self._model.program.clauses[clause_of(origin)]
            binding = head_binding(clause.head, fact[1])
            assert binding is not None
            admits = self._earlier(clause, fact, round_of(origin))
            outside = named(clause.head.arguments)
            found = next(matches(self._model, clause.premises, binding, outside, admits))
            self._bindings[fact] = (clause, found, admits)
        return self._bindings[fact]

    def _earlier(self, clause: Clause, fact: Fact, turn: int) -> Admits:
        """Within a recursion only facts of earlier rounds may be premises."""
        for stratum in self._model.program.strata:
            if stratum.recursive and clause.head.predicate in stratum.predicates:
                same = frozenset(stratum.predicates)
                staged = self._model.program.declarations[clause.head.predicate].staged
                stage = fact[1][0] if staged else None
                return lambda name, row: (
                    name not in same
                    or (staged and row[0] != stage)
                    or round_of(self._model.relations[name].rows[row]) < turn
                )
        return everything

    def _rests_on(self, fact: Fact) -> list[Fact]:
        origin = self._origin(fact)
        if origin is None:
            return []
        clause, binding, admits = origin
        return [found for premise in clause.premises for found in self._facts(premise, binding, admits)]

    def _facts(self, premise: Premise, binding: Binding, admits: Admits) -> Iterator[Fact]:
        if isinstance(premise, Literal) and not premise.negated:
            yield premise.atom.predicate, self._row(premise.atom, binding, admits)
        elif isinstance(premise, Aggregate):
            for _, inner in counted(self._model, premise, _without(binding, premise)):
                for part in premise.body:
                    yield from self._facts(part, inner, admits)

    def _row(self, atom: Atom, binding: Binding, admits: Admits) -> Row:
        """The fact that served as this premise: anonymous variables take the first that fits."""
        found = filled(atom, binding)
        if not any(isinstance(term, Variable) for term in found.arguments):
            return _ground(found)
        named_terms = tuple(
            Variable(f"Any{at}") if isinstance(term, Variable) else term for at, term in enumerate(found.arguments)
        )
        first = next(rows(self._model, Atom(atom.predicate, named_terms), {}, admits))
        return tuple(value(term, first) for term in named_terms)

    def _step(self, fact: Fact) -> Proof:
        atom = Atom(fact[0], fact[1])
        origin = self._origin(fact)
        if origin is None:
            return Proof(atom, "given")
        clause, binding, admits = origin
        first = clause.head.arguments[0] if clause.head.arguments else None
        kind = "round" if isinstance(first, Next) else "rule"
        return Proof(atom, kind, clause, tuple(self._premise(part, binding, admits) for part in clause.premises))

    def _premise(self, premise: Premise, binding: Binding, admits: Admits) -> Proof:
        if isinstance(premise, Comparison):
            sides = _reckoned(premise.left, binding), _reckoned(premise.right, binding)
            return Proof(Comparison(premise.operator, *sides), "arithmetic")
        if isinstance(premise, Aggregate):
            return self._count(premise, binding)
        if premise.negated:
            return self._missing(filled(premise.atom, binding))
        return self._done[(premise.atom.predicate, self._row(premise.atom, binding, admits))]

    def _missing(self, atom: Atom) -> Proof:
        text = str(atom)
        if text not in self._absent:
            found = attempts(self._model, atom) if self._explained else ()
            self._absent[text] = Proof(atom, "absent", attempts=found)
        return self._absent[text]

    def _count(self, premise: Aggregate, binding: Binding) -> Proof:
        """A count rests on each fact it counted."""
        outer = _without(binding, premise)
        body = tuple(_substituted(part, outer) for part in premise.body)
        terms = tuple(outer.get(t.name, t) if isinstance(t, Variable) else t for t in premise.terms)
        said = Aggregate(Variable(show(binding[premise.result.name])), premise.function, terms, body)
        facts = dict.fromkeys(self._facts(premise, binding, everything))
        return Proof(said, "count", premises=tuple(self._done[fact] for fact in facts))


def _without(binding: Binding, premise: Aggregate) -> Binding:
    """The values known outside an aggregate."""
    return {name: known for name, known in binding.items() if name != premise.result.name}


def _reckoned(side: object, binding: Binding) -> str | int | Operation:
    """One side of a comparison with its values filled in but not worked out."""
    if isinstance(side, Operation):
        return Operation(side.operator, _reckoned(side.left, binding), _reckoned(side.right, binding))
    return value(side, binding)  # type: ignore[arg-type]


def _substituted(part: Premise, binding: Binding) -> Premise:
    if isinstance(part, Literal):
        return Literal(filled(part.atom, binding), part.negated)
    if isinstance(part, Aggregate):
        body = tuple(_substituted(inner, binding) for inner in part.body)
        return Aggregate(part.result, part.function, part.terms, body)
    sides: Sequence[object] = (part.left, part.right)
    left, right = (
        _reckoned(side, binding) if named([side]) <= binding.keys() else side  # type: ignore[list-item]
        for side in sides
    )
    return Comparison(part.operator, left, right)  # type: ignore[arg-type]


def _ground(atom: Atom) -> Row:
    return tuple(term for term in atom.arguments if isinstance(term, (str, int)))
