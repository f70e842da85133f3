"""Knows what follows from a board by plain evaluation: every clause over every fact, again and again. For
the checker only.

It is written apart from the evaluator and shares no code with it, so that a fault there cannot hide here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from query.predicate.program import Program
from query.predicate.syntax import (
    Aggregate,
    Atom,
    Clause,
    Comparison,
    Fact,
    Literal,
    Next,
    Operation,
    Premise,
    Variable,
)

Values = dict[str, str | int]
Extent = dict[str, set[tuple[str | int, ...]]]


def evaluate(program: Program, facts: Iterable[Fact]) -> Extent:
    """Every fact that holds: level by level, stage by stage, all clauses again until nothing is new."""
    extent: Extent = {name: set() for name in program.declarations}
    for name, row in facts:
        extent[name].add(row)
    staged = {name for name, declared in program.declarations.items() if declared.staged}
    after = _looking_back(program, staged)
    levels = _levels(program, staged)
    plain = [c for c in program.clauses if c.head.predicate not in staged]
    _fill([c for c in plain if c.head.predicate not in after], levels, extent, None)
    timed = [clause for clause in program.clauses if clause.head.predicate in staged]
    stage, going = 0, True
    while going:
        carried = _fill([c for c in timed if _speaks(c, stage)], levels, extent, stage)
        going = stage == 0 or carried
        if not going:
            for name in staged:
                extent[name] = {row for row in extent[name] if row[0] != stage}
        stage += 1
    _fill([c for c in plain if c.head.predicate in after], levels, extent, None)
    return extent


def _speaks(clause: Clause, stage: int) -> bool:
    first = clause.head.arguments[0]
    return first == stage if isinstance(first, int) else isinstance(first, Variable) or stage > 0


def _fill(clauses: list[Clause], levels: dict[str, int], extent: Extent, stage: int | None) -> bool:
    """Runs the clauses level by level to their end; whether one that leads to the next stage gave something new."""
    carried = False
    for level in sorted({levels[clause.head.predicate] for clause in clauses}):
        here = [clause for clause in clauses if levels[clause.head.predicate] == level]
        grew = True
        while grew:
            grew = False
            for clause in here:
                known = extent[clause.head.predicate]
                new = {row for row in _given_by(clause, extent, stage) if row not in known}
                known |= new
                grew = grew or bool(new)
                carried = carried or (bool(new) and isinstance(clause.head.arguments[0], Next))
    return carried


def _given_by(clause: Clause, extent: Extent, stage: int | None) -> list[tuple[str | int, ...]]:
    values: Values = {}
    if stage is not None:
        first = clause.head.arguments[0]
        if isinstance(first, Next):
            values[first.variable.name] = stage - 1
        elif isinstance(first, Variable):
            values[first.name] = stage
    outer = names([clause.head])
    found = solve(clause.premises, values, extent, outer)
    return [tuple(reckon(term, bound) for term in clause.head.arguments) for bound in found]


def solve(premises: Iterable[Premise], values: Values, extent: Extent, outer: set[str]) -> Iterator[Values]:
    """Every way in which the premises hold: tests as soon as they can be judged, then the first literal."""
    waiting = list(premises)
    if not waiting:
        yield values
        return
    chosen = next((part for part in waiting if _judgeable(part, waiting, values, outer)), None)
    if chosen is None:
        chosen = next((part for part in waiting if isinstance(part, Literal) and not part.negated), None)
    if chosen is None:
        raise ValueError(f"{waiting[0]} cannot be judged")
    rest = [other for other in waiting if other is not chosen]
    for bound in _holding(chosen, values, extent):
        yield from solve(rest, bound, extent, outer | outside([chosen]) | _inside(chosen, waiting, outer))


def _judgeable(part: Premise, waiting: list[Premise], values: Values, outer: set[str]) -> bool:
    """Whether a premise is a test whose values are all known."""
    if isinstance(part, Comparison):
        return compared(part, values)
    if isinstance(part, Aggregate):
        return _inside(part, waiting, outer) - {part.result.name} <= values.keys()
    return part.negated and names([part]) <= values.keys()


def _inside(part: Premise, waiting: list[Premise], outer: set[str]) -> set[str]:
    """The variables inside an aggregate that also stand outside every aggregate."""
    if not isinstance(part, Aggregate):
        return set()
    shared = outer | outside(other for other in waiting if other is not part)
    return names([*part.body, *part.terms]) & shared


def _holding(part: Premise, values: Values, extent: Extent) -> Iterator[Values]:
    """The values extended in each way in which one premise holds."""
    if isinstance(part, Literal):
        found = fitting(part.atom, extent[part.atom.predicate], values)
        if not part.negated:
            yield from found
        elif next(found, None) is None:
            yield values
    elif isinstance(part, Comparison):
        bound = dict(values)
        if compares(part, bound):
            yield bound
    else:
        name = part.result.name
        result = aggregate(part, {key: known for key, known in values.items() if key != name}, extent)
        if result is not None and values.get(name, result) == result:
            yield {**values, name: result}


def aggregate(premise: Aggregate, values: Values, extent: Extent) -> int | None:
    """The value of an aggregate; None for the least or greatest of nothing."""
    outer = set(values) | names(premise.terms)
    rows = {tuple(reckon(t, bound) for t in premise.terms) for bound in solve(premise.body, values, extent, outer)}
    if premise.function == "count":
        return len(rows)
    numbers = [row[0] for row in rows if isinstance(row[0], int)]
    if premise.function == "sum":
        return sum(numbers)
    if not numbers:
        return None
    return min(numbers) if premise.function == "min" else max(numbers)


def reckon(part: object, values: Values) -> str | int:
    """The value of a term or of arithmetic."""
    if isinstance(part, Variable):
        return values[part.name]
    if isinstance(part, Next):
        return int(values[part.variable.name]) + 1
    if isinstance(part, Operation):
        left, right = int(reckon(part.left, values)), int(reckon(part.right, values))
        return left + right if part.operator == "+" else left - right if part.operator == "-" else left * right
    assert isinstance(part, (str, int))
    return part


def compares(part: Comparison, values: Values) -> bool:
    """Whether a comparison is true; `=` with one side unknown makes it true by binding it."""
    for side, other in ((part.left, part.right), (part.right, part.left)):
        if isinstance(side, Variable) and side.name not in values and part.operator == "=":
            values[side.name] = reckon(other, values)
    left, right = reckon(part.left, values), reckon(part.right, values)
    if part.operator == "=":
        return left == right
    if part.operator == "!=":
        return left != right
    low, high = int(left), int(right)
    if part.operator in ("<", "<="):
        return low < high or (part.operator == "<=" and low == high)
    return low > high or (part.operator == ">=" and low == high)


def compared(part: Comparison, values: Values) -> bool:
    """Whether a comparison can be judged, or binds what stands alone on one side."""
    left, right = names([part.left]) - values.keys(), names([part.right]) - values.keys()
    if part.operator == "=":
        alone = (isinstance(part.left, Variable) and not right) or (isinstance(part.right, Variable) and not left)
        return alone or not (left or right)
    return not (left or right)


def fitting(atom: Atom, rows: Iterable[tuple[str | int, ...]], values: Values) -> Iterator[Values]:
    """The values extended by each row that the atom can be."""
    for row in rows:
        bound = unify(atom, row, values)
        if bound is not None:
            yield bound


def unify(atom: Atom, row: tuple[object, ...], values: Values) -> Values | None:
    """The values extended so that the atom is the row; None if it cannot be."""
    if len(atom.arguments) != len(row):
        return None
    bound = dict(values)
    for term, found in zip(atom.arguments, row, strict=True):
        if not isinstance(found, (str, int)):
            return None
        if isinstance(term, Variable):
            if not term.anonymous and bound.setdefault(term.name, found) != found:
                return None
        elif isinstance(term, Next):
            if not isinstance(found, int) or bound.setdefault(term.variable.name, found - 1) != found - 1:
                return None
        elif term != found:
            return None
    return bound


def outside(premises: Iterable[Premise]) -> set[str]:
    """The variables that stand outside aggregates, the results of aggregates among them."""
    return {
        name for part in premises for name in ([part.result.name] if isinstance(part, Aggregate) else names([part]))
    }


def names(parts: Iterable[object]) -> set[str]:
    """The names of the variables in terms and premises."""
    found: set[str] = set()
    for part in parts:
        if isinstance(part, Variable) and not part.anonymous:
            found.add(part.name)
        elif isinstance(part, Next):
            found.add(part.variable.name)
        elif isinstance(part, (Operation, Comparison)):
            found |= names([part.left, part.right])
        elif isinstance(part, Literal):
            found |= names(part.atom.arguments)
        elif isinstance(part, Atom):
            found |= names(part.arguments)
        elif isinstance(part, Aggregate):
            found |= names([part.result, *part.terms, *part.body])
    return found


def _looking_back(program: Program, staged: set[str]) -> set[str]:
    after: set[str] = set()
    for _ in program.declarations:
        before = len(after)
        for clause in program.clauses:
            if clause.head.predicate not in staged and _predicates(clause.premises) & (staged | after):
                after.add(clause.head.predicate)
        if len(after) == before:
            break
    return after


def _levels(program: Program, staged: set[str]) -> dict[str, int]:
    """A number for each predicate, above those it needs all of and not below those it needs some of."""
    levels = dict.fromkeys(program.declarations, 0)
    needs = [(clause.head.predicate, list(_needs(clause, staged))) for clause in program.clauses]
    for _ in range(len(levels) + 1):
        before = dict(levels)
        for head, wanted in needs:
            for name, strict in wanted:
                levels[head] = max(levels[head], levels[name] + strict)
        if levels == before:
            break
    return levels


def _needs(clause: Clause, staged: set[str]) -> Iterator[tuple[str, bool]]:
    later = clause.head.predicate in staged and isinstance(clause.head.arguments[0], Next)
    waiting: list[tuple[Premise, bool]] = [(premise, False) for premise in clause.premises]
    for premise, inside in waiting:
        if isinstance(premise, Aggregate):
            waiting.extend((part, True) for part in premise.body)
        elif isinstance(premise, Literal):
            atom = premise.atom
            if not (later and atom.predicate in staged and not isinstance(atom.arguments[0], Next)):
                yield atom.predicate, inside or premise.negated


def _predicates(premises: Iterable[Premise]) -> set[str]:
    found: set[str] = set()
    for premise in premises:
        if isinstance(premise, Literal):
            found.add(premise.atom.predicate)
        elif isinstance(premise, Aggregate):
            found |= _predicates(premise.body)
    return found
