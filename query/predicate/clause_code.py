"""Knows how one checked clause becomes one Python function of nested loops over hash indexes.

The source is put together from generated names only: a variable becomes `v3`, a constant `k[2]`, a relation `r1`. No
word of a rule file or a board is ever part of it, so that no text can be run. Constants travel as values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from query.predicate.plan import binds, is_bound, named, order
from query.predicate.relation import Relation
from query.predicate.syntax import (
    Aggregate,
    Atom,
    Clause,
    Comparison,
    Expression,
    Literal,
    Next,
    Operation,
    Premise,
    Term,
    Variable,
)

LARGEST = 1 << 62
"""No number may grow beyond this: a product that does ends the evaluation."""

Tick = Callable[[], None]
ClauseFunction = Callable[[dict[str, Relation], Relation, dict[tuple[str | int, ...], int], int, int, Tick], None]
"""Called with the relations, the new facts of the last round, where new facts go, their origin, the stage,
and the clock."""

_COMPARE = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_FUNCTION = {
    "count": "len({0})",
    "sum": "sum([row[0] for row in {0}])",
    "min": "min([row[0] for row in {0}])",
    "max": "max([row[0] for row in {0}])",
}


class TooLargeError(ArithmeticError):
    """A number left the range that rules may reckon in."""


def product(left: int, right: int) -> int:
    """`left * right`; raises `TooLargeError` beyond `LARGEST`."""
    result = left * right
    if abs(result) > LARGEST:
        raise TooLargeError(f"a product exceeds {LARGEST}")
    return result


def compiled(
    clause: Clause, staged: bool = False, recursive: bool = False, changed: int | None = None
) -> ClauseFunction:
    """The function that finds every fact of a clause.

    `staged`: its head has a stage. `recursive`: its head may feed its premises, so new facts are kept apart until
    the round ends. `changed`: the place of the premise that ranges over the last round's new facts only.
    """
    source = _Source(clause, staged, recursive, changed)
    text = source.text()
    names: dict[str, object] = {"k": tuple(source.constants), "product": product, "__builtins__": _BUILTINS}
    exec(compile(text, "<clause>", "exec"), names)
    function: ClauseFunction = names["clause"]  # type: ignore[assignment]
    return function


_BUILTINS = {"len": len, "sum": sum, "min": min, "max": max, "set": set}


@dataclass(slots=True)
class _Source:
    """The lines of one function while they are put together."""

    clause: Clause
    staged: bool
    recursive: bool
    changed: int | None
    constants: dict[str | int, int] = field(default_factory=dict)
    _lines: list[str] = field(default_factory=list)
    _names: dict[str, str] = field(default_factory=dict)
    _fetches: dict[str, str] = field(default_factory=dict)
    _sets: int = 0

    def text(self) -> str:
        clause = self.clause
        bound, head = self._stage(), named(clause.head.arguments)
        premises = list(clause.premises)
        first = premises.pop(self.changed) if self.changed is not None else None
        depth, ordered = 1, list[Premise]()
        if isinstance(first, Literal):
            ordered.append(first)
            ordered += order(premises, bound | named([first]), head | named([first]))
        else:
            ordered += order(premises, bound, head)
        depth = self._premises(ordered, bound, depth, first)
        self._add(depth)
        fetches = [f"    {name} = {fetch}" for fetch, name in self._fetches.items()]
        return "\n".join(
            [
                "def clause(relations, delta, new, origin, stage, tick):",
                *fetches,
                *self._lines,
                "    return None",
            ]
        )

    def _stage(self) -> set[str]:
        """The stage variable is known before any premise: `stage`, or the one before it under a head of `T+1`."""
        first = self.clause.head.arguments[0] if self.staged else None
        if isinstance(first, Next):
            self._say(1, f"{self._name(first.variable.name)} = stage - 1")
            return {first.variable.name}
        if isinstance(first, Variable):
            self._say(1, f"{self._name(first.name)} = stage")
            return {first.name}
        return set()

    def _say(self, depth: int, line: str) -> None:
        self._lines.append("    " * depth + line)

    def _name(self, variable: str) -> str:
        return self._names.setdefault(variable, f"v{len(self._names)}")

    def _constant(self, value: str | int) -> str:
        return f"k[{self.constants.setdefault(value, len(self.constants))}]"

    def _value(self, expression: Expression) -> str:
        if isinstance(expression, Variable):
            return self._name(expression.name)
        if isinstance(expression, Next):
            return f"({self._name(expression.variable.name)} + 1)"
        if isinstance(expression, Operation):
            left, right = self._value(expression.left), self._value(expression.right)
            return (
                f"product({left}, {right})" if expression.operator == "*" else f"({left} {expression.operator} {right})"
            )
        return self._constant(expression)

    def _row(self, terms: Sequence[Term]) -> str:
        return f"({''.join(self._value(term) + ', ' for term in terms)})"

    def _fetch(self, expression: str) -> str:
        return self._fetches.setdefault(expression, f"r{len(self._fetches)}")

    def _relation(self, atom: Atom, delta: bool) -> str:
        return "delta" if delta else f"relations[{self._constant(atom.predicate)}]"

    def _premises(self, ordered: Sequence[Premise], bound: set[str], depth: int, first: Premise | None = None) -> int:
        loops = [p for p in ordered if isinstance(p, Literal) and not p.negated]
        for at, premise in enumerate(ordered):
            if isinstance(premise, Aggregate):
                depth = self._aggregate(premise, ordered, bound, depth)
            elif isinstance(premise, Comparison):
                depth = self._comparison(premise, bound, depth)
            elif premise.negated:
                depth = self._absent(premise.atom, bound, depth)
            else:
                inner = premise is not loops[-1] or any(isinstance(p, Aggregate) for p in ordered[at:])
                depth = self._present(premise.atom, bound, depth, inner, premise is first)
            bound |= {premise.result.name} if isinstance(premise, Aggregate) else named([premise])
        return depth

    def _present(self, atom: Atom, bound: set[str], depth: int, ticks: bool, delta: bool) -> int:
        known = tuple(at for at, term in enumerate(atom.arguments) if is_bound(term, bound))
        relation = self._relation(atom, delta)
        if len(known) == len(atom.arguments):
            rows = self._fetch(f"{relation}.rows")
            self._say(depth, f"if {self._row(atom.arguments)} in {rows}:")
            return depth + 1
        if known:
            index = self._fetch(f"{relation}.index({known})")
            rows = f"{index}.get({self._key(atom, known)}, ())"
        else:
            rows = self._fetch(f"{relation}.rows")
        return self._loop(atom, known, rows, depth, ticks)

    def _loop(self, atom: Atom, known: tuple[int, ...], rows: str, depth: int, ticks: bool) -> int:
        targets, same, seen = list[str](), list[str](), set[str]()
        for at, term in enumerate(atom.arguments):
            if isinstance(term, Variable) and at not in known and term.name not in seen:
                seen.add(term.name)
                targets.append(self._name(term.name))
            else:
                targets.append(f"u{at}")
                if isinstance(term, Variable) and at not in known:
                    same.append(f"u{at} == {self._name(term.name)}")
        self._say(depth, f"for {', '.join(targets)}, in {rows}:")
        depth += 1
        if ticks:
            self._say(depth, "tick()")
        if same:
            self._say(depth, f"if {' and '.join(same)}:")
            depth += 1
        return depth

    def _key(self, atom: Atom, known: tuple[int, ...]) -> str:
        values = [self._value(atom.arguments[at]) for at in known]
        return values[0] if len(values) == 1 else f"({', '.join(values)})"

    def _absent(self, atom: Atom, bound: set[str], depth: int) -> int:
        known = tuple(at for at, term in enumerate(atom.arguments) if is_bound(term, bound))
        relation = self._relation(atom, False)
        if len(known) == len(atom.arguments):
            test = f"{self._row(atom.arguments)} not in {self._fetch(f'{relation}.rows')}"
        elif known:
            test = f"{self._key(atom, known)} not in {self._fetch(f'{relation}.index({known})')}"
        else:
            test = f"not {self._fetch(f'{relation}.rows')}"
        self._say(depth, f"if {test}:")
        return depth + 1

    def _comparison(self, premise: Comparison, bound: set[str], depth: int) -> int:
        target = binds(premise, bound)
        if target is not None:
            source = premise.right if premise.left == target else premise.left
            self._say(depth, f"{self._name(target.name)} = {self._value(source)}")
            return depth
        test = f"{self._value(premise.left)} {_COMPARE[premise.operator]} {self._value(premise.right)}"
        self._say(depth, f"if {test}:")
        return depth + 1

    def _aggregate(self, premise: Aggregate, ordered: Sequence[Premise], bound: set[str], depth: int) -> int:
        self._sets += 1
        rows = f"s{self._sets}"
        self._say(depth, f"{rows} = set()")
        body = order(premise.body, bound, bound | named(premise.terms))
        inner = self._premises(body, set(bound), depth)
        self._say(inner, f"{rows}.add({self._row(premise.terms)})")
        value = _FUNCTION[premise.function].format(rows)
        if premise.function in ("min", "max"):
            self._say(depth, f"if {rows}:")
            depth += 1
        if premise.result.name in bound:
            self._say(depth, f"if {self._name(premise.result.name)} == {value}:")
            return depth + 1
        self._say(depth, f"{self._name(premise.result.name)} = {value}")
        return depth

    def _add(self, depth: int) -> None:
        rows = self._fetch(f"relations[{self._constant(self.clause.head.predicate)}].rows")
        head = list(self.clause.head.arguments)
        values = ["stage" if isinstance(term, Next) else self._value(term) for term in head]
        self._say(depth, f"row = ({''.join(value + ', ' for value in values)})")
        self._say(depth, f"if row not in {rows}:")
        self._say(depth + 1, "new.setdefault(row, origin)" if self.recursive else f"{rows}[row] = origin")
