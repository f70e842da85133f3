"""Knows which of a card's printed abilities the rule files can speak of: keywords, and sentences of the
effect vocabulary."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from query.predicate.board import CardFacts
from query.predicate.card_targets import ABILITY, ability_targets, spell_targets
from query.predicate.effect import UnknownEffectError, effect_facts
from query.predicate.keyword import COUNTED, STATIC, KeywordFacts
from query.predicate.quality import SUPERTYPES

_REMINDER = re.compile(r"\s*\([^()]*\)")


def card_facts(
    name: str,
    type_line: str,
    text: str,
    colors: Sequence[str] = (),
    power: str | None = None,
    toughness: str | None = None,
    loyalty: str | None = None,
    defense: str | None = None,
    mana_value: str | None = None,
) -> CardFacts:
    """What a board takes from a card: its type line and text as printed, `colors` in words.

    Each paragraph of the text is a list of keywords, or a sentence of `query.predicate.effect`, or goes to `other`.
    Power that is no number stays None: the board must say it.

    >>> card_facts("Phantom Warrior", "Creature — Illusion Warrior", "This creature can't be blocked.").effects
    ("can't be blocked",)
    >>> card_facts("Wall of Air", "Creature — Wall", "Defender, flying (It is a wall.)").keywords
    ('Defender', 'flying')
    """
    before, _, after = type_line.partition("—")
    words = before.lower().split()
    types = tuple(word for word in words if word not in SUPERTYPES)
    keywords, effects, other = _paragraphs(name, text)
    return CardFacts(
        name=name,
        types=types,
        subtypes=tuple(word.lower() for word in after.split()),
        supertypes=tuple(word for word in words if word in SUPERTYPES),
        colors=tuple(colors),
        power=_number(power),
        toughness=_number(toughness),
        loyalty=_number(loyalty),
        defense=_number(defense),
        mana_value=_number(mana_value),
        keywords=tuple(keywords),
        effects=tuple(effects),
        other=tuple(_named(said) for said in other),
        doubts=tuple((_named(said), predicate) for said in other for predicate in _doubts(said)),
        targets=spell_targets(types, text),
        ability_targets=ability_targets(text),
    )


def _paragraphs(name: str, text: str) -> tuple[list[str], list[str], list[str]]:
    """The keywords, the effects and the other paragraphs of a text, without reminders."""
    keywords: list[str] = []
    effects: list[str] = []
    other: list[str] = []
    for paragraph in text.split("\n"):
        said = _REMINDER.sub("", paragraph).strip()
        if found := _keywords(said):
            keywords.extend(found)
        elif effect := _effect(said, name):
            effects.append(effect)
        elif said:
            other.append(said)
    return keywords, effects, other


def _keywords(paragraph: str) -> list[str]:
    """The keywords of a paragraph that consists of nothing else."""
    parts = [part.strip() for part in re.split(r"[,;]", paragraph) if part.strip()]
    return parts if parts and all(map(_known, parts)) else []


def _known(part: str) -> bool:
    read = KeywordFacts("it", [])
    read.add(part)
    return not read.unknown or part.lower() in (*STATIC, *COUNTED)


def _effect(paragraph: str, name: str) -> str:
    """The sentence without its subject, if it is of the vocabulary."""
    for subject in _subjects(name):
        if paragraph.startswith(f"{subject} "):
            said = paragraph[len(subject) + 1 :].rstrip(".")
            try:
                effect_facts(said, "it", [], [])
            except UnknownEffectError:
                continue
            return said
    return ""


_MAY_STATE = (
    ("can't be blocked", "cant_be_blocked"),
    ("can't block", "cant_block"),
    ("can't attack", "cant_attack"),
    ("attack or block", "cant_attack"),
    ("attack or block", "cant_block"),
    ("protection from", "protected_from"),
    ("hexproof", "has"),
    ("shroud", "has"),
)


def _doubts(paragraph: str) -> list[str]:
    """The predicates that a static ability may state of its object; what is activated or triggered does nothing by
    itself."""
    said = paragraph.lower().replace("’", "'")
    if ABILITY.search(said):
        return []
    return [predicate for words, predicate in _MAY_STATE if words in said]


def _subjects(name: str) -> Iterator[str]:
    yield from ("This creature", "This permanent", "This artifact", name, name.split(",")[0], name.split(" ")[0])


def _named(paragraph: str) -> str:
    """What an ability is called here: its first words, never its text."""
    words = paragraph.split()
    return " ".join(words[:4]) + (" ..." if len(words) > 4 else "")


def _number(text: str | None) -> int | None:
    return int(float(text)) if text is not None and re.fullmatch(r"-?\d+(?:\.0)?", text) else None
