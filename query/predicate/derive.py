"""Knows how every fact that follows from a board is found: stratum by stratum, stage by stage, new facts
from new facts."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from query.predicate.clause_code import ClauseFunction, TooLargeError, compiled
from query.predicate.limits import LimitError, Limits
from query.predicate.program import Program
from query.predicate.relation import ROUNDS, Relation, Row
from query.predicate.strata import Stratum
from query.predicate.syntax import Clause, Fact, Literal, Next

_NOTHING = Relation()

Made = TypeVar("Made")


class Model:
    """All facts that hold: those the board states and those that follow, each with the clause that first gave it.

    `limits` are those of the question for whose sake it was found; what explains it keeps to them too.
    """

    __slots__ = ("limits", "program", "relations", "wanted")

    def __init__(
        self, program: Program, relations: dict[str, Relation], wanted: frozenset[str], limits: Limits
    ) -> None:
        self.program = program
        self.relations = relations
        self.wanted = wanted
        self.limits = limits

    def __contains__(self, fact: Fact) -> bool:
        return fact[1] in self.relations[fact[0]].rows

    def rows(self, predicate: str) -> Collection[Row]:
        """The facts of one predicate, in the order they were found."""
        return self.relations[predicate].rows.keys()

    def origin(self, fact: Fact) -> int:
        """Where a fact that holds came from; see `query.predicate.relation`."""
        return self.relations[fact[0]].rows[fact[1]]

    def facts(self) -> Iterator[Fact]:
        """Every fact."""
        for name, relation in self.relations.items():
            for row in relation.rows:
                yield name, row


@dataclass(frozen=True, slots=True)
class Deriver:
    """Evaluates one program over many boards; a clause becomes code when it is first needed.

    >>> from query.predicate.program import parse
    >>> program = parse("given predicate p(x: word). predicate q(x: word).".replace(". ", ".\\n")
    ...                 + "\\nrule 100.1 game: q(X) if p(X).")
    >>> ("q", ("a",)) in Deriver(program).derive([("p", ("a",))])
    True
    """

    program: Program
    _code: dict[tuple[int, bool, int | None], ClauseFunction] = field(default_factory=dict, repr=False)
    _kept: dict[object, Any] = field(default_factory=dict, repr=False)

    def derive(self, facts: Iterable[Fact], wanted: Iterable[str] | None = None, limits: Limits | None = None) -> Model:
        """The model of a board's facts; with `wanted`, only what those predicates need.

        Facts must be of declared predicates with fitting arguments (`Program.check_facts`). Raises `LimitError`.
        """
        names = self.program.needed(wanted) if wanted is not None else frozenset(self.program.declarations)
        relations = {name: Relation() for name in self.program.declarations}
        for name, row in facts:
            relations[name].rows[row] = -1
        limits = limits or Limits()
        run = _Run(self, relations, limits, names)
        try:
            run.all()
        except TooLargeError as error:
            raise LimitError(str(error)) from None
        return Model(self.program, relations, names, limits)

    def code(self, number: int, recursive: bool, changed: int | None = None) -> ClauseFunction:
        """The function of a clause."""
        key = (number, recursive, changed)
        if key not in self._code:
            clause = self.program.clauses[number]
            staged = self.program.declarations[clause.head.predicate].staged
            self._code[key] = compiled(clause, staged, recursive, changed)
        return self._code[key]

    def once(self, key: object, make: Callable[[], Made]) -> Made:
        """What is the same on every board, made when first asked for under a key of the caller's own."""
        if key not in self._kept:
            self._kept[key] = make()
        made: Made = self._kept[key]
        return made


