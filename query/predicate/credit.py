"""Knows who is credited with what a choice obeys: what one chosen fact brings alone, and what any of several may bring.

A blocker obeys a lure by the one block it makes; "must block" by any of its blocks; "must be blocked" is obeyed by
anybody's block, and the solver picks whom it is credited to. Counted so, no more can be reached than each can do: a
solver proves that optimum far sooner than the same sum counted thing by thing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from query.predicate.ground_rules import GroundRules, Total, Weighted
from query.predicate.relation import Row
from query.predicate.syntax import Atom, Choice, Clause, Literal, Objective, Premise, Variable

Who = str | int


class Credits:
    """The credits of one objective of a choice.

    `chosen`: each fact that may be chosen, with its literal. `most`: how many each may choose. `brings`: the rows of
    each clause that could bring something: the thing, then the option.
    """

    def __init__(
        self, choice: Choice, chosen: Mapping[Row, int], most: Mapping[Who, int], brings: Iterable[Iterable[Row]]
    ) -> None:
        self._chosen, self._most = chosen, most
        self._group = choice.chosen.arguments.index(choice.group) if choice.group is not None else 0
        self._alone: dict[Row, Row] = {}
        self._shared: dict[Row, dict[Row, None]] = {}
        size = len(choice.chosen.arguments)
        for rows in brings:
            for row in rows:
                thing, option = row[:-size], row[-size:]
                first = self._alone.setdefault(thing, option)
                if first != option:
                    self._shared.setdefault(thing, {first: None})[option] = None
        for thing in self._shared:
            del self._alone[thing]

    def gain(self, rules: GroundRules) -> None:
        """Each is credited with what its chosen facts bring each alone and what several of them would; how much that
        is for each, up to the most it can be, is gained."""
        alone = Counter(self._alone.values())
        credited: dict[Who, list[Weighted]] = {}
        for row, weight in alone.items():
            credited.setdefault(row[self._group], []).append((self._chosen[row], weight))
        for options in self._shared.values():
            for who, literal in self._picked(rules, options).items():
                credited.setdefault(who, []).append((literal, 1))
        for who, size in self._sizes(alone).items():
            total = Total.of(credited.get(who, ()))
            for much in range(1, size + 1):
                rules.gain(rules.at_least(much, total), 1)

    def _picked(self, rules: GroundRules, options: Iterable[Row]) -> dict[Who, int]:
        """A thing that any of several chosen facts brings: to one, or to whom the solver picks."""
        by_whom: dict[Who, list[int]] = {}
        for row in options:
            by_whom.setdefault(row[self._group], []).append(self._chosen[row])
        brought = {who: rules.any_of(literals) for who, literals in by_whom.items()}
        if len(brought) == 1:
            return brought
        picked = {who: rules.free_if(literal) for who, literal in brought.items()}
        rules.forbid(rules.at_least(2, Total.of((literal, 1) for literal in picked.values())))
        return picked

    def _sizes(self, alone: Counter[Row]) -> dict[Who, int]:
        """How much each may be credited with: what its best options bring, as many as it may choose."""
        bring = alone + Counter(row for options in self._shared.values() for row in options)
        by_whom: dict[Who, list[int]] = {}
        for row, count in bring.items():
            by_whom.setdefault(row[self._group], []).append(count)
        return {
            who: sum(sorted(counts, reverse=True)[: self._most.get(who, len(counts))])
            for who, counts in by_whom.items()
        }


def possible(
    clauses: Iterable[Clause], choice: Choice, objective: Objective, settled: Collection[str]
) -> tuple[Clause, ...] | None:
    """The clauses that say which option could bring what an objective counts; None if it has not the form for it.

    The form: `1 for p(X, Y)`, where every clause for `p` has one premise of the choice's predicate and rests on what
    is `settled` before the choice otherwise. The heads: what counts, then the option.
    """
    premise = objective.premises[0]
    if objective.weight != 1 or len(objective.premises) > 1 or choice.group not in choice.chosen.arguments:
        return None
    if not isinstance(premise, Literal) or premise.negated or choice.chosen.arguments != choice.options.arguments:
        return None
    terms = premise.atom.arguments
    if len(set(terms)) != len(terms) or not all(isinstance(term, Variable) for term in terms):
        return None
    found = [_possible(c, choice, settled) for c in clauses if c.head.predicate == premise.atom.predicate]
    return None if None in found else tuple(one for one in found if one)


def _possible(clause: Clause, choice: Choice, settled: Collection[str]) -> Clause | None:
    chosen = [part for part in clause.premises if _predicate(part) == choice.chosen.predicate]
    rest = [part for part in clause.premises if part not in chosen]
    if len(chosen) != 1 or not all(isinstance(part, Literal) and part.atom.predicate in settled for part in rest):
        return None
    premise = chosen[0]
    if not isinstance(premise, Literal) or premise.negated:
        return None
    arguments = tuple(
        Variable(f"Chosen{place}") if isinstance(term, Variable) and term.anonymous else term
        for place, term in enumerate(premise.atom.arguments)
    )
    head = Atom(clause.head.predicate, (*clause.head.arguments, *arguments))
    option = Literal(Atom(choice.options.predicate, arguments))
    return replace(clause, head=head, premises=(*rest, option), examples=())


def _predicate(premise: Premise) -> str:
    return premise.atom.predicate if isinstance(premise, Literal) else ""
