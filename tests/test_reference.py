"""A reference is found wherever a text points at a rule, and nowhere else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.reference import references, term_references
from tests.official import EDITIONS, needs_data, rulebook
from tests.tables import table

PIECES = [
    "rule ",
    "rules ",
    "section ",
    "see ",
    "See ",
    "702.9b",
    "510",
    "601.2f–h",
    "8",
    "–",
    ", ",
    " and ",
    "“Dash,” ",
    '"',
    "“",
    ".",
]


@pytest.mark.parametrize(("text", "expected"), table("references.txt", at_least=48))
def test_references(text: str, expected: str) -> None:
    assert " ".join(found.wording for found in references(text)) == expected


@pytest.mark.parametrize(("text", "expected"), table("terms.txt", at_least=9))
def test_term_references(text: str, expected: str) -> None:
    assert "|".join(found.wording for found in term_references(text)) == expected


def test_title_and_kind_are_kept() -> None:
    dash, blitz = references("rules 702.109, “Dash,” and 702.152, “Blitz.”")
    assert (dash.title, dash.kind, blitz.title, blitz.kind) == ("Dash", "rule", "Blitz", "rule")
    kinds = [found.kind for found in references("section 6; rule 601; rule 601.2; rule 601.2a; rules 601.2a–b")]
    assert kinds == ["section", "chapter", "rule", "subrule", "range"]


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=8), max_size=30).map("".join))
def test_every_span_is_its_quote_and_spans_do_not_overlap(text: str) -> None:
    at = 0
    for found in references(text):
        assert text[found.start : found.end] == found.quote
        assert at <= found.start < found.end
        at = found.end
    for found in term_references(text):
        assert text[found.start : found.end] == found.quote


@given(st.sampled_from(["rule 702.9b, ", "“", "see 601", "rules 1.", "702.1–", "See A"]), st.integers(1, 3000))
def test_repetition_does_not_slow_it_down(piece: str, times: int) -> None:
    text = piece * times
    assert sum(len(found.quote) for found in references(text)) <= len(text)
    assert sum(len(found.quote) for found in term_references(text)) <= len(text)


@needs_data
@pytest.mark.parametrize("name", EDITIONS)
def test_no_number_of_the_text_is_left_over(name: str) -> None:
    """Every dotted number in rules, examples and glossary lies inside a reference: the cue misses nothing."""
    book = rulebook(name)
    texts = [rule.text for rule in book.rules] + [example.text for rule in book.rules for example in rule.examples]
    seen = 0
    for text in (*texts, *(entry.text for entry in book.glossary)):
        spans = [(found.start, found.end) for found in references(text)]
        for number in re.finditer(r"(?<![\d.])[1-9]\d\d\.\d{1,3}[a-z]?", text):
            seen += 1
            assert any(start <= number.start() < end for start, end in spans), text[number.start() - 30 : number.end()]
    assert seen > 30
