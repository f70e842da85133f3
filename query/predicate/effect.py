"""Knows the vocabulary of effects on a board: each sentence of can't, must or as though, and the fact it states.

`{n}` is a number or number word, `{quality}` what `quality.qualities` reads, `{player}` and `{object}` a name on the
board, `{cost}` and `{keyword}` any words. A sentence may begin with "it", "this creature" or the like.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from itertools import takewhile

from kb.errors import SeeruleError
from query.predicate.fitting import near
from query.predicate.quality import qualities, quality_facts
from query.predicate.syntax import Fact

NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "an": 1, "a": 1}
STEPS = ("first combat damage", "declare blockers", "combat damage")
"""After which action an effect may begin or end."""


@dataclass(frozen=True, slots=True)
class Form:
    """One sentence, the predicate it states, and that predicate's arguments: `it` is the object itself."""

    sentence: str
    predicate: str
    arguments: tuple[str, ...]


def _forms(lines: str) -> tuple[Form, ...]:
    found = []
    for line in lines.strip().splitlines():
        sentence, fact = (part.strip() for part in line.split(" -> "))
        predicate, *arguments = re.findall(r'"[^"]*"|[\w{}]+', fact)
        found.append(Form(sentence, predicate, tuple(argument.strip('"') for argument in arguments)))
    return tuple(found)


ON_OBJECTS = _forms(
    """
can't attack -> cant_attack(it)
can't attack or block -> cant_attack(it)
can't attack or block -> cant_block(it)
can't attack alone -> cant_attack_alone(it)
can only attack alone -> attacks_only_alone(it)
can't attack {player} -> cant_attack_player(it, player)
can't block -> cant_block(it)
can't block alone -> cant_block_alone(it)
can't be blocked -> cant_be_blocked(it)
can't be blocked by creatures with power {n} or less -> not_blocked_by_power_up_to(it, n)
can't be blocked by creatures with power {n} or greater -> not_blocked_by_power_from(it, n)
can't be blocked except by {n} or more creatures -> least_blockers(it, n)
can't be blocked by more than {n} creature -> most_blockers(it, n)
can't be blocked by more than {n} creatures -> most_blockers(it, n)
can't be blocked except by {quality} -> blocked_only_by(it, quality)
can't be blocked by creatures with greater power -> not_blocked_by_greater_power(it)
can't be blocked by creatures with power greater than its power -> not_blocked_by_greater_power(it)
can't be blocked by {quality} -> cant_be_blocked_by(it, quality)
can't block {quality} -> cant_block_those(it, quality)
can't attack unless defending player controls {quality} -> attack_needs(it, quality)
can block only {quality} -> blocks_only(it, quality)
must attack -> must_attack(it)
attacks each combat if able -> must_attack(it)
attacks each turn if able -> must_attack(it)
must attack {player} -> must_attack_player(it, player)
goaded by {player} -> goaded(it, player)
must block -> must_block(it)
blocks each combat if able -> must_block(it)
blocks each turn if able -> must_block(it)
must block {object} -> must_block_attacker(it, object)
must be blocked -> must_be_blocked(it)
must be blocked if able -> must_be_blocked(it)
lure -> lures(it)
all creatures able to block it do so -> lures(it)
can block any number of creatures -> blocks_any_number(it)
can block {n} additional creature -> blocks_more(it, n)
can block {n} additional creatures -> blocks_more(it, n)
costs {cost} to attack -> attack_cost(it, cost)
costs {cost} to block -> block_cost(it, cost)
can attack as though it didn't have defender -> as_though(it, "no defender")
can attack as though it had haste -> as_though(it, haste)
can block as though it had {keyword} -> as_though(it, keyword)
can block as though landwalk weren't there -> as_though(it, landwalk)
assigns combat damage as though it weren't blocked -> as_though(it, unblocked)
assigns combat damage equal to its toughness -> damage_by_toughness(it)
deals no combat damage -> deals_no_combat_damage(it)
prevent all damage to it -> prevent_damage_to(it)
prevent all damage it would deal -> prevent_damage_by(it)
its damage can't be prevented -> damage_cant_be_prevented(it)
regenerates -> regeneration_shield(it)
gains {keyword} after {step} -> gains(it, keyword, step)
loses {keyword} after {step} -> loses(it, keyword, step)
+{n}/+{m} -> boosted(it, effect, n, m)
+{n}/-{m} -> boosted(it, effect, n, -m)
-{n}/+{m} -> boosted(it, effect, -n, m)
-{n}/-{m} -> boosted(it, effect, -n, -m)
"""
)
"""Effects on an object. Where several forms fit, the first does."""

ON_GAME = _forms(
    """
no more than {n} creature can attack each combat -> most_attackers_in_combat(n)
no more than {n} creatures can attack each combat -> most_attackers_in_combat(n)
no more than {n} creature can block each combat -> most_blockers_in_combat(n)
no more than {n} creatures can block each combat -> most_blockers_in_combat(n)
prevent all combat damage -> prevent_combat_damage(effect)
"""
)
"""Effects on the game as a whole."""

