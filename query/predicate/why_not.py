"""Knows the smallest change to a board that flips an answer: facts taken away and facts added.

Search by size. Of each set of changes that does not flip the answer, the explanation says which further changes could
matter: to make a fact hold, what its clauses lack; to make one fail, what its proof rests on. No set that flips the
answer can do without one of these, so the first size at which one is found is the smallest. Only changes that a board
could state are tried, the likeliest first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from query.predicate.absent import fits
from query.predicate.change import Change, Stated, likely, untried
from query.predicate.derive import Deriver, Model
from query.predicate.flips import Flips
from query.predicate.limits import LimitError, Limits
from query.predicate.match import Binding, filled, rows, satisfied, value
from query.predicate.plan import UnboundError, named, order
from query.predicate.proof import prove
from query.predicate.syntax import Aggregate, Atom, Clause, Comparison, Fact, Literal, Next, Premise, Variable

MOST_CHANGES = 3
"""How many facts are changed at most."""

DEEPEST = 14
"""How far what a fact lacks is followed from clause to clause."""

MOST_WAYS = 60
"""How many ways to match one clause, and how many instances of one open premise, are looked into."""


def flips(deriver: Deriver, facts: Iterable[Fact], atom: Atom, cap: int = 5, seconds: float = 4.0) -> Flips:
    """The smallest changes that make `atom` hold if it does not, and fail if it does."""
    return _Search(deriver, frozenset(facts), atom, cap, Limits(seconds).begun()).run()


def _sorted(found: Iterable[frozenset[Change]]) -> tuple[tuple[Change, ...], ...]:
    return tuple(sorted(tuple(sorted(changes, key=str)) for changes in found))


def _holds(model: Model, atom: Atom) -> bool:
    return next(rows(model, atom, {}), None) is not None


@dataclass(slots=True)
class _Search:
    """Breadth first: every set of one size before any larger one."""

    deriver: Deriver
    board: frozenset[Fact]
    atom: Atom
    cap: int
    limits: Limits
    tried: int = 0
    left_out: set[str] = field(default_factory=set)
    cut: bool = False

    def run(self) -> Flips:
        try:
            model = self._model(frozenset())
        except LimitError:
            return self._ended((), 1, gave_up=True)
        wanted = not _holds(model, self.atom)
        failed: list[tuple[frozenset[Change], Model]] = [(frozenset(), model)]
        for size in range(1, MOST_CHANGES + 1):
            found: list[frozenset[Change]] = []
            missed: list[tuple[frozenset[Change], Model]] = []
            for changes in self._grown(failed, wanted):
                try:
                    model = self._model(changes)
                except LimitError:
                    return self._ended(found, size, gave_up=True)
                if _holds(model, self.atom) != wanted:
                    missed.append((changes, model))
                    continue
                found.append(changes)
                if len(found) >= self.cap:
                    return self._ended(found, size)
            if not self.limits.left:
                return self._ended(found, size, gave_up=True)
            if found:
                return self._ended(found, size, exhausted=not self.cut)
            failed = missed
        return self._ended((), MOST_CHANGES, exhausted=not self.cut)

    def _ended(
        self, found: Iterable[frozenset[Change]], size: int, exhausted: bool = False, gave_up: bool = False
    ) -> Flips:
        return Flips(_sorted(found), size, exhausted, self.tried, gave_up, tuple(sorted(self.left_out)))

    def _grown(self, failed: Iterable[tuple[frozenset[Change], Model]], wanted: bool) -> Iterator[frozenset[Change]]:
        """Sets of one change more, until time is up."""
        seen = set[frozenset[Change]]()
        for changes, model in failed:
            try:
                relevant = self.relevant(changes, model, wanted)
            except LimitError:
                return
            for change in relevant:
                if not self.limits.left:
                    return
                grown = changes | {change}
                if Change(change.fact, not change.added) not in changes and grown not in seen:
                    seen.add(grown)
                    yield grown

    def _facts(self, changes: frozenset[Change]) -> frozenset[Fact]:
        taken = {change.fact for change in changes if not change.added}
        return (self.board - taken) | {change.fact for change in changes if change.added}

    def _model(self, changes: frozenset[Change]) -> Model:
        self.tried += bool(changes)
        return self.deriver.derive(sorted(self._facts(changes), key=str), [self.atom.predicate], self.limits)

    def relevant(self, changes: frozenset[Change], model: Model, wanted: bool) -> list[Change]:
        """The changes one of which is needed, given what holds now; the likeliest first."""
        reasons = _Reasons(model, self._constants(model))
        if wanted:
            reasons.want(self.atom, 0)
        else:
            binding = next(rows(model, _bindable(self.atom), {}))
            reasons.undo((self.atom.predicate, _row(_bindable(self.atom), binding)), 0)
        stated = Stated(self._facts(changes), model.program.declarations)
        self.cut = self.cut or reasons.cut
        self.left_out |= reasons.open_places
        self.left_out |= {one.fact[0] for one in reasons.changes if untried(one)}
        return sorted((one for one in reasons.changes if stated.fits(one)), key=likely)

    def _constants(self, model: Model) -> dict[str, list[str]]:
        players = [str(row[0]) for row in model.rows("player")] if "player" in model.relations else []
        objects = [str(row[0]) for row in model.rows("permanent")] if "permanent" in model.relations else []
        return {"player": players, "object": objects, "thing": [*players, *objects]}


class _Reasons:
    """The changes that could make a fact hold or fail."""

    def __init__(self, model: Model, constants: dict[str, list[str]]) -> None:
        self._model, self._constants = model, constants
        self.changes: dict[Change, None] = {}
        self.open_places: set[str] = set()
        self.cut = False
        self._wanted: set[str] = set()
        self._undone: set[Fact] = set()

    def want(self, atom: Atom, depth: int) -> None:
        """What could make something of the atom's form hold."""
        if str(atom) in self._wanted:
            return
        if depth > DEEPEST:
            self.cut = True
            return
        self._wanted.add(str(atom))
        declared = self._model.program.declarations[atom.predicate]
        if declared.world != "derived":
            for fact in self._instances(atom):
                if fact not in self._model:
                    self.changes[Change(fact, True)] = None
            return
        for clause in self._model.program.clauses:
            binding = fits(clause.head, atom) if clause.head.predicate == atom.predicate else None
            if binding is not None:
                self._fill(clause, binding, depth)

    def undo(self, fact: Fact, depth: int) -> None:
        """What could make a fact fail: whatever its proof rests on, or what would fill a lack in it."""
        if fact in self._undone:
            return
        self._undone.add(fact)
        for step in prove(self._model, fact).steps():
            if step.kind == "given" and isinstance(step.says, Atom):
                row = tuple(term for term in step.says.arguments if isinstance(term, (str, int)))
                self.changes[Change((step.says.predicate, row), False)] = None
            elif step.kind == "absent" and isinstance(step.says, Atom):
                self.want(step.says, depth + 1)
            elif step.kind == "count" and isinstance(step.says, Aggregate):
                self._recount(step.says, depth)

    def _fill(self, clause: Clause, binding: Binding, depth: int) -> None:
        """What a clause lacks: each premise that fails is looked into, and then taken as filled."""
        try:
            ordered = order(clause.premises, set(binding), named(clause.head.arguments))
        except UnboundError:
            return
        waiting: list[tuple[int, Binding]] = [(0, binding)]
        ways = 0
        while waiting and ways < MOST_WAYS:
            at, known = waiting.pop()
            ways += 1
            if at == len(ordered):
                continue
            premise = ordered[at]
            try:
                found = list(satisfied(self._model, premise, known))
            except (KeyError, TypeError, UnboundError):  # a premise that needs what an open place would bind
                waiting.append((at + 1, known))
                continue
            waiting.extend((at + 1, extended) for extended in reversed(found[:MOST_WAYS]))
            if not found:
                self._lacking(premise, known, depth)
                self._otherwise(premise, ordered[:at], known, depth)
                waiting.append((at + 1, known))
        self.cut = self.cut or bool(waiting)

    def _otherwise(self, failed: Premise, before: Sequence[Premise], known: Binding, depth: int) -> None:
        """A comparison that fails, or a count that is another, would hold for other values: what gave them."""
        if isinstance(failed, Literal):
            return
        wanted = named([failed]) if isinstance(failed, Comparison) else {failed.result.name}
        for premise in reversed(before):
            if not wanted & ({premise.result.name} if isinstance(premise, Aggregate) else named([premise])):
                continue
            if isinstance(premise, Aggregate):
                self._recount(premise, depth, {name: one for name, one in known.items() if name != premise.result.name})
            elif isinstance(premise, Comparison):
                wanted |= named([premise])
            elif not premise.negated and self._numbers(premise.atom, wanted):
                atom = filled(premise.atom, known)
                for binding in list(rows(self._model, _bindable(atom), {}))[:MOST_WAYS]:
                    self.undo((atom.predicate, _row(_bindable(atom), binding)), depth + 1)

    def _numbers(self, atom: Atom, wanted: set[str]) -> bool:
        """Whether an atom gives one of the variables as a number."""
        kinds = [kind for _, kind in self._model.program.declarations[atom.predicate].arguments]
        return any(
            kind == "number" and named([term]) & wanted for term, kind in zip(atom.arguments, kinds, strict=True)
        )

    def _lacking(self, premise: Premise, known: Binding, depth: int) -> None:
        if isinstance(premise, Literal):
            atom = filled(premise.atom, known)
            if not premise.negated:
                self.want(atom, depth + 1)
            else:
                for binding in list(rows(self._model, _bindable(atom), {}))[:MOST_WAYS]:
                    self.undo((atom.predicate, _row(_bindable(atom), binding)), depth + 1)
        elif isinstance(premise, Aggregate):
            self._recount(premise, depth, known)

    def _recount(self, premise: Aggregate, depth: int, known: Binding | None = None) -> None:
        """A count changes with each thing counted, or with one more."""
        for part in premise.body:
            if isinstance(part, Literal) and not part.negated:
                atom = filled(part.atom, known or {})
                for binding in list(rows(self._model, _bindable(atom), {}))[:MOST_WAYS]:
                    self.undo((atom.predicate, _row(_bindable(atom), binding)), depth + 1)
                self.want(atom, depth + 1)

    def _instances(self, atom: Atom) -> Iterator[Fact]:
        """The facts of an atom's form; open places take what is on the board, and nothing where that is not known."""
        kinds = [kind for _, kind in self._model.program.declarations[atom.predicate].arguments]
        choices: list[Sequence[str | int]] = []
        for term, kind in zip(atom.arguments, kinds, strict=True):
            open_place = isinstance(term, (Variable, Next))
            if open_place and kind not in self._constants:
                self.open_places.add(atom.predicate)
            choices.append(self._constants.get(kind, []) if open_place else [term])  # type: ignore[list-item]
        for count, row in enumerate(product(*choices)):
            if count >= MOST_WAYS:
                self.cut = True
                return
            yield atom.predicate, row


def _bindable(atom: Atom) -> Atom:
    """The atom with its open places named, so that what fills them is known."""
    terms = tuple(
        Variable(f"Any{at}") if isinstance(term, (Variable, Next)) else term for at, term in enumerate(atom.arguments)
    )
    return Atom(atom.predicate, terms)


def _row(atom: Atom, binding: Binding) -> tuple[str | int, ...]:
    return tuple(value(term, binding) for term in atom.arguments)
