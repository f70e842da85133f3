"""References reach what an independent reader says they reach, in every edition."""

from __future__ import annotations

import pytest

from kb.number import RuleNumber
from kb.reference import Reference
from kb.resolution import Link, resolve
from kb.rulebook import Rule
from tests.official import EDITIONS, known, needs_data, rulebook, rulebook_links

# Where the independent count differs: the simple reader of 2009 saw no hyphens in ranges and no reference in
# hard places ("rule702.72"), and that of 2017 counts a reference to 903.11a, which does not exist.
RECOUNTED = {"2009-05-01": (445, 108), "2017-08-25": (886, 163)}


def pairs(links: tuple[Link, ...], *, ranges: bool = False) -> set[tuple[str, str]]:
    """Rule to rule, sections left out; only those that come from ranges if asked."""
    return {
        (str(link.source.number), target)
        for link in links
        if isinstance(link.source, Rule) and (link.reference.last or not ranges)
        for target in link.targets
        if len(target) > 1
    }


@needs_data
def test_every_reference_of_one_edition_and_no_other() -> None:
    gold = {(source, target) for source, targets in known("2025-09-19.json")["pairs"].items() for target in targets}
    assert len(gold) == 1302
    assert pairs(rulebook_links("cr-20250919.txt")) == gold


@needs_data
@pytest.mark.parametrize("name", [name for name in EDITIONS if name[3:11] >= "20090501" and name != "cr-20090711.txt"])
def test_pairs_agree_with_an_independent_count(name: str) -> None:
    links = rulebook_links(name)
    edition = rulebook(name).edition
    counted = known("counts.json")[edition]
    expected = RECOUNTED.get(edition, (counted["reference_pairs"], counted["pairs_from_ranges"]))
    assert (len(pairs(links)), len(pairs(links, ranges=True))) == expected


@needs_data
@pytest.mark.parametrize("name", EDITIONS)
def test_every_reference_resolves_or_is_reported(name: str) -> None:
    book, links = rulebook(name), rulebook_links(name)
    assert len(links) > 100
    for link in links:
        assert link.targets or link.entries or link.fault
        assert all(
            target in {rule.key for rule in book.occurrences.get(RuleNumber.parse(target.partition("~")[0]), ())}
            or RuleNumber.parse(target) in book.titles
            for target in link.targets
        )
    assert sum(link.fault is not None for link in links) <= 20


@needs_data
def test_a_range_that_runs_backwards_or_leaves_the_book_is_a_fault() -> None:
    book = rulebook("cr-20260925.txt")
    said = [("601.2h", "601.2f", "backwards"), ("601.2f", "601.2z", "601.2z does not exist")]
    for first, last, message in said:
        reference = Reference(0, 1, "x", RuleNumber.parse(first), RuleNumber.parse(last))
        _, fault = resolve(reference, book)
        assert fault is not None
        assert message in fault.message


def test_a_term_is_no_rule() -> None:
    with pytest.raises(ValueError, match="glossary term"):
        resolve(Reference(0, 1, "See Landwalk", title="Landwalk"), rulebook(EDITIONS[-1]) if EDITIONS else None)  # type: ignore[arg-type]