_SUBJECT = re.compile(r"^(?:it|this creature|this permanent|this|~|enchanted creature|that creature) ", re.I)
_PARTS = {
    "n": r"(?P<n>\d+|one|two|three|four|five|an|a)",
    "m": r"(?P<m>\d+)",
    "step": rf"(?P<step>{'|'.join(STEPS)})",
    "keyword": r"(?P<keyword>[a-z ]+)",
    "cost": r"(?P<cost>.+)",
    "quality": r"(?P<quality>.+)",
    "player": r"(?P<player>.+)",
    "object": r"(?P<object>.+)",
}


class UnknownEffectError(SeeruleError):
    """A sentence that is not of the vocabulary."""


def effect_facts(
    sentence: str, thing: str | None, players: Collection[str], objects: Collection[str], number: int = 0
) -> list[Fact]:
    """The facts of one effect; `thing` is the object it is on, None for the whole game, `number` tells equal
    ones apart.

    Raises `UnknownEffectError` with the nearest form.

    >>> effect_facts("can't be blocked except by artifacts", "golem", [], [])
    [('blocked_only_by', ('golem', 'type', 'artifact'))]
    >>> effect_facts("can't blok", "golem", [], [])
    Traceback (most recent call last):
    query.predicate.effect.UnknownEffectError: no effect is written "can't blok"; did you mean "can't block"?
    """
    said = sentence_of(sentence, thing is not None)
    forms = ON_OBJECTS if thing is not None else ON_GAME
    for form in forms:
        found = _pattern(form.sentence).fullmatch(said)
        if found:
            alike = [other for other in forms if other.sentence == form.sentence]
            facts = [_facts(other, found.groupdict(), thing, players, objects, number) for other in alike]
            if None not in facts:
                return [fact for part in facts for fact in part or ()]
    raise UnknownEffectError(f'no effect is written "{sentence}"{_nearest(said, forms)}')


def sentence_of(sentence: str, on_object: bool = True) -> str:
    """The sentence with plain spaces and apostrophes, and without the subject that stands for the object it is on.

    >>> sentence_of("This creature  gains flying.")
    'gains flying'
    """
    said = " ".join(sentence.replace("’", "'").split()).rstrip(".")
    said = _SUBJECT.sub("", said) if on_object else said
    return said[:1].lower() + said[1:]


def _nearest(said: str, forms: Collection[Form]) -> str:
    """The form that begins with the most of the same words and is most like the sentence, if any is like it.

    >>> print(_nearest("can't be blocked except by creatures with a good heart", ON_OBJECTS))
    ; did you mean "can't be blocked except by {quality}"?
    """
    words = said.split()

    def shared(form: Form) -> int:
        pairs = zip(words, form.sentence.split(), strict=False)
        return len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))

    most = max(map(shared, forms))
    alike = [form.sentence for form in forms if shared(form) == most]
    if most < 2:
        return near(said, [form.sentence for form in forms])
    return f'; did you mean "{max(alike, key=lambda sentence: _likeness(said, sentence))}"?'


def _likeness(said: str, sentence: str) -> tuple[bool, bool, float]:
    """How like a form is: one that goes on in words of its user's where the sentence parts from it comes first."""
    begins = "{" in sentence and said.startswith(sentence.split("{")[0])
    return begins, begins and sentence.endswith("}"), SequenceMatcher(None, said, sentence).ratio()


@cache
def _pattern(sentence: str) -> re.Pattern[str]:
    text = re.sub(r"\\{(\w+)\\}", lambda part: _PARTS[part[1]], re.escape(sentence))
    return re.compile(text, re.I)


def _facts(
    form: Form,
    said: dict[str, str],
    thing: str | None,
    players: Collection[str],
    objects: Collection[str],
    number: int,
) -> list[Fact] | None:
    """The facts of a form that fits; None if what stands in it is not of its kind."""
    named = {"player": players, "object": objects}
    if any(key in said and said[key] not in known for key, known in named.items()):
        return None
    if "quality" in said:
        found = qualities(re.sub(r"^an? ", "", said["quality"]), players)
        if not found:
            return None
        return [*((form.predicate, (thing or "", *one)) for one in found), *quality_facts(found)]
    values: dict[str, Callable[[], str | int]] = {
        "it": lambda: thing or "",
        "n": lambda: _number(said["n"]),
        "m": lambda: int(said["m"]),
        "effect": lambda: f"effect {number}" if number else "effect",
    }
    row = []
    for argument in form.arguments:
        sign = -1 if argument in ("n", "m") and f"-{{{argument}}}" in form.sentence else 1
        value = values[argument]() if argument in values else said.get(argument, argument)
        row.append(sign * value if isinstance(value, int) else value.lower() if argument == "keyword" else value)
    return [(form.predicate, tuple(row))]


def _number(word: str) -> int:
    return NUMBERS.get(word.lower()) or int(word)