@dataclass(slots=True)
class _Run:
    """One evaluation."""

    deriver: Deriver
    relations: dict[str, Relation]
    limits: Limits
    names: frozenset[str]
    _pending: list[dict[Row, int]] = field(default_factory=list)
    _tick: Callable[[], None] = field(init=False)

    def __post_init__(self) -> None:
        self._tick = _clock(self.limits, self._size)

    def _size(self) -> int:
        return sum(len(each.rows) for each in self.relations.values()) + sum(map(len, self._pending))

    def all(self) -> None:
        strata = [s for s in self.deriver.program.strata if self.names.intersection(s.predicates)]
        for stratum in strata:
            if stratum.part == "before":
                self._stratum(stratum, 0)
        staged = [stratum for stratum in strata if stratum.part == "stages"]
        for stage in range(self.limits.stages + 1):
            if not staged or not self._one_stage(staged, stage):
                break
        else:
            raise LimitError(f"the stages did not end after {self.limits.stages}")
        for stratum in strata:
            if stratum.part == "after":
                self._stratum(stratum, 0)

    def _one_stage(self, strata: Iterable[Stratum], stage: int) -> bool:
        """Whether there is such a stage: the first always, a later one if something carries over into it."""
        before = {name: len(self.relations[name].rows) for stratum in strata for name in stratum.predicates}
        for stratum in strata:
            self._stratum(stratum, stage)
        carried = stage == 0 or any(self._carried(stratum, before) for stratum in strata)
        if not carried:
            for name, size in before.items():
                self.relations[name].forget(list(self.relations[name].rows)[size:])
        return carried

    def _carried(self, stratum: Stratum, before: Mapping[str, int]) -> bool:
        for name in stratum.predicates:
            rows = self.relations[name].rows
            if len(rows) > before[name]:
                for origin in list(rows.values())[before[name] :]:
                    if isinstance(self._clause(origin % ROUNDS).head.arguments[0], Next):
                        return True
        return False

    def _clause(self, number: int) -> Clause:
        return self.deriver.program.clauses[number]

    def _due(self, number: int, stage: int) -> bool:
        """Whether a clause speaks about this stage: `T+1` about every one but the first, a number about that one."""
        head = self._clause(number).head
        if not self.deriver.program.declarations[head.predicate].staged:
            return True
        first = head.arguments[0]
        return first == stage if isinstance(first, int) else stage > 0 or not isinstance(first, Next)

    def _stratum(self, stratum: Stratum, stage: int) -> None:
        self._tick()
        due = [number for number in stratum.clauses if self._due(number, stage)]
        if stratum.recursive:
            self._rounds(stratum, due, stage)
            return
        for number in due:
            rows = self.relations[self._clause(number).head.predicate].rows
            self.deriver.code(number, False)(self.relations, _NOTHING, rows, number, stage, self._tick)

    def _rounds(self, stratum: Stratum, due: list[int], stage: int) -> None:
        """Feeds the new facts of each round to the clauses that can use them, until there are none."""
        found: dict[str, dict[Row, int]] = {name: {} for name in stratum.predicates}
        for number in due:
            new = found[self._clause(number).head.predicate]
            self.deriver.code(number, True)(self.relations, _NOTHING, new, number, stage, self._tick)
        turn = 0
        while any(found.values()):
            delta = {}
            for name, rows in found.items():
                self.relations[name].rows.update(rows)
                delta[name] = Relation()
                delta[name].rows.update(rows)
            turn += 1
            found = {name: {} for name in stratum.predicates}
            self._pending[:] = found.values()
            for number in due:
                self._tick()
                self._changed(number, delta, found, turn, stage)
        self._pending.clear()

    def _changed(
        self,
        number: int,
        delta: Mapping[str, Relation],
        found: Mapping[str, dict[Row, int]],
        turn: int,
        stage: int,
    ) -> None:
        clause = self._clause(number)
        for at, premise in enumerate(clause.premises):
            if isinstance(premise, Literal) and not premise.negated and premise.atom.predicate in delta:
                function = self.deriver.code(number, True, at)
                new, origin = found[clause.head.predicate], turn * ROUNDS + number
                function(self.relations, delta[premise.atom.predicate], new, origin, stage, self._tick)


def _clock(limits: Limits, size: Callable[[], int]) -> Callable[[], None]:
    """A call that raises `LimitError` when time is up or there are too many facts; it counts the facts now and then."""
    deadline = limits.deadline if limits.deadline is not None else time.perf_counter() + limits.seconds
    now, calls = time.perf_counter, [0]

    def tick() -> None:
        if now() > deadline:
            raise LimitError(f"no answer within {limits.seconds:g} seconds")
        calls[0] += 1
        if not calls[0] & 0x3F and size() > limits.facts:
            raise LimitError(f"more than {limits.facts:,} facts")

    return tick
