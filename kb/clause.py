"""Knows what a sentence of a card's text does with a keyword that it contains: has it, gives it, or only speaks of
it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile

from kb.card import Origin
from kb.clause_subject import CAUSE, SUBORDINATE, TOKEN, breaks, recipient_of, sentence_part, subject_start, token_in

_LIST_WORDS = r"(?:(?:your choice of|both|either|any of|all of|one of|and|or|a|an) )*"
_WITHOUT = re.compile(
    r"\b(?:without|los(?:es?|ing|t)|(?:can't|don't|doesn't|didn't|couldn't) (?:have|gain|have or gain)|"
    r"have no|has no|had|"
    rf"instead of|that (?:has|have)|with no|as though \S+(?: \S+)? ha(?:d|ve|s)) {_LIST_WORDS}$"
)
_ALIKE = re.compile(
    r"\b(?:the same is true for|(?:repeat|do) (?:this process|the same) for|and so on for) (?:each of )?$",
    re.IGNORECASE,
)
_OF_A_KEYWORD = re.compile(r"\b(?:has|have|having|with)\b|^(?:the same|repeat|do|and so)\b", re.IGNORECASE)
_NEXT_CLAUSE = re.compile(
    r",(?: and| then| or)? (?:(?:it|they|you|he|she) )?(?:gains?|has|have|gets?|can|is|loses?)\b|[.] "
)
_CHOSEN = re.compile(rf"\b(?:choos(?:e|es|ing)|chosen|from among) {_LIST_WORDS}$", re.IGNORECASE)
_GIVEN_LATER = re.compile(
    r"([^.,:]+?) (?:gains?|has|have) (?:that|the chosen|those) (?:ability|abilities|keyword)", re.IGNORECASE
)
_HAS = re.compile(rf"\b(gains?|gaining|has|have|having) {_LIST_WORDS}$")
_WITH = re.compile(rf"\bwith (?:base power(?: and toughness)? [^\s,]+(?:, |,? and | ))?{_LIST_WORDS}$")
_COUNTER = re.compile(
    r"\b(?:puts?|puts? your choice of|choice of|with|gets?|and|enters with) "
    r"(?:your choice of |either )?(?:an?|one|two|three|another|that many)? ?$"
)
_SPOKEN = re.compile(
    r"(?:'s)? (?:costs?|abilit(?:y|ies)|triggers?|counters? (?:from|was|were)|(?:spell|card|creature|permanent)s?\b"
    r"|was|were|is|of|only)\b"
)
_BECOMES = re.compile(
    r"\b(?:becomes?|is|are|it's|they're|that's|into|(?<!would )(?<!could )(?<!can )be)\b"
    r"(?! on the| equal| the (?:number|total|greatest|highest))[^,]*(?:base power[^,]*, )?$|\bexcept\b",
    re.IGNORECASE,
)
_NEW_KIND = re.compile(
    r"^becomes?\b|\b(?:creatures?|permanents?|artifacts?|copy[^,]*|Auras?|Vehicles?|\d+/\d+[^,]*) with "
)
_CONDITION = re.compile(r"\b(?:for as long as|as long as|while|unless|if|during)\b", re.IGNORECASE)
_LIMITED = re.compile(r"\b(?:until|this turn|this combat)\b", re.IGNORECASE)
_INSTRUCTING = re.compile(
    r"(?:^|[,:;—•] ?|\b(?:then|and|or|and/or|may|to|must|can't|can|would|don't|doesn't|you|players?|opponents?"
    r"|they|who|instead"
    r"|controller|owner|it|creatures?|land|do|first|also|simultaneously|be|repeatedly|either|you'd|ability"
    r"|team|this|as) )$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sense:
    """What a sentence does with a keyword: its origin, and the condition and the recipient as the text words them."""

    origin: Origin
    condition: str | None = None
    recipient: str | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """What must be known around a sentence: the names that its card has for itself, a threshold or label that it stands
    under, and the sentences that follow it in its line."""

    selves: frozenset[str] = frozenset()
    threshold: str = ""
    following: str = ""


def ability_sense(sentence: str, start: int, end: int, context: Context, before: Sense | None) -> Sense | None:
    """What a sentence does with the keyword ability at `start` to `end` (the first and last of a list of several).

    `before` is the last sense in the same paragraph, for "the same is true for". None where the word is no keyword
    there ("creatures can escape").

    >>> ability_sense("Other Goblins you control have haste.", 31, 36, Context(), None)
    Sense(origin='granted', condition=None, recipient='Other Goblins you control')
    """
    head, tail = sentence[:start], sentence[end:]
    if alike := _ALIKE.search(head):
        return _alike(alike[0].strip(), before)
    if re.match(r" counters?\b", tail) or (re.match(r",.*\bcounters?\b", tail) and _COUNTER.search(head)):
        return _counter_sense(head, tail)
    if _WITHOUT.search(head):
        return Sense("named")
    if _CHOSEN.search(head):
        return _chosen_sense(head, tail, context)
    verb = _HAS.search(head)
    if verb is not None:
        return _verb_sense(sentence, verb, tail, context)
    if _WITH.search(head):
        return _with_sense(head, tail)
    return (
        Sense("named")
        if _SPOKEN.match(tail) or head.endswith((" using ", " of ", "a ", " its ", "'s ", " that "))
        else None
    )


def action_sense(sentence: str, start: int, end: int, name: str, form: str) -> Sense | None:
    """What a sentence does with the keyword action at `start`: printed where it instructs, named where it speaks of it.

    None where the word is no action there ("in exile", "a +1/+1 counter").
    """
    head, tail = sentence[:start], sentence[end:]
    if _is_noun(name, form, head, tail):
        return None
    cause = CAUSE.match(sentence)
    if re.search(r"\b(?:cost|less|more) to $", head):  # "costs {1} less to cast" casts nothing
        return Sense("named")
    if form == "past" or (cause and "," not in head) or _in_subordinate(head):
        return Sense("named")
    if form == "verb" or _INSTRUCTING.search(head):
        return Sense("printed")
    return Sense("named")


def _alike(said: str, before: Sense | None) -> Sense:
    """What is done alike with other keywords: to the same recipient; a condition that speaks of a keyword speaks of
    each in its turn, so that the sentence that says so stands for it.
    """
    if before is None or before.condition is None or not _OF_A_KEYWORD.search(before.condition):
        return before or Sense("named")
    return replace(before, condition=said)


def _verb_sense(sentence: str, verb: re.Match[str], tail: str, context: Context) -> Sense:
    head = sentence[: verb.start()]
    if re.search(r"\b(?:that|which|who) $", head) or _in_subordinate(head) or re.search(r"\bto $", head):
        return Sense("named")
    recipient = recipient_of(head) or None
    condition = _condition(head, tail) or context.threshold or None
    lasting = verb[1] in ("has", "have") and not _LIMITED.search(tail)
    if recipient is not None and _is_self(recipient, head, context.selves):
        if lasting and condition:
            return Sense("conditional", condition)
        return Sense("granted", condition, recipient)
    return Sense("granted", condition, recipient)


def _chosen_sense(head: str, tail: str, context: Context) -> Sense:
    """A keyword that is offered for choice is given if a later sentence gives "that ability", or a counter of it
    is put.
    """
    if re.search(r"\bcounter from among $", head):
        return _counter_sense(re.sub(r"counter from among $", "", head), f" counter{tail}")
    later = _GIVEN_LATER.search(context.following)
    return Sense("granted", None, later[1].strip()) if later else Sense("named")


def _with_sense(head: str, tail: str) -> Sense:
    """A token made with a keyword, or an object that becomes something with it, is given it; else it is only
    spoken of.
    """
    clause = head[sentence_part(head) :]
    token = TOKEN.search(clause)
    if token is not None:
        return Sense("granted", _condition("", tail), token_in(token))
    becoming = _BECOMES.search(clause)
    if becoming is not None and _NEW_KIND.search(clause[becoming.start() :]):
        before = head[: sentence_part(head) + becoming.start()]
        return Sense("granted", _condition(before, tail), recipient_of(before) or None)
    return Sense("named")


def _counter_sense(head: str, tail: str) -> Sense:
    """A keyword counter that is put somewhere gives its keyword; any other is only spoken of."""
    if not _COUNTER.search(head) or _in_subordinate(head):
        return Sense("named")
    onto = re.search(
        r"\bcounters? on ([^,.]+?)(?= if | unless | as long as | and (?:it|they|that|those)\b|[,.]|$)", tail
    )
    return Sense("granted", _condition(head, tail), onto[1] if onto else recipient_of(head) or None)


def _is_self(recipient: str, head: str, selves: frozenset[str]) -> bool:
    said = recipient.casefold()
    if said in selves:
        return True
    named_before = any(name in head.casefold() for name in selves)
    return said == "it" and named_before and not re.search(r"\b(?:target|enchanted|equipped|token)\b", head)


def _in_subordinate(head: str) -> bool:
    """Whether the end of `head` stands inside a clause that begins with if, when, while, ... and is not over yet."""
    last = next(reversed(list(SUBORDINATE.finditer(head))), None)
    return last is not None and "," not in head[last.end() :] and last[0].casefold() != "until"


def _condition(head: str, tail: str) -> str | None:
    """The condition that the sentence states before or after, as it words it."""
    after = _CONDITION.search(tail)
    if after is not None and not re.match(r"\w*,? (?:and|or) ", tail[: after.start()] + "\0"):
        return _NEXT_CLAUSE.split(tail[after.start() :])[0].strip().rstrip(".")
    part = head[sentence_part(head) :]
    for start in [0, *(found.end() for found in re.finditer(r", ", part))]:
        if _CONDITION.match(part, start):
            return _one_clause(part[start : max(subject_start(part), start)]) or None
    return None


def _one_clause(said: str) -> str:
    """A condition without the clauses that follow it."""
    first, *others = said.strip(" ,").split(", ")
    return ", ".join((first, *takewhile(lambda piece: not breaks(piece), others)))


def _is_noun(name: str, form: str, head: str, tail: str) -> bool:
    if name == "counter" and form != "past":
        return not re.match(r" (?:target|that|it|all|each|up|any|those|the|them|a|an|this)\b", tail) or bool(
            re.search(r"(?:\+1/\+1|-1/-1|\b(?!then|may|or|and|to|can't|instead|would)\w+) $", head)
        )
    if form == "name" and re.search(
        r"\b(?:an?|the|in|from|into|of|each|your|their|its|no|another|per|this|first|second) $", head
    ):
        return True
    return form == "name" and bool(re.match(r" (?:costs?|abilit(?:y|ies)|counters?|zone)\b", tail))


@lru_cache(maxsize=4096)
def self_names(card_name: str, type_line: str) -> frozenset[str]:
    """What a card's text calls the card itself, in lower case: its name, a legend's short name, "this creature".

    >>> sorted(self_names("Ana, the Bold", "Legendary Creature"))[:3]
    ['ana', 'ana, the bold', 'this artifact']
    """
    short = {card_name}
    if "Legendary" in type_line:
        short |= {re.split(r",| the | of ", card_name)[0], card_name.split(" ")[0].rstrip(",")}
    kinds = (
        "creature",
        "permanent",
        "card",
        "spell",
        "land",
        "artifact",
        "enchantment",
        "token",
        "equipment",
        "vehicle",
    )
    subtypes = type_line.partition("—")[2].split()
    return frozenset(
        name.casefold().strip() for name in (*short, *(f"this {kind}" for kind in (*kinds, *subtypes)), "~") if name
    )
