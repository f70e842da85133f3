"""Knows the parts of a rule file as values: declarations, clauses, premises, terms; and how each is printed again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from kb.number import RuleNumber

KINDS = ("object", "player", "thing", "word", "any", "number", "stage")
"""What an argument may be: `thing` is an object or a player, `word` another name, `any` each of these, `stage` a
step in time."""

Fact = tuple[str, tuple[str | int, ...]]
"""A ground statement: the predicate's name and its arguments."""

_PLAIN = re.compile(r"[a-z][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a part stands in its file; line and column count from 1."""

    file: str
    line: int
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Variable:
    """A name that a premise binds. One that begins with `_` is anonymous: it matches anything, once."""

    name: str
    place: Place | None = field(default=None, compare=False, repr=False)

    @property
    def anonymous(self) -> bool:
        """Whether it only says that something stands here."""
        return self.name.startswith("_")

    def __str__(self) -> str:
        return "_" if self.anonymous else self.name


@dataclass(frozen=True, slots=True)
class Next:
    """`T+1` in a stage argument: the stage after `T`."""

    variable: Variable

    def __str__(self) -> str:
        return f"{self.variable}+1"


Term = Variable | Next | str | int


@dataclass(frozen=True, slots=True)
class Operation:
    """Arithmetic on whole numbers: `left operator right`, the operator one of `+ - *`."""

    operator: str
    left: Expression
    right: Expression

    def __str__(self) -> str:
        return f"({show(self.left)} {self.operator} {show(self.right)})"


Expression = Term | Operation


@dataclass(frozen=True, slots=True)
class Atom:
    """A predicate and its arguments."""

    predicate: str
    arguments: tuple[Term, ...]
    place: Place = field(default=Place("", 0), compare=False)

    def __str__(self) -> str:
        return show_atom(self.predicate, self.arguments)


@dataclass(frozen=True, slots=True)
class Literal:
    """A premise that an atom holds, or, `negated`, that nothing of its form holds."""

    atom: Atom
    negated: bool = False

    def __str__(self) -> str:
        return f"not {self.atom}" if self.negated else str(self.atom)


@dataclass(frozen=True, slots=True)
class Comparison:
    """`left operator right`, the operator one of `= != < <= > >=`; `=` may bind a variable standing alone."""

    operator: str
    left: Expression
    right: Expression
    place: Place = field(default=Place("", 0), compare=False)

    def __str__(self) -> str:
        return f"{show(self.left)} {self.operator} {show(self.right)}"


@dataclass(frozen=True, slots=True)
class Aggregate:
    """`result = function(terms : body)` over the distinct values of `terms`; `sum min max` work on the first."""

    result: Variable
    function: str
    terms: tuple[Term, ...]
    body: tuple[Premise, ...]
    place: Place = field(default=Place("", 0), compare=False)

    def __str__(self) -> str:
        inside = ", ".join(map(str, self.body))
        return f"{self.result} = {self.function}({', '.join(map(show, self.terms))} : {inside})"


Premise = Literal | Comparison | Aggregate


@dataclass(frozen=True, slots=True)
class Example:
    """A board beside a clause: the clause holds on it or, `holds` false, does not; `gives` names what follows."""

    holds: bool
    facts: tuple[Fact, ...]
    gives: Fact | None
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Declaration:
    """A predicate: its arguments by name and kind, and its `world`.

    `derived`: only clauses make it true. `given`: a board states it, and what it leaves out is false.
    `open`: a board states it, and what it leaves out is unknown.
    """

    name: str
    arguments: tuple[tuple[str, str], ...]
    world: str
    place: Place = field(compare=False)

    @property
    def staged(self) -> bool:
        """Whether its first argument is a stage."""
        return bool(self.arguments) and self.arguments[0][1] == "stage"

    def __str__(self) -> str:
        inside = ", ".join(f"{name}: {kind}" for name, kind in self.arguments)
        return f"{'' if self.world == 'derived' else self.world + ' '}predicate {self.name}({inside})"


@dataclass(frozen=True, slots=True)
class Clause:
    """`rule CITES LABEL: head if premises.` with the boards beside it."""

    cites: RuleNumber
    label: str
    head: Atom
    premises: tuple[Premise, ...]
    examples: tuple[Example, ...]
    place: Place = field(compare=False)

    def __str__(self) -> str:
        condition = f" if {', '.join(map(str, self.premises))}" if self.premises else ""
        return f"{self.head}{condition}"


@dataclass(frozen=True, slots=True)
class Choice:
    """`choose CITES LABEL: chosen from options at most limit per group where condition.`

    A player picks any of the options; `limit` is a number or a variable that `condition` binds.
    """

    cites: RuleNumber
    label: str
    chosen: Atom
    options: Atom
    limit: Term | None
    group: Variable | None
    condition: tuple[Premise, ...]
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Requirement:
    """`require CITES LABEL: premises.` A choice under which the premises do not hold is not allowed."""

    cites: RuleNumber
    label: str
    premises: tuple[Premise, ...]
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Objective:
    """`maximize CITES LABEL: weight for premises.` Summed over every way in which the premises hold."""

    cites: RuleNumber
    label: str
    weight: Expression
    premises: tuple[Premise, ...]
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Score:
    """What a choice reaches of an objective, and the most that any choice reaches."""

    reached: int
    best: int

    def __str__(self) -> str:
        return f"{self.reached} of at most {self.best} obeyed"


Statement = Declaration | Clause | Choice | Requirement | Objective


def show(expression: Expression) -> str:
    """An expression as a rule file writes it.

    >>> show("first strike"), show("bear"), show(3), show(Operation("+", Variable("N"), 1))
    ('"first strike"', 'bear', '3', '(N + 1)')
    """
    if isinstance(expression, str) and not _PLAIN.fullmatch(expression):
        return '"' + expression.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(expression)


def show_atom(predicate: str, arguments: tuple[Term, ...]) -> str:
    """A predicate with its arguments, as a rule file writes it; one without arguments stands alone."""
    return f"{predicate}({', '.join(map(show, arguments))})" if arguments else predicate


def show_fact(fact: Fact) -> str:
    """A fact as a rule file writes it.

    >>> show_fact(("has", ("drake", "first strike")))
    'has(drake, "first strike")'
    """
    return show_atom(*fact)


def variables(part: Expression | Premise) -> Iterator[Variable]:
    """Every variable in a term, expression or premise, those inside an aggregate included."""
    if isinstance(part, Variable):
        yield part
    elif isinstance(part, Next):
        yield part.variable
    elif isinstance(part, (Operation, Comparison)):
        yield from variables(part.left)
        yield from variables(part.right)
    elif isinstance(part, Literal):
        for argument in part.atom.arguments:
            yield from variables(argument)
    elif isinstance(part, Aggregate):
        yield part.result
        for inner in (*part.terms, *part.body):
            yield from variables(inner)


def literals(premises: tuple[Premise, ...]) -> Iterator[tuple[Literal, bool]]:
    """Every literal among the premises, with whether it stands inside an aggregate."""
    for premise in premises:
        if isinstance(premise, Literal):
            yield premise, False
        elif isinstance(premise, Aggregate):
            yield from ((literal, True) for literal, _ in literals(premise.body))
