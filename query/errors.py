"""Knows how a question that cannot be answered is answered: what is not there, what is, and what was perhaps meant."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.errors import SeeruleError

_CHOICES = 5


class UnknownEntry(SeeruleError):
    """No rule, heading or glossary entry of that number or name in the edition; `close` are names that are there."""

    def __init__(self, message: str, close: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.close = tuple(close)


class AmbiguousName(SeeruleError):
    """A name that several entries bear; the message lists them, and nothing is guessed; `keys` are theirs."""

    def __init__(self, name: str, edition: str, choices: Sequence[str], keys: Sequence[str] = ()) -> None:
        self.keys = tuple(keys)
        listed = "\n".join(f"  {choice}" for choice in choices)
        super().__init__(f"{name!r} names {len(choices)} entries in the rules of {edition}; ask for one:\n{listed}")


class UnknownEdition(SeeruleError):
    """An edition that the store does not hold."""

    def __init__(self, edition: str, held: Sequence[str]) -> None:
        listed = ", ".join(held) if len(held) < 8 else f"{held[0]} to {held[-1]} ({len(held)} editions)"
        super().__init__(
            f"there is no edition {edition!r} in the store; it holds {listed}.{_meant(edition, held)} Add one with:"
            " seerule build --add FILE"
        )


def _meant(edition: str, held: Sequence[str]) -> str:
    """What a date that is no edition's may mean: another way to write one, a year, or the rules of that day.

    >>> held = ["2019-10-04", "2020-04-17", "2020-08-07"]
    >>> _meant("20200417", held), _meant("2020", held)
    (' Did you mean “2020-04-17”?', ' Did you mean “2020-04-17” or “2020-08-07”?')
    >>> _meant("2020-05-01", held)
    ' On that day the edition of 2020-04-17 was the newest of these.'
    >>> _meant("2020-13-45", held)
    " '2020-13-45' is no date as YYYY-MM-DD."
    """
    from datetime import date

    digits = re.sub(r"\D", "", edition) if edition.isascii() else ""
    if close := [one for one in held if digits and one.replace("-", "").startswith(digits)][:_CHOICES]:
        return did_you_mean(close)
    try:
        day = date.fromisoformat(edition).isoformat()
    except ValueError:
        return f" {edition!r} is no date as YYYY-MM-DD."
    before = [one for one in held if one <= day]
    return f" On that day the edition of {before[-1]} was the newest of these." if before else ""


class UnknownKeyword(UnknownEntry):
    """No keyword of that name in the edition; `close` are names of keywords that are there."""


class UnknownCard(UnknownEntry):
    """No card of that name; `close` are names of cards that are there."""


class AmbiguousCard(SeeruleError):
    """A name that several cards bear; the message lists them, and nothing is guessed; `close` are their names."""

    def __init__(self, name: str, choices: Sequence[str]) -> None:
        self.close = tuple(choices)
        listed = "\n".join(f"  {choice}" for choice in choices)
        super().__init__(f"{name!r} names {len(choices)} cards; ask for one by its whole name:\n{listed}")


class NoKeywords(UnknownEntry):
    """The embedded outline holds the numbers and headings of keywords, and nothing that was read from their rules."""

    def __init__(self, name: str, edition: str) -> None:
        super().__init__(
            f"only the outline of the edition of {edition} is loaded: numbers, headings and links, no keywords and no"
            f" cards; for those: seerule build --cards --rulings. What the outline has: seerule show {name}"
        )


class NoCards(SeeruleError):
    """The store holds no cards."""

    def __init__(self) -> None:
        super().__init__("the store holds no cards; add them with: seerule build --add --cards --rulings")


def did_you_mean(words: Sequence[str]) -> str:
    """The end of a message that offers `words`, or nothing.

    >>> did_you_mean(["flying", "flanking"])
    ' Did you mean “flying” or “flanking”?'
    """
    if not words:
        return ""
    quoted = [f"“{word}”" for word in words]
    return f" Did you mean {' or '.join([', '.join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted)}?"


class UnknownFilter(SeeruleError):
    """A search is to be limited to what there is not."""
