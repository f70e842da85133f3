"""Knows what an answer is worth where a board leaves things open: it is sure only if it is the same in every world."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from query.predicate.answer import NO, UNDETERMINED, YES, Answer
from query.predicate.branches import Branch
from query.predicate.derive import Model
from query.predicate.gap import Filling, Gap
from query.predicate.match import rows
from query.predicate.proof import prove, refute
from query.predicate.relation import Row
from query.predicate.syntax import Atom, Fact, Variable, show_fact

MOST_UNKNOWN = 6
"""How many unknown facts are tried in every combination; of more, each alone and all together."""


@dataclass(frozen=True, slots=True)
class World:
    """One branch under one set of unknown facts and one filling of the gaps, and the ways in which the question holds
    there. `alike` are those of the question with its numbers left open."""

    assumed: tuple[Fact, ...]
    branch: Branch
    found: tuple[Row, ...]
    alike: tuple[Row, ...] = ()
    filling: Filling = ()
    filled: tuple[Fact, ...] = ()

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Everything that is assumed here."""
        return (*self.filled, *self.assumed)


def found(model: Model, atom: Atom) -> tuple[Row, ...]:
    """The ways in which an atom holds in a model."""
    named = tuple(
        Variable(f"Any{at}") if isinstance(term, Variable) and term.anonymous else term
        for at, term in enumerate(atom.arguments)
    )
    bound = rows(model, Atom(atom.predicate, named), {})
    return tuple(
        tuple(b[term.name] if isinstance(term, Variable) else term for term in named)  # type: ignore[misc]
        for b in bound
    )


def alike(atom: Atom) -> Atom:
    """The atom with its numbers left open: a total that is off by an unknown power is neither yes nor no."""
    return Atom(atom.predicate, tuple(Variable(f"N{at}") if isinstance(term, int) else term
                                      for at, term in enumerate(atom.arguments)))  # fmt: skip


def subsets(unknown: Sequence[Fact]) -> Iterator[tuple[Fact, ...]]:
    """The ways in which unknown facts may hold: all combinations of a few, of more each alone and all together."""
    sizes = range(len(unknown) + 1) if len(unknown) <= MOST_UNKNOWN else (0, 1, len(unknown))
    for size in sizes:
        yield from combinations(unknown, size)


def weighed(atom: Atom, worlds: Sequence[World], unknown: Sequence[Fact], gaps: Sequence[Gap] = ()) -> Answer:
    """What holds in every world is certain; if worlds differ, what they differ in is missing."""
    still_open = tuple(dict.fromkeys(text for world in worlds for text in world.branch.open))
    sure = set(worlds[0].found).intersection(*(world.found for world in worlds))
    if still_open:
        sure = {row for row in sure if _settled(worlds, atom.predicate, row)}
    count, lacking = len({(world.assumed, world.branch.assumed) for world in worlds}), tuple(_lacking(worlds, gaps))
    if sure:
        first = worlds[0]
        row = next(row for row in first.found if row in sure)
        certain = prove(first.branch.model, (atom.predicate, row))
        every = tuple((atom.predicate, row) for row in first.found if row in sure)
        more = lacking if any(set(world.found) != sure for world in worlds) else ()
        return Answer(str(atom), YES, certain, every, missing=more, branches=count, assumed=first.facts)
    if not still_open and not any(world.found for world in worlds) and not (lacking and _differ(worlds)):
        lack = refute(worlds[0].branch.model, atom)
        return Answer(str(atom), NO, lack, branches=count, assumed=worlds[0].facts)
    differ = [world for world in worlds if world.found] or list(worlds)
    missing = (*still_open, *lacking, *_said(differ[0].assumed, "yes"), *_said(_other(worlds), "no"))
    model, holds = differ[0].branch.model, differ[0].found
    proof = prove(model, (atom.predicate, holds[0])) if holds else None
    return Answer(
        str(atom), UNDETERMINED, proof, missing=(*missing, *_unknown(unknown)), branches=count, assumed=differ[0].facts
    )


def _differ(worlds: Sequence[World]) -> bool:
    return len({frozenset(world.alike) for world in worlds}) > 1


def _lacking(worlds: Sequence[World], gaps: Sequence[Gap]) -> Iterator[str]:
    """The gaps that make a difference: each alone if any does, else all."""
    outcomes: dict[Filling, set[tuple[object, ...]]] = {}
    for world in worlds:
        came = (world.assumed, frozenset(world.found), frozenset(world.alike))
        outcomes.setdefault(world.filling, set()).add(came)
    if len({frozenset(one) for one in outcomes.values()}) < 2:
        return
    first = worlds[0].filling
    moved = [f for f, came in outcomes.items() if came != outcomes[first]]
    alone = {at for f in moved for at in range(len(gaps)) if f == (*first[:at], f[at], *first[at + 1 :])}
    for at, gap in enumerate(gaps):
        if at in alone or not alone:
            yield gap.says


def _settled(worlds: Sequence[World], predicate: str, row: Row) -> bool:
    """Whether a fact belongs to a stage that nothing still open touches."""
    declared = worlds[0].branch.model.program.declarations[predicate]
    stages = [world.branch.sure for world in worlds if world.branch.sure is not None]
    return declared.staged and int(row[0]) <= min(stages)


def _other(worlds: Sequence[World]) -> tuple[Fact, ...]:
    return next((world.assumed for world in worlds if not world.found), ())


def _said(assumed: Sequence[Fact], value: str) -> Iterator[str]:
    if assumed:
        yield f"{value} if {', '.join(map(show_fact, assumed))}"


def _unknown(facts: Iterable[Fact]) -> Iterator[str]:
    for fact in facts:
        yield f"whether {show_fact(fact)}"
