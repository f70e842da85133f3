"""Knows who is credited with what a choice obeys: what one chosen fact brings alone, and what any of several may bring.

A blocker obeys a lure by the one block it makes; "must block" by any of its blocks; "must be blocked" is obeyed by
anybody's block, and the solver picks whom it is credited to. Counted so, no more can be reached than each can do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from query.predicate.answer_set import atom_text, reached_text, text
from query.predicate.derive import Model
from query.predicate.relation import Row
from query.predicate.syntax import Atom, Choice

Who = str | int


class Credits:
    """The credits of one objective of a choice.

    `brings` are the rows of each clause that could bring something: the thing, whom it is credited to, the option.
    """

    def __init__(self, choice: Choice, model: Model, most: Mapping[Who, int], brings: Iterable[Iterable[Row]]) -> None:
        self._choice, self._most = choice, most
        self._group = choice.chosen.arguments.index(choice.group) if choice.group is not None else 0
        self._options = list(model.rows(choice.options.predicate))
        size = len(choice.chosen.arguments)
        self._things: dict[Row, dict[Row, Who]] = {}
        for rows in brings:
            for row in rows:
                self._things.setdefault(row[: -size - 1], {})[row[-size:]] = row[-size - 1]

    def lines(self, number: int) -> Iterator[str]:
        """What the solver must know, in the language of clingo."""
        alone = Counter(next(iter(options)) for options in self._things.values() if len(options) == 1)
        usual = Counter(alone[row] for row in self._options).most_common(1)[0][0] if self._options else 0
        for row in self._options:
            if alone[row] != usual:
                yield f"weight({number},{_tuple(row)},{alone[row]})."
        for at, options in enumerate(self._things.values()):
            if len(options) > 1:
                yield from self._shared(number, at, options)
        for who, size in self._sizes().items():
            yield f"terms({number},{text(who)},{size})."
        yield reached_text(self._choice, number, usual)

    def _shared(self, number: int, at: int, options: Mapping[Row, Who]) -> Iterator[str]:
        """A thing that any of several chosen facts brings: to one, or to whom the solver picks."""
        kind = "direct" if len(set(options.values())) == 1 else "candidate"
        for row, who in options.items():
            yield f"{kind}({number},{at},{text(who)}) :- {atom_text(Atom(self._choice.chosen.predicate, row))}."

    def _sizes(self) -> dict[Who, int]:
        """How much each may be credited with: what its best options bring, as many as it may choose."""
        bring: Counter[Row] = Counter(row for options in self._things.values() for row in options)
        by_whom: dict[Who, list[int]] = {}
        for row, count in bring.items():
            by_whom.setdefault(row[self._group], []).append(count)
        return {
            who: sum(sorted(counts, reverse=True)[: self._most.get(who, len(counts))])
            for who, counts in by_whom.items()
        }


def _tuple(row: Row) -> str:
    return f"({','.join(map(text, row))},)"
