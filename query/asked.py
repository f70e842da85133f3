"""Knows what a person means who asks for an entry: a number however written, several of them, or a name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count, takewhile
from textwrap import shorten
from typing import TYPE_CHECKING

from kb.number import LETTERS, RuleNumber
from kb.rulebook import plain, rule_key
from query.errors import AmbiguousName, UnknownEntry, did_you_mean

if TYPE_CHECKING:
    from kb.reference import Reference
    from query.lookup import Lookup

_CLOSE = 0.6  # how like a name must be to one that is there to be offered for it
_SHOWN = 3  # names offered
_LONGEST_RANGE = 100
_POINT_BEFORE_LETTER = re.compile(r"(?<=\d)\.(?=[A-Za-z]{1,2}[\s.,:;]*$)")
_LETTERED = re.compile(r"([1-9]\d\d\.\d{1,3})([A-Za-z]{1,2})[\s.,:;]*$")
_AROUND = re.compile(
    r"(?:\b(?:see|also|and|or|to|the|cr|comprehensive|rules?|sections?|chapters?)\b|[\W_])*", re.IGNORECASE
)


def meant(lookup: Lookup, asked: str) -> tuple[str, str | None]:
    """The key that `asked` means in an edition, and the key of a glossary entry of the same name if there is one.

    A number that the edition prints twice means neither: each is asked for by its key, `702.175~2` the second. Raises
    `UnknownEntry` and `AmbiguousName`.
    """
    if any("\ud800" <= sign <= "\udfff" for sign in asked):  # half a character, which no store can hold
        raise _no_such_name(lookup, asked)
    said, marked, occurrence = asked.partition("~")
    number = RuleNumber.recognise(_POINT_BEFORE_LETTER.sub("", said))
    if number is not None and occurrence.isdecimal() == bool(marked):
        return _numbered(lookup, number, int(occurrence or 0)), None
    if asked.startswith("term/") and lookup.holds(asked):
        return asked, None
    return _named(lookup, asked)


def _numbered(lookup: Lookup, number: RuleNumber, occurrence: int = 0) -> str:
    """The key of a number; the `occurrence` counts from 1 and is 0 where none was said."""
    if not lookup.holds(str(number)):
        raise _no_such_number(lookup, number)
    if not occurrence and lookup.holds(rule_key(number, 2)):
        keys = [f"{number}~1", *takewhile(lookup.holds, (rule_key(number, at) for at in count(2)))]
        raise _ambiguous(lookup, str(number), keys)
    key = rule_key(number, occurrence or 1)
    if not lookup.holds(key):
        raise UnknownEntry(f"the rules of {lookup.edition} do not print {number} {occurrence} times.", [str(number)])
    return key


def _named(lookup: Lookup, asked: str) -> tuple[str, str | None]:
    keys = lookup.titled.get(plain(asked), ())
    headed = sorted((key for key in keys if key[0].isdigit()), key=_place)
    terms = [key for key in keys if not key[0].isdigit()]
    if not keys:
        return _referred(lookup, asked), None
    if len(headed) > 1 or (not headed and len(terms) > 1):
        raise _ambiguous(lookup, asked, (*headed, *terms))
    return (headed or terms)[0], terms[0] if headed and terms else None


def _place(key: str) -> tuple[object, ...]:
    number, _, occurrence = key.partition("~")
    return (RuleNumber.parse(number).order, occurrence)


def _referred(lookup: Lookup, asked: str) -> str:
    """The key that `asked` points at as the rules do: "See 702.7", "702.7a–b", "rules 702.7 and 702.9"."""
    if not re.search(r"[1-9]\d\d\.\d", asked):
        raise _no_such_name(lookup, asked)
    _refuse_letters(lookup, asked)
    from kb.reference import references

    found = list(references(asked))
    around = asked
    for reference in found:
        around = around.replace(reference.quote, " ", 1)
    if not found or not _AROUND.fullmatch(around):
        raise _no_such_name(lookup, asked)
    numbers = list(dict.fromkeys(number for reference in found for number in _reach(reference)))
    held = [str(number) for number in numbers if lookup.holds(str(number))]
    if len(numbers) == 1 or not held:
        return _numbered(lookup, numbers[0])
    raise _ambiguous(lookup, asked, held)


def _reach(reference: Reference) -> Iterator[RuleNumber]:
    """The numbers from the first to the last that a reference says; both where it does not count upwards."""
    first, last = reference.first, reference.last or reference.first
    assert first is not None
    assert last is not None
    reach, number = [first], first
    well = all(set(end.letter) <= set(LETTERS) for end in (first, last))
    while well and number < last and len(reach) < _LONGEST_RANGE and (after := number.next) is not None:
        reach.append(number := after)
    yield from reach if reach[-1] == last else dict.fromkeys((first, last))


def _ambiguous(lookup: Lookup, asked: str, keys: Sequence[str]) -> AmbiguousName:
    choices = [f"{key} {_telling(lookup, key.removesuffix('~1'))}".rstrip() for key in keys]
    return AmbiguousName(asked, lookup.edition, choices, keys)


def _telling(lookup: Lookup, key: str) -> str:
    """What tells an entry from others: its title, or how it begins."""
    named = lookup.named(key, text=True)
    return named.title or shorten(named.text or "", 60, placeholder=" …")


def _no_such_name(lookup: Lookup, asked: str) -> UnknownEntry:
    close = close_names(asked, lookup.titled)
    said = f"no rule, heading or glossary entry is called {asked!r} in the rules of {lookup.edition}"
    return UnknownEntry(f"{said}.{did_you_mean(close)}", close)


def close_names(asked: str, names: Sequence[str] | dict[str, tuple[str, ...]]) -> list[str]:
    """The names that were perhaps meant, in `plain` form: first those that hold what was asked as whole words.

    >>> close_names("APNAP", ["mana", "apnap order"])
    ['apnap order', 'mana']
    """
    from difflib import get_close_matches

    said = plain(asked)
    holding = sorted((name for name in names if said and f" {said} " in f" {name} "), key=len)
    return list(dict.fromkeys([*holding[:_SHOWN], *get_close_matches(said, names, _SHOWN, _CLOSE)]))[:_SHOWN]


def _no_such_number(lookup: Lookup, number: RuleNumber) -> UnknownEntry:
    said = f"there is no {number.level} {number} in the rules of {lookup.edition}"
    for above in number.ancestors:
        if lookup.holds(str(above)):
            below = [named.key for named in lookup.below(str(above))]
            reach = f"has {below[0]} to {below[-1]}" if below else "has nothing below it"
            return UnknownEntry(f"{said}; {above} {reach}.", [str(above)])
    return UnknownEntry(f"{said}; its sections are 1 to 9.")


def _refuse_letters(lookup: Lookup, asked: str) -> None:
    """Says so where a number bears a letter that none can bear, with the digit that it looks like."""
    said = _LETTERED.search(asked)
    if said is None or set(said[2].lower()) <= set(LETTERS) or not _AROUND.fullmatch(asked[: said.start()]):
        return
    digits = said[1] + said[2].lower().replace("l", "1").replace("o", "0")
    close = [number for number in (digits, said[1]) if lookup.holds(number)]
    raise UnknownEntry(
        f"there is no subrule {said[1]}{said[2]} in the rules of {lookup.edition}: none bears the letters l and o,"
        f" which look like 1 and 0.{did_you_mean(close)}",
        close,
    )
