"""Knows how one atom or fact is written, for questions and boards: read by hand, so that no grammar need be loaded."""

from __future__ import annotations

import re

from kb.errors import SeeruleError
from query.predicate.syntax import Atom, Term, Variable

_TOKEN = re.compile(r'\s*(?:([A-Za-z_]\w*)|(-?\d{1,9}(?!\w))|"((?:[^"\\]|\\["\\])*)"|([(),.]))')
LONGEST = 10_000
"""The longest atom that is read."""


class QuestionError(SeeruleError):
    """A question or fact that cannot be read."""


def parse_atom(text: str) -> Atom:
    """The atom written as `text`: `can_block(drake, bear)`; capitals and `_` are variables.

    Raises `QuestionError` that says what was expected where.

    >>> str(parse_atom('has(X, "first strike")'))
    'has(X, "first strike")'
    >>> parse_atom("has(X")
    Traceback (most recent call last):
    query.predicate.atom.QuestionError: 'has(X', character 6: expected ',' or ')', found the end
    """
    tokens = _tokens(text)
    at, word = tokens[0]
    if not isinstance(word, Variable) or not word.name[0].islower():
        raise _fault(text, at, "a predicate's name", word)
    arguments: list[Term] = []
    place = 1
    if _mark(tokens, place) == "(":
        place += 1
        while True:
            arguments.append(_term(text, tokens[place], len(arguments)))
            separator = _mark(tokens, place + 1)
            place += 2
            if separator == ")":
                break
            if separator != ",":
                raise _fault(text, tokens[place - 1][0], "',' or ')'", tokens[place - 1][1])
    if _mark(tokens, place) == ".":
        place += 1
    if tokens[place][1] is not None:
        raise _fault(text, tokens[place][0], "the end", tokens[place][1])
    return Atom(word.name, tuple(arguments))


class _Mark(str):
    """One of ( ) , ."""

    __slots__ = ()


def _tokens(text: str) -> list[tuple[int, Term | None]]:
    """The parts of the text with their places: names as variables for now, numbers, quoted words, marks,
    None at the end."""
    if len(text) > LONGEST:
        raise QuestionError(f"an atom may be at most {LONGEST} characters long, found {len(text)}")
    found: list[tuple[int, Term | None]] = []
    at = 0
    while text[at:].strip():
        token = _TOKEN.match(text, at)
        if token is None:
            raise QuestionError(f"{text!r}, character {at + 1}: found {text[at:].strip()[:10]!r}")
        name, number, quoted, mark = token.groups()
        value: Term
        if name:
            value = Variable(name)
        elif number:
            value = int(number)
        elif quoted is not None:
            value = re.sub(r"\\(.)", r"\1", quoted)
        else:
            value = _Mark(mark)
        found.append((token.start(token.lastindex or 0), value))
        at = token.end()
    return [*found, (len(text), None), (len(text), None)]


def _mark(tokens: list[tuple[int, Term | None]], place: int) -> str:
    value = tokens[place][1]
    return str(value) if isinstance(value, _Mark) else ""


def _term(text: str, token: tuple[int, Term | None], number: int) -> Term:
    at, value = token
    if value is None or isinstance(value, _Mark):
        raise _fault(text, at, "a word, number or variable", value)
    if isinstance(value, Variable):
        if value.name == "_":
            return Variable(f"_{number}")
        return value if value.name[0].isupper() else value.name
    return value


def _fault(text: str, at: int, expected: str, found: Term | None) -> QuestionError:
    said = "the end" if found is None else repr(str(found))
    return QuestionError(f"{text[:60]!r}, character {at + 1}: expected {expected}, found {said}")
