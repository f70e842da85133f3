"""Knows the order in which predicates are worked out, and which cycles through `not` or an aggregate forbid any order.

A premise about an earlier stage (`T` under a head of `T+1`) is no dependency within a stage. Predicates fall into three
parts: before the stages, within them, and after them, where a clause may look back over all stages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from query.predicate.syntax import Clause, Declaration, Next, Place, literals


@dataclass(frozen=True, slots=True)
class Link:
    """That a clause's head needs a predicate: `strict` where it needs all of it, as under `not` or in an aggregate."""

    head: str
    needs: str
    strict: bool
    place: Place

    def __str__(self) -> str:
        return f"{self.head} needs {'all of ' if self.strict else ''}{self.needs} ({self.place})"


@dataclass(frozen=True, slots=True)
class Stratum:
    """Predicates worked out together, the numbers of their clauses, whether they feed themselves, and in which part."""

    predicates: tuple[str, ...]
    clauses: tuple[int, ...]
    recursive: bool
    part: str


class CycleError(ValueError):
    """A predicate needs the whole of itself; `links` is the cycle."""

    def __init__(self, links: Sequence[Link]) -> None:
        self.links = tuple(links)
        super().__init__("; ".join(map(str, links)))


class LookBackError(ValueError):
    """A predicate within the stages needs one that looks back over all of them; `links` show both steps."""

    def __init__(self, links: Sequence[Link]) -> None:
        self.links = tuple(links)
        super().__init__("; ".join(map(str, links)))


def stratify(declarations: Mapping[str, Declaration], clauses: Sequence[Clause]) -> tuple[Stratum, ...]:
    """The strata in order. Raises `CycleError` or `LookBackError`."""
    staged = {name for name, declared in declarations.items() if declared.staged}
    after = _after(clauses, staged)
    links = [link for clause in clauses for link in _links(clause, staged)]
    needs: dict[str, list[Link]] = {}
    for link in links:
        needs.setdefault(link.head, []).append(link)
    strata = []
    for group in _components(sorted(needs), {head: [link.needs for link in found] for head, found in needs.items()}):
        inside = [link for name in group for link in needs.get(name, ()) if link.needs in group]
        for link in inside:
            if link.strict:
                raise CycleError(_cycle(link, inside))
        if numbers := tuple(at for at, clause in enumerate(clauses) if clause.head.predicate in group):
            part = "stages" if group & staged else "after" if group & after.keys() else "before"
            strata.append(Stratum(tuple(sorted(group)), numbers, bool(inside), part))
    parts = ("before", "stages", "after")
    return tuple(sorted(strata, key=lambda stratum: parts.index(stratum.part)))


def _links(clause: Clause, staged: set[str]) -> Iterator[Link]:
    head = clause.head.predicate
    later = head in staged and isinstance(clause.head.arguments[0], Next)
    yield Link(head, "", False, clause.place)
    for literal, inside in literals(clause.premises):
        atom = literal.atom
        if later and atom.predicate in staged and not isinstance(atom.arguments[0], Next):
            continue
        yield Link(head, atom.predicate, literal.negated or inside, atom.place)


def _after(clauses: Iterable[Clause], staged: set[str]) -> dict[str, Link]:
    """The predicates without a stage that need one with a stage, directly or not."""
    links = [
        Link(clause.head.predicate, literal.atom.predicate, False, literal.atom.place)
        for clause in clauses
        for literal, _ in literals(clause.premises)
    ]
    after: dict[str, Link] = {}
    grew = True
    while grew:
        grew = False
        for link in links:
            if link.head not in staged and link.head not in after and (link.needs in staged or link.needs in after):
                after[link.head] = link
                grew = True
    for link in links:
        if link.head in staged and link.needs in after:
            raise LookBackError([link, after[link.needs]])
    return after


def _components(names: Sequence[str], needs: Mapping[str, Sequence[str]]) -> Iterator[set[str]]:
    """The strongly connected components, what is needed first (Tarjan, without recursion)."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    path: list[str] = []
    on_path: set[str] = set()
    for root in names:
        if root in number:
            continue
        work = [(root, iter(needs.get(root, ())))]
        number[root] = low[root] = len(number)
        path.append(root)
        on_path.add(root)
        while work:
            name, following = work[-1]
            for other in following:
                if other not in number:
                    number[other] = low[other] = len(number)
                    path.append(other)
                    on_path.add(other)
                    work.append((other, iter(needs.get(other, ()))))
                    break
                if other in on_path:
                    low[name] = min(low[name], number[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[name])
                if low[name] == number[name]:
                    group = set(path[path.index(name) :])
                    del path[path.index(name) :]
                    on_path -= group
                    yield group


def _cycle(start: Link, links: Sequence[Link]) -> list[Link]:
    """The shortest way from what `start` needs back to its head, `start` first."""
    ways: dict[str, list[Link]] = {start.needs: [start]}
    queue = [start.needs]
    for name in queue:
        if name == start.head:
            return ways[name]
        for link in links:
            if link.head == name and link.needs not in ways:
                ways[link.needs] = [*ways[name], link]
                queue.append(link.needs)
    return [start]
