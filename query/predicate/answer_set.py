"""Knows how a program reads as an answer set program: the same clauses in the language of clingo.

Predicates get the prefix `p_` and variables `V`, so that no name of ours is a word of that language; words
become quoted strings. Only checked clauses are written, and nothing of them is ever run as code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from query.predicate.plan import named
from query.predicate.syntax import (
    Aggregate,
    Atom,
    Choice,
    Clause,
    Comparison,
    Expression,
    Fact,
    Literal,
    Next,
    Objective,
    Operation,
    Premise,
    Requirement,
    Variable,
)


def text(expression: Expression) -> str:
    """A term or expression.

    >>> text("first strike"), text(3), text(Variable("N")), text(Operation("+", Variable("N"), 1))
    ('"first strike"', '3', 'VN', '(VN+1)')
    """
    if isinstance(expression, Variable):
        return "_" if expression.anonymous else f"V{expression.name}"
    if isinstance(expression, Next):
        return f"V{expression.variable.name}+1"
    if isinstance(expression, Operation):
        return f"({text(expression.left)}{expression.operator}{text(expression.right)})"
    if isinstance(expression, int):
        return str(expression)
    escaped = expression.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def atom_text(atom: Atom) -> str:
    """An atom."""
    return f"p_{atom.predicate}({','.join(map(text, atom.arguments))})" if atom.arguments else f"p_{atom.predicate}"


def fact_text(fact: Fact) -> str:
    """A fact, with its full stop."""
    return atom_text(Atom(fact[0], fact[1])) + "."


def clause_text(clause: Clause) -> str:
    """A clause.

    >>> from query.predicate.language import Reader
    >>> rule = "rule 702.111b menace: bad(A) if has(A, menace), N = count(B : blocks(B, A)), N < 2."
    >>> clause_text(Reader().statements(rule, "a.rules")[0])
    'p_bad(VA) :- p_has(VA,"menace"), #count{VB : p_blocks(VB,VA)} < 2.'
    """
    keep = named(clause.head.arguments)
    body = ", ".join(premises_text(clause.premises, keep))
    return f"{atom_text(clause.head)} :- {body}." if body else f"{atom_text(clause.head)}."


def choice_text(choice: Choice, most: Iterable[tuple[str | int, int]]) -> Iterator[str]:
    """A choice: any of the options, then `most` for each group."""
    chosen = atom_text(choice.chosen)
    yield f"{{ {chosen} }} :- {atom_text(choice.options)}."
    yield from (f"most({text(group)},{number})." for group, number in most)
    if choice.group is not None:
        others = [term for term in choice.chosen.arguments if term != choice.group]
        counted = f"#count{{ {','.join(map(text, others))} : {chosen} }}"
        yield f":- most({text(choice.group)},VMost), {counted} > VMost."


def requirement_text(requirement: Requirement, number: int) -> Iterator[str]:
    """A requirement: no answer in which its premises do not hold."""
    yield f"required({number}) :- {', '.join(premises_text(requirement.premises, set()))}."
    yield f":- not required({number})."


def objective_text(objective: Objective, number: int) -> str:
    """What an objective counts: `term(number, weight, the values of its variables)`."""
    names = sorted(_outside(objective.premises) | named([objective.weight]))
    body = ", ".join(premises_text(objective.premises, None))
    values = ",".join(f"V{name}" for name in names)
    return f"term({number},{text(objective.weight)},({values},)) :- {body}."


LEAST = ":- #sum { W,I,T : term(I,W,T) } < least."
"""With a number for `least`: what is counted comes to at least so much."""

MAXIMIZE = "#maximize { W,I,T : term(I,W,T) }."
"""What is counted is maximised."""


def idle(clause: Clause, choice: Choice) -> bool:
    """Whether a clause can never hold of a choice: it is about a chosen fact that is no option."""
    literals = [premise for premise in clause.premises if isinstance(premise, Literal)]
    chosen, options = choice.chosen, choice.options
    made = [p.atom.arguments for p in literals if p.atom.predicate == chosen.predicate and not p.negated]
    refused = [p.atom.arguments for p in literals if p.atom.predicate == options.predicate and p.negated]
    return chosen.arguments == options.arguments and any(arguments in made for arguments in refused)


def premises_text(premises: Sequence[Premise], keep: set[str] | None) -> Iterator[str]:
    """The premises; an aggregate whose result is only compared is written as that comparison.

    `keep`: the variables that are needed beyond the premises; None for all.
    """
    compared = {} if keep is None else folded(premises, keep)
    for premise in premises:
        if isinstance(premise, Literal):
            yield f"not {atom_text(premise.atom)}" if premise.negated else atom_text(premise.atom)
        elif isinstance(premise, Aggregate):
            yield from _aggregate(premise, compared.get(premise.result.name))
        elif not any(premise in parts for parts in compared.values()):
            yield f"{text(premise.left)} {premise.operator} {text(premise.right)}"


def _aggregate(premise: Aggregate, compared: list[Comparison] | None) -> Iterator[str]:
    inside = ", ".join(premises_text(premise.body, None))
    counted = f"#{premise.function}{{{','.join(map(text, premise.terms))} : {inside}}}"
    if premise.function in ("min", "max"):
        nothing = "#sup" if premise.function == "min" else "#inf"
        yield f"{counted} != {nothing}"
    if compared is None:
        yield f"{text(premise.result)} = {counted}"
    for comparison in compared or ():
        if comparison.left == premise.result:
            yield f"{counted} {comparison.operator} {text(comparison.right)}"
        else:
            yield f"{text(comparison.left)} {comparison.operator} {counted}"


def folded(premises: Sequence[Premise], keep: set[str]) -> dict[str, list[Comparison]]:
    """For each aggregate whose result is only compared with what no aggregate gives, the comparisons.

    `keep`: the variables that are needed beyond the premises.
    """
    results = {premise.result.name for premise in premises if isinstance(premise, Aggregate)}
    found: dict[str, list[Comparison]] = {}
    for premise in premises:
        if isinstance(premise, Aggregate) and premise.result.name not in keep:
            result = premise.result
            uses = [part for part in premises if part is not premise and result.name in named([part])]
            if uses and all(_compares(part, result, results) for part in uses):
                found[result.name] = [part for part in uses if isinstance(part, Comparison)]
    return found


def _compares(part: Premise, result: Variable, results: set[str]) -> bool:
    if not isinstance(part, Comparison):
        return False
    sides = (part.left, part.right)
    return any(one == result and not results & named([other]) for one, other in (sides, sides[::-1]))


def _outside(premises: Iterable[Premise]) -> set[str]:
    found: set[str] = set()
    for premise in premises:
        found |= {premise.result.name} if isinstance(premise, Aggregate) else named([premise])
    return found
