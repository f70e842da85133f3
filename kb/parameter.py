"""Knows how the parameter after a keyword's name is written: the edition's own forms as a grammar.

form := piece+      piece := 'N' | '[cost]' | '—' | '[' words ']' | words
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from kb.keyword import Keyword

if TYPE_CHECKING:
    import pyparsing as pp

_PIECE = re.compile(r"\[[^\]]+\]|—|\b[NX]\b|[^\[—]+?(?=\[|—|\b[NX]\b|$)")
_COST = r"(?:\{[^{}\s]+\})+"
_NUMBER = r"\s*(?:\d+|X)\b(?:, where X is [^.]+)?"
_GENERIC_FORMS = ("N—[cost]", "N", "[cost]—[cost]", "[cost]", "—[text]")
_RULES_TALK = re.compile(
    r"(?:^\s*|\b(?:that|your) )abilit(?:y|ies)\b|^\s*counters?\b|"
    r"\b(?:costs?|spells? you|can(?:'t|not)?|get|gains?|has|have|you may)\b|[.:]"
)
_NO_PARAMETER = re.compile(r"\s*(?:abilit(?:y|ies)|costs?|counters?|mana|spells?|creatures?|cards?)\b")
_STOP = (
    r"(?= until | as long as | while | if | unless | except | where | during | for each | when | whenever | in addition"
    r"| and (?:has|have|gains?|gets?|is|are|can|loses?|becomes?|it|you|that)\b| instead|[,.;:()\"”\n]|$)"
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """What follows a keyword's name: `text` as printed without the dash before it, `length` of all that it takes up."""

    text: str
    length: int


def whole_parameter(keyword: Keyword, tail: str) -> Parameter | None:
    """The parameter if all of `tail`, the rest of an item of a keyword list, is one that the edition's forms allow.

    >>> from kb.number import RuleNumber
    >>> suspend = Keyword("Suspend", "ability", RuleNumber.parse("702.62"), forms=("N—[cost]",))
    >>> whole_parameter(suspend, " 4—{U}")
    Parameter(text='4—{U}', length=6)
    >>> whole_parameter(suspend, " is an ability.") is None
    True
    """
    said = tail.strip()
    if said in ("", "."):
        return Parameter("", 0)
    found = _parse(keyword.forms, said, True)
    if found is None and said.endswith(".") and "." not in said[:-1]:
        found = _parse(keyword.forms, said[:-1], True)
    if found is None:
        return None
    return Parameter(_without_dash(said), len(tail.rstrip()))


def leading_parameter(keyword: Keyword, tail: str) -> Parameter:
    """The parameter that `tail`, the rest of a sentence, begins with; an empty one if it begins with none.

    >>> from kb.number import RuleNumber
    >>> protection = Keyword("Protection", "ability", RuleNumber.parse("702.16"), forms=("from [quality]",))
    >>> leading_parameter(protection, " from the color of your choice until end of turn").text
    'from the color of your choice'
    """
    if keyword.introduces_ability:
        return Parameter("", 0)
    stripped = tail.lstrip(" ")
    found = _parse(keyword.forms, stripped, False) if stripped else None
    if not found:
        return Parameter("", 0)
    text = stripped[:found].rstrip()
    return Parameter(_without_dash(text), len(tail) - len(stripped) + len(text))


def _without_dash(text: str) -> str:
    """The parameter as printed, without the dash that introduces it and the period that ends the line."""
    if text.startswith("—"):
        return text[1:].strip().removesuffix(".")
    return text.removesuffix(".")


@lru_cache(maxsize=20_000)
def _parse(forms: tuple[str, ...], text: str, whole: bool) -> int | None:
    """How many characters of `text` one of the forms takes up, or None; many cards print the same parameter."""
    from pyparsing import ParseException

    try:
        found = _grammar(forms, whole).parse_string(text, parse_all=whole)
    except ParseException:
        return None
    return int(found["end"])


@cache
def _grammar(forms: tuple[str, ...], whole: bool) -> pp.ParserElement:
    """The longest of the edition's forms, or else of the forms that any keyword may take."""
    import pyparsing as pp

    own = [_form(form, whole) for form in forms if not form.startswith("<")]
    generic = [_form(form, whole) for form in _GENERIC_FORMS]
    end = pp.Empty().set_parse_action(lambda text, at, _: at)("end")
    return pp.Or([element + end for element in (*own, *generic)]).leave_whitespace()


def _form(form: str, whole: bool) -> pp.ParserElement:
    """One form as a grammar element; in running text, words stop where the sentence goes on."""
    import pyparsing as pp

    pieces = [piece for piece in _PIECE.findall(form) if piece.strip()]
    elements: list[pp.ParserElement] = []
    for at, piece in enumerate(pieces):
        last = at == len(pieces) - 1
        elements.append(_piece(piece.strip(), last, whole, at == 0))
    return pp.And(elements).set_name(form)


def _piece(piece: str, last: bool, whole: bool, first: bool) -> pp.ParserElement:
    import pyparsing as pp

    if piece in ("N", "X"):
        return pp.Regex(_NUMBER + (r"\.?" if whole else "")).set_name("number")
    if piece == "—":
        return pp.Regex(r"\s*—\s*").set_name("dash")
    if piece.casefold().startswith("[cost"):
        rest = r".+" if whole else r"[^.\"”]+"
        dashed = rf"\s*—\s*{rest}" if first else rest
        after = r"(?: and/or " + _COST + r"| or " + _COST + r")*"
        more = r"(?:, [A-Z][^.]*)?" if whole and last else ""
        return pp.Regex(rf"\s*(?:{_COST}{after}{more}|{dashed})").set_name("cost")
    if piece.startswith("["):
        return _words(last, whole, first)
    words = ["an?" if word in ("a", "an") else re.escape(word) for word in piece.split()]
    return pp.Regex(r"\s*" + r"\s+".join(words) + r"\b").set_name(piece)


def _words(last: bool, whole: bool, first: bool) -> pp.ParserElement:
    """Words of the card's own: to the end of a list's item, to the next piece, or to where a sentence goes on."""
    import pyparsing as pp

    if not last:
        return pp.Regex(r"\s*[^.{}]+?(?=\s*(?:\{|—|\d|$))").set_name("words")
    words = pp.Regex(r"\s*[^\n]+" if whole else r"\s*[^\n]+?" + _STOP).set_name("words")
    unfit = _RULES_TALK.search if whole else _NO_PARAMETER.match
    return words.add_condition(lambda found: not unfit(found[0])) if whole or first else words
