"""Keywords recognised in the texts of real cards: what others get wrong, and agreement with the sources' own field."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.card import ORIGINS, Card, Face, KeywordUse
from tests.card_files import SCRYFALL, cards_by_name, keywords, needs_cards, recogniser, whole_collection
from tests.official import rulebook
from tests.tables import table

CASES = table("card_keywords.txt", at_least=40)


def uses_of(card: Card) -> list[tuple[Face, KeywordUse]]:
    return [(face, use) for face in card.faces for use in recogniser().uses(face)]


@needs_cards
@pytest.mark.parametrize(("what", "expected"), CASES)
def test_cards_that_others_get_wrong(what: str, expected: str) -> None:
    name, keyword, heading = (part.strip() for part in what.split("|"))
    found = [use for _, use in uses_of(cards_by_name()[name]) if use.keyword.casefold() == keyword.casefold()]
    if expected == "none":
        assert found == []
        return
    origin, parameter, family = (part.strip() for part in f"{expected} | |".split("|")[:3])
    alike = [use for use in found if use.origin == origin and (use.parameter or "") == parameter]
    assert alike, f"{name} has {[(use.origin, use.parameter) for use in found]}"
    known = keywords().named(keyword)
    if heading:
        assert known is not None
        lineage = keywords().lineage(known)
        assert rulebook("cr-20260925.txt").titles[lineage[-1].rule] == heading
        assert [above.name for above in lineage[1:]] == [name for name in family.split(", ") if name]


@needs_cards
def test_every_use_quotes_what_the_face_says() -> None:
    cards = list(whole_collection().cards.values())[::7]
    checked = 0
    for card in cards:
        for face, use in uses_of(card):
            quote = face.text[use.start : use.end]
            assert quote == quote.strip() != "", (card.name, use)
            assert not {"\x00", "\x01"} & set(f"{use.condition}{use.recipient}{use.parameter}"), (card.name, use)
            for said in (use.condition, use.recipient):
                assert said is None or said in face.text, (card.name, use)
            assert use.origin in ORIGINS
            checked += 1
    assert checked > 8_000


def headings(names: list[str] | tuple[str, ...]) -> set[str]:
    """The keyword abilities of chapter 702 that names mean, variants as what they are variants of."""
    found = [keyword for name in names if (keyword := keywords().named(name)) is not None]
    return {keywords().lineage(keyword)[-1].key for keyword in found if keyword.kind == "ability"}


@needs_cards
@pytest.mark.parametrize(("asked", "expected"), table("recipients.txt", at_least=28))
def test_who_is_given_a_keyword_and_when(asked: str, expected: str) -> None:
    name, keyword, at = asked.split(" | ")
    granted = [
        use
        for _, use in uses_of(cards_by_name()[name])
        if use.origin == "granted" and use.keyword.casefold() == keyword.casefold()
    ]
    said = [f"{use.recipient} | {use.condition or ''}".strip() for use in granted]
    assert (said[int(at) - 1] if len(said) >= int(at) else "none") == expected


@needs_cards
def test_no_recipient_is_an_instruction() -> None:
    faces = [face for card in whole_collection().cards.values() for face in card.faces]
    said = [use.recipient for face in faces for use in recogniser().uses(face) if use.recipient]
    assert len(said) > 6_500
    odd = re.compile(r"(?i)(?:and|or|you may|your life total|put|untap|tap|sacrifice|prevent|where|into|if)\b")
    assert len([recipient for recipient in said if odd.match(recipient)]) < 20


def printed(card: Card) -> list[str]:
    """What stands on a line of its own, a level's lines included, as the field of the sources has it."""
    return [
        use.keyword
        for _, use in uses_of(card)
        if use.origin == "printed" or (use.origin == "conditional" and (use.condition or "").startswith("LEVEL "))
    ]


@needs_cards
def test_agreement_with_the_field_of_all_cards() -> None:
    listed = {tuple(part.strip() for part in left.split(" | ")) for left, _ in table("keyword_disagreements.txt", 1)}
    agreed, found = 0, set()
    for card in whole_collection().cards.values():
        text, field = headings(printed(card)), headings(card.keywords)
        agreed += len(text & field)
        found |= {(card.name, keyword, "field only") for keyword in field - text}
        found |= {(card.name, keyword, "text only") for keyword in text - field}
    assert found == listed
    assert agreed / (agreed + len(found)) >= 0.99
    classes = {verdict for _, verdict in table("keyword_disagreements.txt", 1)}
    legend = "".join(line for line in open_table("keyword_disagreements.txt") if line.startswith("#   "))
    assert classes <= set(re.findall(r"^#   ([\w-]+) ", legend, re.MULTILINE))


@needs_cards
def test_agreement_with_the_field_of_the_unmodified_sample() -> None:
    from ingest.scryfall import cards_of

    records = json.loads(SCRYFALL.read_text(encoding="utf-8"))
    assert len(records) == 301
    cards = [card for record in records for card in cards_of(record, None)]
    pairs = [(headings(printed(card)), headings(card.keywords)) for card in cards]
    agreed = sum(len(text & field) for text, field in pairs)
    assert agreed / sum(len(text | field) for text, field in pairs) >= 0.99
    assert agreed > 200


def open_table(name: str) -> list[str]:
    from tests.tables import TABLES

    return (TABLES / name).read_text(encoding="utf-8").splitlines(keepends=True)


WORDS = st.sampled_from(
    [
        "flying",
        "Ward {2}",
        "—",
        " — ",
        "(",
        ")",
        '"',
        "“",
        "\n",
        ". ",
        ", ",
        "has",
        "gains",
        "with",
        "as long as",
        "LEVEL 1-2",
        "protection from",
        "from red and from blue",
        "counter",
        "{T}:",
        "this creature",
        "token",
        "Choose",
        "•",
        "8+ | ",
        "∞",
    ]
)


@needs_cards
@given(st.lists(st.one_of(WORDS, st.text(max_size=4)), max_size=25), st.text(max_size=8))
def test_any_text_is_read_without_a_crash(pieces: list[str], name: str) -> None:
    text = " ".join(pieces)
    for use in recogniser().uses(Face(name, text=text)):
        assert 0 <= use.start < use.end <= len(text)
