"""Knows how a search for numbers is written: one, several, or a range, and which rules of an edition it names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.number import RuleNumber
from kb.reference import references
from query.lookup import Lookup

_ONE = r"(?:\d\.?|\d{3}(?:\.\d{1,3}\.?(?:[a-z]{1,2})?)?)"
_END = r"(?:\s?[-–—]\s?(?:\d{3}\.\d{1,3}[a-z]{0,2}|\d{1,3}[a-z]?|[a-z]{1,2}))?"
_SEVERAL = re.compile(rf"(?i){_ONE}{_END}(?:(?:\s*,\s*|\s+)(?:and\s+|or\s+)?{_ONE}{_END})*")
_LEAD = re.compile(r"(?i)^(?:see\s+)?(?:cr|(?:sub)?rules?|sections?|chapters?)\s+(?=\d)")


def asked_numbers(text: str, lookup: Lookup) -> list[str] | None:
    """The keys of the rules that a search names by number, ranges expanded; None where it says anything else.

    Raises `UnknownEntry` for a number that the edition does not have.
    """
    said = _LEAD.sub("", text.strip())
    number = RuleNumber.recognise(said)
    if number is not None:
        return [lookup.find(str(number))[0]]
    if not _SEVERAL.fullmatch(said):
        return None
    listed = ", ".join(re.split(r"\s*,\s*|\s+(?:and|or)\s+|(?<=[\da-z])\s+(?=\d{3})", said))
    keys = [key for found in references(f"rules {listed}") for key in _keys(found.first, found.last, lookup)]
    return list(dict.fromkeys(keys)) or None


def _keys(first: RuleNumber | None, last: RuleNumber | None, lookup: Lookup) -> Iterator[str]:
    if first is None:
        return
    yield lookup.find(str(first))[0]
    if last is None:
        return
    for sibling in lookup.below(str(first.parent)) if first.parent else ():
        if first < RuleNumber.parse(sibling.key.partition("~")[0]) <= last:
            yield sibling.key
