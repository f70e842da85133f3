"""What a rule is called in another edition is found by its words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.edition import changes, words
from tests.official import EDITIONS, needs_data, rulebook
from tests.tables import table

KEYS = [f"{chapter}.{rule}{letter}" for chapter in (100, 101) for rule in range(1, 6) for letter in ("", "a", "b")]
TEXTS = st.lists(st.sampled_from(list("abcdefgh")), min_size=1, max_size=6).map(tuple)
SAID = st.dictionaries(st.sampled_from(KEYS), TEXTS, max_size=20)


@needs_data
@pytest.mark.parametrize(("asked", "expected"), table("moved.txt", at_least=15))
def test_what_a_rule_is_called_later(asked: str, expected: str) -> None:
    old, new, key = asked.split()
    found = {change.old: change for change in changes(words(rulebook(old)), words(rulebook(new))) if change.old}
    assert f"{found[key].kind} {found[key].new or ''}".strip() == expected


@needs_data
@pytest.mark.parametrize("name", EDITIONS[::13])
def test_an_edition_has_not_changed_since_itself(name: str) -> None:
    said = words(rulebook(name))
    assert {change.kind for change in changes(said, said)} == {"same"}


@given(SAID, SAID)
def test_every_rule_is_told_once(old: dict[str, tuple[str, ...]], new: dict[str, tuple[str, ...]]) -> None:
    found = changes(old, new)
    assert [change.old for change in found if change.old] == list(old)
    assert sorted(change.new for change in found if change.new) == sorted(new)
    for change in found:
        assert (change.kind == "added") == (change.old is None)
        assert (change.kind == "removed") == (change.new is None)
        assert 0 <= change.likeness <= 1
        if change.kind == "same":
            assert old[change.old or ""] == new[change.new or ""]
