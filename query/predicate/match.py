"""Knows how premises are matched one by one against a model, for the few facts whose reasons are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from query.predicate.derive import Model
from query.predicate.plan import binds, named, order
from query.predicate.relation import Row
from query.predicate.syntax import (
    Aggregate,
    Atom,
    Comparison,
    Expression,
    Literal,
    Next,
    Operation,
    Premise,
    Term,
    Variable,
)

Binding = dict[str, str | int]
"""The values of the named variables."""

Admits = Callable[[str, Row], bool]
"""Whether a fact may serve as a premise; a recursion must not rest on what was found after it."""


def everything(_predicate: str, _row: Row) -> bool:
    """Admits any fact."""
    return True


def value(expression: Expression, binding: Mapping[str, str | int]) -> str | int:
    """The value of an expression whose variables are all bound."""
    if isinstance(expression, Variable):
        return binding[expression.name]
    if isinstance(expression, Next):
        return _number(binding[expression.variable.name]) + 1
    if isinstance(expression, Operation):
        left, right = _number(value(expression.left, binding)), _number(value(expression.right, binding))
        return {"+": left + right, "-": left - right, "*": left * right}[expression.operator]
    return expression


def holds(comparison: Comparison, binding: Mapping[str, str | int]) -> bool:
    """Whether a comparison whose variables are all bound is true."""
    left, right = value(comparison.left, binding), value(comparison.right, binding)
    if comparison.operator in ("=", "!="):
        return (left == right) == (comparison.operator == "=")
    one, other = _number(left), _number(right)
    return {"<": one < other, "<=": one <= other, ">": one > other, ">=": one >= other}[comparison.operator]


def filled(atom: Atom, binding: Mapping[str, str | int]) -> Atom:
    """The atom with bound variables replaced by their values."""
    return Atom(atom.predicate, tuple(_filled(term, binding) for term in atom.arguments), atom.place)


def head_binding(head: Atom, row: Row) -> Binding | None:
    """The values of a head's variables if it gives `row`, else None."""
    return _unified(head.arguments, row, {})


def rows(model: Model, atom: Atom, binding: Binding, admits: Admits = everything) -> Iterator[Binding]:
    """The binding extended in each way in which the atom holds."""
    terms = atom.arguments
    relation = model.relations[atom.predicate]
    known = tuple(at for at, term in enumerate(terms) if _known(term, binding))
    if len(known) == len(terms):
        row = tuple(value(term, binding) for term in terms)
        found: Sequence[Row] = (row,) if row in relation.rows else ()
    elif known:
        values = [value(terms[at], binding) for at in known]
        found = relation.index(known).get(values[0] if len(known) == 1 else tuple(values), [])
    else:
        found = tuple(relation.rows)
    for row in found:
        extended = _unified(terms, row, binding)
        if extended is not None and admits(atom.predicate, row):
            yield extended


def matches(
    model: Model,
    premises: Sequence[Premise],
    binding: Binding,
    outside: set[str],
    admits: Admits = everything,
) -> Iterator[Binding]:
    """The binding extended in each way in which all premises hold; `outside`: see `plan.order`."""
    yield from _each(model, order(premises, set(binding), outside), 0, binding, admits)


def satisfied(model: Model, premise: Premise, binding: Binding, admits: Admits = everything) -> Iterator[Binding]:
    """The binding extended in each way in which one premise holds; it must be ready to be tried."""
    if isinstance(premise, Aggregate):
        yield from _aggregated(model, premise, binding)
    elif isinstance(premise, Literal):
        found = rows(model, premise.atom, binding, admits)
        if not premise.negated:
            yield from found
        elif next(rows(model, premise.atom, binding), None) is None:
            yield binding
    else:
        target = binds(premise, set(binding))
        if target is not None:
            source = premise.right if premise.left == target else premise.left
            yield {**binding, target.name: value(source, binding)}
        elif holds(premise, binding):
            yield binding


def counted(model: Model, premise: Aggregate, binding: Binding) -> list[tuple[Row, Binding]]:
    """The distinct rows an aggregate ranges over, each with the first binding that gave it."""
    found: dict[Row, Binding] = {}
    for inner in matches(model, premise.body, binding, set(binding) | named(premise.terms)):
        found.setdefault(tuple(value(term, inner) for term in premise.terms), inner)
    return list(found.items())


def total(premise: Aggregate, found: Sequence[Row]) -> int | None:
    """The value of an aggregate over its rows; None for the least or greatest of nothing."""
    if premise.function == "count":
        return len(found)
    numbers = [_number(row[0]) for row in found]
    if premise.function == "sum":
        return sum(numbers)
    return (min if premise.function == "min" else max)(numbers) if numbers else None


def _each(model: Model, ordered: Sequence[Premise], at: int, binding: Binding, admits: Admits) -> Iterator[Binding]:
    if at == len(ordered):
        yield binding
        return
    for extended in satisfied(model, ordered[at], binding, admits):
        yield from _each(model, ordered, at + 1, extended, admits)


def _aggregated(model: Model, premise: Aggregate, binding: Binding) -> Iterator[Binding]:
    name = premise.result.name
    given = {key: known for key, known in binding.items() if key != name}
    result = total(premise, [row for row, _ in counted(model, premise, given)])
    if result is not None and binding.get(name, result) == result:
        yield {**binding, name: result}


def _unified(terms: Sequence[Term], row: Row, binding: Mapping[str, str | int]) -> Binding | None:
    extended = dict(binding)
    for term, found in zip(terms, row, strict=True):
        if isinstance(term, Next):
            if extended.setdefault(term.variable.name, _number(found) - 1) != _number(found) - 1:
                return None
        elif isinstance(term, Variable):
            if not term.anonymous and extended.setdefault(term.name, found) != found:
                return None
        elif term != found:
            return None
    return extended


def _known(term: Term, binding: Mapping[str, str | int]) -> bool:
    if isinstance(term, Next):
        return term.variable.name in binding
    return not isinstance(term, Variable) or term.name in binding


def _filled(term: Term, binding: Mapping[str, str | int]) -> Term:
    return value(term, binding) if _known(term, binding) else term


def _number(found: str | int) -> int:
    if isinstance(found, int):
        return found
    raise TypeError(f"{found!r} is no number")
