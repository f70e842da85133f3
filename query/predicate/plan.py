"""Knows in which order the premises of a clause are tried: a test as soon as its variables are bound, else
the narrowest literal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from query.predicate.syntax import (
    Aggregate,
    Comparison,
    Expression,
    Literal,
    Next,
    Premise,
    Term,
    Variable,
    variables,
)


class UnboundError(ValueError):
    """No order binds every variable; `names` are those that nothing binds."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(dict.fromkeys(names))
        super().__init__(", ".join(self.names))


def named(parts: Iterable[Expression | Premise]) -> set[str]:
    """The names of the variables in the parts, anonymous ones left out.

    >>> sorted(named([Variable("A"), Variable("_1"), 3]))
    ['A']
    """
    return {found.name for part in parts for found in variables(part) if not found.anonymous}


def order(premises: Sequence[Premise], bound: set[str], outside: set[str]) -> list[Premise]:
    """The premises in the order to try them, given the variables `bound` beforehand.

    `outside` are the variables used beyond these premises; inside an aggregate they must be bound before it.
    Raises `UnboundError` if some premise can never be tried.
    """
    bound, waiting, ordered = set(bound), list(premises), list[Premise]()
    while waiting:
        ready = _ready(waiting, premises, bound, outside)
        if ready is None:
            raise UnboundError(sorted(name for part in waiting for name in named([part]) - bound))
        waiting.remove(ready)
        ordered.append(ready)
        bound |= {ready.result.name} if isinstance(ready, Aggregate) else named([ready])
    return ordered


def shared(aggregate: Aggregate, premises: Sequence[Premise], outside: set[str]) -> set[str]:
    """The variables of an aggregate's inside that stand outside every aggregate too.

    The aggregate is evaluated once for each of their values; its other variables are its own."""
    inside = named([*aggregate.terms, *aggregate.body])
    elsewhere = outside | {aggregate.result.name}
    for premise in premises:
        elsewhere |= {premise.result.name} if isinstance(premise, Aggregate) else named([premise])
    return inside & elsewhere


def binds(comparison: Comparison, bound: set[str]) -> Variable | None:
    """The variable that `=` binds: alone on one side, not bound yet, the other side bound."""
    if comparison.operator != "=":
        return None
    for target, source in ((comparison.left, comparison.right), (comparison.right, comparison.left)):
        if isinstance(target, Variable) and target.name not in bound and named([source]) <= bound:
            return target
    return None


def is_bound(term: Term, bound: set[str]) -> bool:
    """Whether the value of a term is known."""
    return isinstance(term, (str, int)) or (named([term]) <= bound and not _anonymous(term))


def _anonymous(term: Term) -> bool:
    return isinstance(term, Variable) and term.anonymous


def _ready(waiting: list[Premise], premises: Sequence[Premise], bound: set[str], outside: set[str]) -> Premise | None:
    best: tuple[tuple[int, int], Premise] | None = None
    for at, premise in enumerate(waiting):
        if isinstance(premise, Literal) and not premise.negated:
            known = sum(is_bound(term, bound) for term in premise.atom.arguments)
            if known == len(premise.atom.arguments):
                return premise
            if any(isinstance(term, Next) and not is_bound(term, bound) for term in premise.atom.arguments):
                continue
            if best is None or (known, -at) > best[0]:
                best = ((known, -at), premise)
        elif _testable(premise, premises, bound, outside):
            return premise
    return best[1] if best else None


def _testable(premise: Premise, premises: Sequence[Premise], bound: set[str], outside: set[str]) -> bool:
    if isinstance(premise, Aggregate):
        return shared(premise, premises, outside) - {premise.result.name} <= bound
    if isinstance(premise, Comparison) and binds(premise, bound):
        return True
    return named([premise]) <= bound
