"""Knows how a whole program and a board are written for another solver, stage by stage, and how its answer
is read back.

Each stage has predicates of its own, `p_on_3` for `on` in stage 3, so that what looks back is no cycle there either.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from query.predicate.answer_set import atom_text, clause_text, fact_text
from query.predicate.match import filled
from query.predicate.program import Program
from query.predicate.strata import Stratum
from query.predicate.syntax import (
    Aggregate,
    Atom,
    Clause,
    Comparison,
    Expression,
    Fact,
    Literal,
    Next,
    Operation,
    Premise,
    Variable,
)


def exported(program: Program, facts: Iterable[Fact], wanted: Iterable[str], stages: int) -> str:
    """The part of a program that `wanted` rests on, with a board's facts, for stages 0 to `stages`, for clingo.

    >>> from query.predicate.program import parse
    >>> said = "given predicate q(a: word).\\npredicate p(a: word).\\nrule 702.9b flying: p(A) if q(A)."
    >>> print(exported(parse(said), [("q", ("bear",))], ["p"], 0))
    p_q("bear").
    p_p(VA) :- p_q(VA).
    #defined p_p/1.
    #defined p_q/1.
    """
    needed = program.needed(wanted)
    lines = [fact_text(fact) for fact in facts if fact[0] in needed]
    for stratum in program.strata:
        if needed.intersection(stratum.predicates):
            lines.extend(_stratum(program, stratum, stages))
    staged = [name for name in sorted(needed) if program.declarations[name].staged]
    for name in staged:
        terms = tuple(Variable(f"X{at}") for at in range(len(program.declarations[name].arguments)))
        whole = Atom(name, terms)
        lines.extend(f"{atom_text(whole)} :- {atom_text(Atom(f'{name}_{at}', terms))}." for at in range(stages + 1))
    for name in sorted(needed):
        count = len(program.declarations[name].arguments)
        lines.append(f"#defined p_{name}/{count}.")
        if name in staged:
            lines.extend(f"#defined p_{name}_{at}/{count}." for at in range(stages + 1))
    return "\n".join(lines)


def solved(text: str, program: Program, wanted: Iterable[str]) -> dict[str, set[tuple[str | int, ...]]]:
    """What clingo derives from an exported program: the rows of the wanted predicates."""
    import clingo

    control = clingo.Control(["--warn=none"], message_limit=0)
    control.add("base", [], text)
    control.ground([("base", [])])
    found: dict[str, set[tuple[str | int, ...]]] = {name: set() for name in wanted}
    number = clingo.SymbolType.Number
    with control.solve(yield_=True) as handle:
        for model in handle:
            for symbol in model.symbols(atoms=True):
                name = symbol.name.removeprefix("p_")
                if name in found and len(symbol.arguments) == len(program.declarations[name].arguments):
                    found[name].add(tuple(a.number if a.type == number else a.string for a in symbol.arguments))
    return found


def solved_optimum(text: str) -> int | None:
    """The most that clingo finds can be reached of an exported choice; None if nothing is allowed."""
    import clingo

    control = clingo.Control(["--warn=none"], message_limit=0)
    control.add("base", [], text)
    control.ground([("base", [])])
    costs: list[int] = []
    control.solve(on_model=lambda model: costs.append(sum(model.cost)))
    return -min(costs) if costs else None


def _stratum(program: Program, stratum: Stratum, stages: int) -> Iterator[str]:
    clauses = [program.clauses[number] for number in stratum.clauses]
    if stratum.part != "stages":
        yield from map(clause_text, clauses)
        return
    for clause in clauses:
        first = clause.head.arguments[0]
        for stage in range(stages + 1):
            if (isinstance(first, int) and first != stage) or (isinstance(first, Next) and stage == 0):
                continue
            yield clause_text(_at_stage(program, clause, stage))


def _at_stage(program: Program, clause: Clause, stage: int) -> Clause:
    first = clause.head.arguments[0]
    known: dict[str, str | int] = {}
    if isinstance(first, Next):
        known[first.variable.name] = stage - 1
    elif isinstance(first, Variable):
        known[first.name] = stage
    premises = tuple(_premise(program, part, known) for part in clause.premises)
    return replace(clause, head=_atom(program, clause.head, known), premises=premises)


def _premise(program: Program, part: Premise, known: Mapping[str, str | int]) -> Premise:
    if isinstance(part, Literal):
        return Literal(_atom(program, part.atom, known), part.negated)
    if isinstance(part, Aggregate):
        body = tuple(_premise(program, inner, known) for inner in part.body)
        return replace(part, body=body)
    return Comparison(part.operator, _side(part.left, known), _side(part.right, known))


def _atom(program: Program, atom: Atom, known: Mapping[str, str | int]) -> Atom:
    """The atom in its stage; one without a stage stays as it is."""
    put = filled(atom, known)
    if not program.declarations[atom.predicate].staged:
        return put
    return Atom(f"{atom.predicate}_{put.arguments[0]}", put.arguments)


def _side(side: Expression, known: Mapping[str, str | int]) -> Expression:
    if isinstance(side, Variable):
        return known.get(side.name, side)
    if isinstance(side, Operation):
        return Operation(side.operator, _side(side.left, known), _side(side.right, known))
    return side
