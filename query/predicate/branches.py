"""Knows where the rules leave a choice to a player that a board has not made, and what each way of making it leads to.

Nothing is resolved silently: a question is answered in every branch, and only what holds in all of them is certain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb

from query.predicate.derive import Deriver, Model
from query.predicate.limits import Limits
from query.predicate.relation import Row
from query.predicate.syntax import Fact

MOST_BRANCHES = 400
"""How many ways of making open choices are followed before the rest are left open."""

MOST_DIVISIONS = 120
"""How many ways of dividing one creature's damage are followed."""


@dataclass(frozen=True, slots=True)
class Branch:
    """One way of making the open choices: what was assumed, where that leads, and what is still open there.

    `sure` is the last stage that what is open does not touch; None if nothing is open.
    """

    assumed: tuple[Fact, ...]
    model: Model
    open: tuple[str, ...] = ()
    sure: int | None = None


@dataclass(frozen=True, slots=True)
class OpenChoice:
    """A predicate whose facts say that a choice is open; it matters to what needs the predicate `decides`."""

    predicate: str
    decides: str
    options: Callable[[Model, Row], Iterator[tuple[Fact, ...]]]
    says: Callable[[Row], str]


def branches(
    deriver: Deriver, facts: Iterable[Fact], wanted: Iterable[str], limits: Limits | None = None
) -> Iterator[Branch]:
    """Every way of making the choices that matter to `wanted`, each with its model.

    What is beyond `MOST_BRANCHES` comes as a branch with what is open in it.
    """
    wanted, limits = tuple(wanted), (limits or Limits()).begun()
    needed = deriver.program.needed(wanted)
    choices = [c for c in CHOICES if c.decides in needed and c.predicate in deriver.program.declarations]
    asked = [*wanted, *(choice.predicate for choice in choices), *(("unlawful_division", "stated") if choices else ())]
    asked = [name for name in asked if name in deriver.program.declarations]
    board, waiting, followed = tuple(facts), list[tuple[Fact, ...]]([()]), 0
    while waiting:
        assumed = waiting.pop()
        model = deriver.derive((*board, *assumed), asked, limits)
        followed += 1
        if assumed and _unlawful(model, assumed):
            continue
        found = _earliest(model, choices)
        if found is None:
            yield Branch(assumed, model)
            continue
        choice, row = found
        options = list(choice.options(model, row))
        if not options or followed + len(waiting) + len(options) > MOST_BRANCHES:
            yield Branch(assumed, model, (choice.says(row),), _stage(row))
        else:
            waiting.extend((*assumed, *option) for option in reversed(options))


def _earliest(model: Model, choices: Iterable[OpenChoice]) -> tuple[OpenChoice, Row] | None:
    """The open choice of the earliest stage: what is decided there may change what is open later."""
    open_now = ((choice, row) for choice in choices for row in model.rows(choice.predicate))
    return min(open_now, key=lambda one: (_stage(one[1]), str(one[1])), default=None)


def _stage(row: Row) -> int:
    """The stage at which a choice is open; -1 for one before the stages."""
    return row[0] if isinstance(row[0], int) else -1


def _unlawful(model: Model, assumed: tuple[Fact, ...]) -> bool:
    sources = {row[1] for name, row in assumed if name == "division"}
    if "unlawful_division" not in model.program.declarations:
        return False
    return any(row[1] in sources for row in model.rows("unlawful_division"))


def _divisions(model: Model, row: Row) -> Iterator[tuple[Fact, ...]]:
    """Every way of dividing one creature's damage among those that may receive it."""
    stage, source = row
    if row in model.rows("stated"):  # the board divides it, and not as the rules demand
        return
    step = next((one[1] for one in model.rows("step") if one[0] == stage), "")
    amount = next((int(one[2]) for one in model.rows("assigns") if one[:2] == row), 0)
    recipients = [one[2] for one in model.rows("recipient") if one[:2] == row]
    if comb(amount + len(recipients) - 1, amount) > MOST_DIVISIONS:
        return
    for parts in _compositions(amount, len(recipients)):
        yield tuple(("division", (step, source, to, part)) for to, part in zip(recipients, parts, strict=True))


def _compositions(amount: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Every way of writing `amount` as `parts` numbers in order.

    >>> list(_compositions(2, 2))
    [(2, 0), (1, 1), (0, 2)]
    """
    if parts == 1:
        yield (amount,)
        return
    for first in range(amount, -1, -1):
        yield from ((first, *rest) for rest in _compositions(amount - first, parts - 1))


def _mentor_targets(model: Model, row: Row) -> Iterator[tuple[Fact, ...]]:
    for mentor, target in model.rows("mentor_target"):
        if mentor == row[0]:
            yield (("mentors", (mentor, target)),)


def _legends(model: Model, row: Row) -> Iterator[tuple[Fact, ...]]:
    _, player, name = row
    named = {one[0] for one in model.rows("name") if one[1] == name}
    for owner, thing in model.rows("controls"):
        if owner == player and thing in named and (thing, "legendary") in model.rows("supertype"):
            yield (("keeps", (player, thing)),)


def _sacrificed(model: Model, row: Row) -> Iterator[tuple[Fact, ...]]:
    """Every way in which a player sacrifices so many permanents; what is declared to block was not sacrificed."""
    player, number = row
    blockers = {one[0] for one in model.rows("blocks")}
    taken = {one[1] for one in model.rows("sacrifices")}
    theirs = [one[1] for one in model.rows("controls") if one[0] == player and (one[1],) in model.rows("permanent")]
    free = [one for one in theirs if one not in taken]
    spared = [one for one in free if one not in blockers]
    offered = spared if len(spared) >= int(number) else free
    if comb(len(offered), int(number)) <= MOST_DIVISIONS:
        for chosen in combinations(offered, int(number)):
            yield tuple(("sacrifices", (player, one)) for one in chosen)


def _returns(model: Model, row: Row) -> Iterator[tuple[Fact, ...]]:
    for counter in dict.fromkeys(one[2] for one in model.rows("awaits_return") if one[:2] == row):
        yield (("returns_first", (row[1], counter)),)


def _nothing(_model: Model, _row: Row) -> Iterator[tuple[Fact, ...]]:
    yield from ()


CHOICES = (
    OpenChoice("mentor_undecided", "attack_counter", _mentor_targets, lambda row: f"which creature {row[0]} mentors"),
    OpenChoice("sacrifice_undecided", "sacrificed_first", _sacrificed, lambda row: f"what {row[0]} sacrifices"),
    OpenChoice("life_disputed", "life_now", _nothing, lambda row: f"the life total that {row[0]} and {row[1]} share"),
    OpenChoice("poison_disputed", "poison_now", _nothing, lambda row: f"the poison that {row[0]} and {row[1]} share"),
    OpenChoice("legend_undecided", "put_into_graveyard", _legends, lambda row: f"which {row[2]} {row[1]} keeps"),
    OpenChoice("protector_missing", "put_into_graveyard", _nothing, lambda row: f"who protects {row[1]}"),
    OpenChoice("return_undecided", "returns", _returns, lambda row: f"which ability returns {row[1]}"),
    OpenChoice("undecided", "assignment", _divisions, lambda row: f"how {row[1]}'s combat damage is divided"),
)
"""The choices that the shipped rules leave open, in the order in which they come up in a turn."""
