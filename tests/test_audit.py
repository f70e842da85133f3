"""The audit finds the publisher's own slips, and tells them from faults that make a file useless."""

from __future__ import annotations

import re

import pytest

from ingest.audit import audit
from ingest.document import read_rulebook
from tests.official import DATA, EDITIONS, edition_file, needs_data, rulebook
from tests.tables import table


def changed(old: str, new: str, name: str = "cr-20260925.txt") -> set[tuple[str, bool]]:
    """The kinds of finding, with whether they break the book, after a change to an official text."""
    data = edition_file(name).read_bytes().decode()
    mended, times = re.subn(old, new, data, count=1)
    assert times == 1
    return {(found.kind, found.broken) for found in audit(read_rulebook(mended.encode(), name))}


@needs_data
@pytest.mark.parametrize("name", EDITIONS)
def test_no_official_edition_is_refused(name: str) -> None:
    assert [str(finding) for finding in audit(rulebook(name)) if finding.broken] == []


@needs_data
@pytest.mark.parametrize(("name", "expected"), table("slips.txt", at_least=14))
def test_the_publishers_slips(name: str, expected: str) -> None:
    kind, where, message = expected.split(" | ")
    found = [finding for finding in audit(rulebook(name)) if finding.kind == kind and finding.where == where]
    assert [finding for finding in found if message in finding.message], found


@needs_data
def test_the_newest_edition_has_just_these_findings() -> None:
    assert [(found.kind, found.where) for found in audit(rulebook("cr-20260116.txt"))] == [
        ("misnumbered-line", "119.1d"),
        ("wrong-title", "120.7"),
        ("misnumbered-line", "606.5"),
        ("wrong-title", "724.5"),
        ("wrong-title", "glossary entry Endure"),
        ("dangling-reference", "glossary entry Map"),
        ("dangling-reference", "glossary entry One-Shot Effect"),
        ("wrong-title", "glossary entry Supervillain Rumble"),
    ]


CHANGES = [
    (r"\n702\.8\. Flash", "\n702.7. Flash", "duplicate-number", False),
    (r"\n702\.7d ", "\n702.7e ", "missing-number", False),
    (r"\n702\.8\. Flash", "\n7O2.8. Flash", "misnumbered-line", False),
    (r"\n702\.7b ", "\n702.3z ", "misnumbered-line", False),
    (r"\n510\. Combat Damage Step(?=\n\s+510\.1)", "\n509. Combat Damage Step", "duplicate-number", True),
    (r"\n510\. Combat Damage Step(?=\n511)", "", "contents", True),
    (r"\n510\. Combat Damage Step(?=\n511)", "\n510. Damage", "contents", False),
    (r"\n510\. Combat Damage Step(?=\n\s+510\.1)", "\n5l0. Combat Damage Step", "contents", True),
    (r"\nCredits(?=\n\s*\nMagic)", "", "cut-short", True),
]


@needs_data
@pytest.mark.parametrize(("old", "new", "kind", "broken"), CHANGES)
def test_a_changed_text_is_found_out(old: str, new: str, kind: str, broken: bool) -> None:
    assert (kind, broken) in changed(old, new)


@needs_data
def test_both_rules_of_one_number_are_read_and_told_apart() -> None:
    data = edition_file("cr-20260925.txt").read_bytes().decode().replace("\n702.8. Flash", "\n702.7. Flash", 1)
    book = read_rulebook(data.encode(), "twice.txt")
    assert [(rule.key, rule.heading) for rule in book.rules if str(rule.number) == "702.7"] == [
        ("702.7", "First Strike"),
        ("702.7~2", "Flash"),
    ]


@needs_data
def test_a_file_cut_short_is_broken() -> None:
    name = "01-truncated-midword-20130201.txt"
    findings = audit(read_rulebook((DATA / "cr-odd" / name).read_bytes(), name))
    assert {(finding.kind, finding.line) for finding in findings if finding.broken} == {
        ("cut-short", 4607),
        ("cut-short", 4609),
    }


@needs_data
def test_counts_known_from_elsewhere_are_compared() -> None:
    book = rulebook("cr-20260925.txt")
    assert not [
        finding for finding in audit(book, expected={"rules": 3166, "chapters": 147}) if finding.kind == "count"
    ]
    assert [finding.where for finding in audit(book, expected={"rules": 3165}) if finding.kind == "count"] == ["rules"]
