"""Knows how links are walked: what lies within reach of a rule, the shortest chain between two, the most cited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING
from typing import Literal as OneOf

from pyoxigraph import Literal, NamedNode

from kb.errors import SeeruleError
from kb.vocabulary import ELI, OA, SR
from query.entry import FoundLink, Named
from query.lookup import Lookup, sort_keys

if TYPE_CHECKING:
    import networkx as nx

Direction = OneOf["in", "out"]

_PART = 0.01  # the weight of going from a rule to its subrule, where a citation weighs 1


class NoPath(SeeruleError):
    """No chain of references leads from one entry to the other."""


@dataclass(frozen=True, slots=True)
class Hop:
    """A step of a path: by a reference (`link` is its evidence), or from an entry to what is part of it or holds it."""

    source: Named
    target: Named
    step: OneOf["cites", "contains", "is part of"]
    link: FoundLink | None = None


@dataclass(frozen=True, slots=True)
class Reached:
    """An entry within reach: the link that led there, and how many references it took."""

    depth: int
    link: FoundLink


@dataclass(frozen=True, slots=True)
class Hub:
    """A much cited entry, and how many rules and glossary entries cite it."""

    entry: Named
    cited_by: int


class Follow:
    """Walks along the references of one edition; the graph of its links is built when first needed."""

    def __init__(self, lookup: Lookup) -> None:
        self.lookup = lookup

    def reached(self, key: str, direction: Direction, depth: int = 1) -> Iterator[Reached]:
        """What references lead to from `key` (`out`) or what leads to it (`in`), nearest first, up to `depth` steps.

        What is part of an entry belongs to it: to follow a link to chapter 510 is to follow it to 510.1 too. Each link
        is told once.
        """
        links = self.lookup.links_out if direction == "out" else self.lookup.links_in
        seen: set[str] = set()
        front = [key]
        for step in range(1, depth + 1):
            following: dict[str, None] = {}
            for at in dict.fromkeys(part for whole in front for part in (whole, *self._narrower(whole))):
                if at in seen:
                    continue
                seen.add(at)
                for link in links(at):
                    yield Reached(step, link)
                    other = link.target if direction == "out" else link.source
                    if other is not None:
                        following[other] = None
            front = list(following)

    def _narrower(self, key: str) -> list[str]:
        below = [named.key for named in self.lookup.below(key)]
        return [deeper for narrower in below for deeper in (narrower, *self._narrower(narrower))]

    @cached_property
    def graph(self) -> nx.DiGraph[str]:
        """Citations, and the way from each entry down to its parts, as a weighted graph of keys."""
        import networkx as nx

        graph: nx.DiGraph[str] = nx.DiGraph()
        lookup = self.lookup
        for quad in lookup.store.quads(None, ELI.is_part_of, None, lookup.graph):
            if isinstance(quad.subject, NamedNode) and isinstance(quad.object, NamedNode):
                graph.add_edge(lookup.key(quad.object), lookup.key(quad.subject), weight=_PART)
        for source, target in self.citations():
            graph.add_edge(source, target, weight=1.0)
        return graph

    def citations(self) -> Iterator[tuple[str, str]]:
        """Every pair of keys of which the first cites the second."""
        lookup = self.lookup
        for quad in lookup.store.quads(None, ELI.cites, None, lookup.graph):
            if isinstance(quad.subject, NamedNode) and isinstance(quad.object, NamedNode):
                yield lookup.key(quad.subject), lookup.key(quad.object)

    def path(self, start: str, end: str) -> tuple[Hop, ...]:
        """The chain with the fewest references from `start`, or a part of it, to `end`, or a part of it.

        Raises `NoPath`.
        """
        import networkx as nx

        ends = [end, *self._narrower(end)]
        if start in ends:
            raise NoPath(f"{start} is {end}, or a part of it: there is no way to go")
        try:
            backwards: list[str] = nx.multi_source_dijkstra(self._against, ends, start)[1]  # type: ignore[assignment]
        except (nx.NetworkXNoPath, nx.NodeNotFound):
            said = f"no chain of references leads from {start} to {end} in the rules of {self.lookup.edition}"
            raise NoPath(f"{said}; try the other way round: seerule path {end} {start}") from None
        keys = backwards[::-1]
        hops = [self._hop(source, target) for source, target in pairwise(keys)]
        if keys[-1] != end:
            hops.append(Hop(self.lookup.named(keys[-1]), self.lookup.named(end), "is part of"))
        return tuple(hops)

    @cached_property
    def _against(self) -> nx.DiGraph[str]:
        """The graph with every edge turned round: a path is looked for from its end, and stops at its start."""
        return self.graph.reverse()

    def _down(self, source: str, target: str) -> bool:
        return bool(self.graph[source][target]["weight"] == _PART)

    def _hop(self, source: str, target: str) -> Hop:
        lookup = self.lookup
        if self._down(source, target):
            return Hop(lookup.named(source), lookup.named(target), "contains")
        link = next(link for link in lookup.links_out(source) if link.target == target)
        return Hop(lookup.named(source), lookup.named(target), "cites", link)

    def hubs(self, count: int) -> tuple[Hub, ...]:
        """The `count` most cited entries, most cited first."""
        cited = Counter(target for _, target in self.citations())
        order = {key: at for at, key in enumerate(sort_keys(cited))}
        most = sorted(cited, key=lambda key: (-cited[key], order[key]))[:count]
        return tuple(Hub(self.lookup.named(key), cited[key]) for key in most)


def reference_pairs(lookup: Lookup) -> tuple[tuple[str, str], ...]:
    """The references of rules and examples as pairs of source and target; see `KnowledgeBase.references`."""
    found: dict[tuple[str, str], None] = {}
    passages = {
        quad.subject: lookup.key(quad.object)
        for quad in lookup.store.quads(None, OA.hasSource, None, lookup.graph)
        if isinstance(quad.object, NamedNode)
    }
    for predicate in (SR.reaches, SR.first):
        for quad in lookup.store.quads(None, predicate, None, lookup.graph):
            source, target = passages[quad.subject], quad.object
            if predicate == SR.reaches and isinstance(target, NamedNode):
                found[source, lookup.key(target).partition("~")[0]] = None
            elif isinstance(target, Literal) and not lookup.holds(target.value):
                found[source, target.value] = None
    rules = [
        (source, target) for source, target in found if source[0].isdigit() and len(target) > 1 and target[0].isdigit()
    ]
    order = {key: at for at, key in enumerate(sort_keys({key for pair in rules for key in pair}))}
    return tuple(sorted(rules, key=lambda pair: (order[pair[0]], order[pair[1]])))
