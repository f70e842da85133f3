"""Knows the neighbourhood of an entry in the graph of references, and how it is drawn without a script."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from query.entry import Entry
from query.lookup import Lookup
from query.web.passage import shortened

MOST = 9
"""How many neighbours are drawn on each side."""

WIDTH, ROW, BOX, GAP, LEAST = 360, 30, 130, 27, 62


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An entry that is cited or cites: its key, its title, and how many references lead there."""

    key: str
    title: str | None
    references: int

    @property
    def label(self) -> str:
        """What fits into its box."""
        if not self.key[0].isdigit():
            return shortened(self.title or self.key, 16)
        return f"{self.key} {shortened(self.title, 15 - len(self.key))}" if self.title else self.key


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What cites an entry and what it cites, the parts of an entry counting as it; `more_in` and `more_out` say how
    many are left out.
    """

    key: str
    title: str | None
    cited_by: tuple[Neighbour, ...]
    cites: tuple[Neighbour, ...]
    more_in: int = 0
    more_out: int = 0


def neighbourhood(entry: Entry, lookup: Lookup, most: int = MOST) -> Neighbourhood:
    """The neighbourhood of an entry: whole rules rather than their subrules, the most referring first; of a subrule
    also the other subrules of its rule.
    """
    into = _counted(entry.key, (link.source for link in entry.links_in), lookup)
    out = _counted(entry.key, (link.target for link in entry.links_out if link.target is not None), lookup)
    cut = len(into) - most, len(out) - most
    return Neighbourhood(entry.key, entry.title, tuple(into[:most]), tuple(out[:most]), max(0, cut[0]), max(0, cut[1]))


def _counted(key: str, ends: Iterable[str], lookup: Lookup) -> list[Neighbour]:
    own = _whole(key)
    wholes = (end if own != key and _whole(end) == own else _whole(end) for end in ends)
    counts = Counter(whole for whole in wholes if whole != key)
    return [Neighbour(end, lookup.named(end).title, count) for end, count in counts.most_common()]


def _whole(key: str) -> str:
    """The rule that a subrule belongs to; anything else itself.

    >>> _whole("702.19b"), _whole("702"), _whole("term/flying")
    ('702.19', '702', 'term/flying')
    """
    return key.partition("~")[0].rstrip("abcdefghijklmnopqrstuvwxyz") if key[0].isdigit() else key


@dataclass(frozen=True, slots=True)
class Box:
    """A neighbour's place in the picture, in its units, and the curve that joins it to the middle."""

    neighbour: Neighbour
    x: int
    y: int
    curve: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture: its height, where the middle is, and the boxes to the left (citing) and the right (cited)."""

    height: int
    middle: int
    left: tuple[Box, ...]
    right: tuple[Box, ...]


def drawing(around: Neighbourhood) -> Drawing:
    """The picture of a neighbourhood: what cites to the left, what is cited to the right, the entry between them."""
    height = max(len(around.cited_by) * ROW + 8, len(around.cites) * ROW + 8, LEAST)
    middle = height // 2
    return Drawing(
        height,
        middle,
        tuple(_boxes(around.cited_by, 0, middle, WIDTH // 2 - GAP)),
        tuple(_boxes(around.cites, WIDTH - BOX, middle, WIDTH // 2 + GAP)),
    )


def _boxes(neighbours: tuple[Neighbour, ...], x: int, middle: int, joint: int) -> Iterator[Box]:
    first = middle - len(neighbours) * ROW // 2 + 3
    edge = x + BOX if x < joint else x
    half = (edge + joint) // 2
    for at, neighbour in enumerate(neighbours):
        y = first + at * ROW
        yield Box(neighbour, x, y, f"M{edge} {y + 12}C{half} {y + 12} {half} {middle} {joint} {middle}")
