"""Keywords as editions define them: numbers, variants and forms are found in the text of every edition, none is
kept by hand.
"""

from __future__ import annotations

import pytest

from kb.keyword import keywords_of
from kb.lexicon import Lexicon
from kb.parameter import leading_parameter, whole_parameter
from tests.card_files import CURRENT, keywords
from tests.official import EDITIONS, needs_data, rulebook
from tests.tables import table

pytestmark = needs_data


@pytest.mark.parametrize("name", EDITIONS)
def test_every_heading_of_the_chapters_on_keywords_is_a_keyword(name: str) -> None:
    book = rulebook(name)
    found = keywords_of(book)
    chapters = [
        head.number for head in book.chapters if head.title.casefold() in ("keyword abilities", "keyword actions")
    ]
    headed = [number for chapter in chapters if chapter for number in book.children[chapter] if book[number].heading]
    assert len(headed) > 7
    assert {keyword.rule for keyword in found.values()} >= set(headed)
    assert all(keyword.broader is None or keyword.broader in found for keyword in found.values())
    assert not [keyword.name for keyword in found.values() if keyword in found.lineage(keyword)[1:]]


@pytest.mark.parametrize(("name", "expected"), table("keyword_families.txt", at_least=20))
def test_variants_lead_to_their_family(name: str, expected: str) -> None:
    keyword = keywords().named(name)
    assert keyword is not None
    said = [f"{above.name} {above.rule}" for above in keywords().lineage(keyword)]
    assert ", ".join(said).casefold() == expected.casefold()


def test_ability_words_are_those_of_the_list() -> None:
    words = {keyword.name for keyword in keywords().values() if keyword.kind == "ability word"}
    assert {"imprint", "landfall", "threshold", "will of the council", "descend 4"} <= words
    assert len(words) == 61
    assert {str(keyword.rule) for keyword in keywords().values() if keyword.kind == "ability word"} == {"207.2c"}


@pytest.mark.parametrize(("written", "expected"), table("keyword_parameters.txt", at_least=30))
def test_parameters_follow_the_forms_of_the_edition(written: str, expected: str) -> None:
    name, _, tail = written.partition(" | ")
    keyword = keywords()[name]
    whole, leading = whole_parameter(keyword, tail), leading_parameter(keyword, tail)
    assert f"{whole.text if whole else 'no list'} | {leading.text}".strip(" |") == expected.strip(" |")


@pytest.mark.parametrize(("text", "expected"), table("keyword_tokens.txt", at_least=15))
def test_the_lexer_takes_whole_words_and_the_longest(text: str, expected: str) -> None:
    found = Lexicon(keywords()).tokens(text)
    assert ", ".join(f"{token.keyword.name} ({token.form})" for token in found).casefold() == expected.casefold()


def test_the_newest_edition_is_counted() -> None:
    """194 headings of abilities, one of which names two, and 28 variants; 70 headings of actions, one of which
    names two.
    """
    kinds = [keyword.kind for keyword in keywords_of(rulebook(CURRENT)).values()]
    assert (kinds.count("ability"), kinds.count("action")) == (194 + 1 + 28, 70 + 1)
