"""A number parses, prints and sorts as the book does."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.number import LETTERS, RuleNumber
from tests.official import EDITIONS, needs_data, rulebook
from tests.tables import table


@st.composite
def numbers(draw: st.DrawFn) -> RuleNumber:
    """Any number that a book can print."""
    section = draw(st.integers(1, 9))
    if draw(st.booleans()):
        return RuleNumber(section)
    chapter = section * 100 + draw(st.integers(0, 99))
    rule = draw(st.integers(0, 999))
    letter = draw(st.text(LETTERS, min_size=0, max_size=2)) if rule else ""
    return RuleNumber(section, chapter, rule, letter)


@given(numbers())
def test_parse_is_the_inverse_of_print(number: RuleNumber) -> None:
    assert RuleNumber.parse(str(number)) == number
    assert RuleNumber.recognise(f"CR {number}.") == number


@given(numbers(), numbers())
def test_order_is_total_and_agrees_with_the_key(one: RuleNumber, other: RuleNumber) -> None:
    assert (one < other) + (one == other) + (one > other) == 1
    assert (one < other) == (one.order < other.order)


@given(numbers())
def test_ancestors_come_before(number: RuleNumber) -> None:
    assert all(above < number for above in number.ancestors)
    assert len(number.ancestors) == ["section", "chapter", "rule", "subrule"].index(number.level)


@given(numbers())
def test_next_is_the_least_number_after(number: RuleNumber) -> None:
    following = number.next
    if following is not None:
        assert number < following
        assert following.level == number.level


@given(st.text(max_size=40) | st.from_regex(r"\d{1,3}(\.\d{1,3}[a-z]{0,3})?", fullmatch=True))
def test_arbitrary_text_is_a_number_or_a_sentence(text: str) -> None:
    if re.fullmatch(r"[1-9](\d\d(\.[1-9]\d{0,2}[a-kmnp-z]{0,2})?)?", text, re.ASCII):
        assert str(RuleNumber.parse(text)) == text
    else:
        with pytest.raises(ValueError, match="is not a rule number"):
            RuleNumber.parse(text)


@pytest.mark.parametrize(("said", "expected"), table("numbers.txt", at_least=19))
def test_recognise(said: str, expected: str) -> None:
    number = RuleNumber.recognise(said)
    assert expected == ("" if number is None else str(number))


@needs_data
@pytest.mark.parametrize("name", EDITIONS)
def test_sorted_numbers_are_the_order_of_the_document(name: str) -> None:
    printed = [rule.number for rule in rulebook(name).rules]
    assert len(printed) > 300
    assert sorted(printed) == printed
