"""Knows the grammar of rule files: how text becomes declarations, clauses, choices, requirements and objectives.

A statement starts in the first column and ends with a full stop; its other lines are indented. `#` begins a comment.

    given predicate attacks(attacker: object, player: player).
    predicate attack_legal(attacker: object).

    rule 508.1a attack: attack_legal(A) if attacks(A, _), creature(A), not tapped(A).
      yes: attacks(bear, ann), creature(bear).
      no:  attacks(bear, ann), creature(bear), tapped(bear).

    choose 509.1a block: blocks(B, A) from can_block(B, A) at most N per B where block_limit(B, N).
    require 509.1b restriction: not unlawful(_).
    maximize 509.1c requirement: 1 for obeyed(B, R).

Variables begin with a capital, `_` matches anything, other names are words; a word with a blank stands in quotes.
`N = count(X, Y : premises)`, and `sum`, `min`, `max`, range over the distinct values of the terms before the colon.
In a clause over stages the head may say `T+1`: what holds in the stage after `T`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pyparsing as pp

from kb.errors import SeeruleError
from kb.number import RuleNumber
from query.predicate.syntax import (
    KINDS,
    Aggregate,
    Atom,
    Choice,
    Clause,
    Comparison,
    Declaration,
    Example,
    Fact,
    Literal,
    Next,
    Objective,
    Operation,
    Place,
    Requirement,
    Statement,
    Variable,
)

DEEPEST = 40
"""How deep brackets may nest: no rule comes near it, and a hostile file must not exhaust the stack."""

MOST_OPERATIONS = 100
"""How many `+ - *` one statement may have: what folds them together and checks them goes as deep as they are many."""

_KEYWORDS = "given predicate|open predicate|predicate|rule|choose|require|maximize"
_START = re.compile(rf"(?:{_KEYWORDS})\b")
_TOO_LONG = re.compile(r'"(?:[^"\\\n]|\\.)*"|(?<![\w.])(\d{10,})')
_OPERATIONS = re.compile(r'"(?:[^"\\\n]|\\.)*"|([-+*])')
_COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*")|#[^\n]*')


class RuleFileError(SeeruleError):
    """One or more faults of a rule file, each with file, line, column and what was expected."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(faults))


class Reader:
    """The grammar, built once; it reads any number of files, statement by statement.

    >>> reader = Reader()
    >>> rule = reader.statements("rule 702.3b defender: unable(A) if has(A, defender).", "a.rules")[0]
    >>> str(rule.cites), rule.label, str(rule)
    ('702.3b', 'defender', 'unable(A) if has(A, defender)')
    """

    def __init__(self) -> None:
        self._file, self._line, self._anonymous = "", 1, 0
        self._statement = self._grammar()

    def statements(self, text: str, file: str) -> list[Statement]:
        """Every statement of `text`; `file` is the name that errors give.

        Raises `RuleFileError` with a fault for each statement that does not parse.
        """
        found: list[Statement] = []
        faults: list[str] = []
        self._file = file
        for line, chunk in _chunks(text):
            self._line, self._anonymous = line, 0
            try:
                found.append(self._read(chunk))
            except RuleFileError as error:
                faults.extend(error.faults)
        if faults:
            raise RuleFileError(faults)
        return found

    def facts(self, text: str, file: str = "question") -> list[Atom]:
        """The atoms of `text`, separated by commas; a final full stop may be left out."""
        self._file, self._line, self._anonymous = file, 1, 0
        atoms = pp.DelimitedList(self._atom) + pp.Opt(".").suppress()
        return [atom for atom in self._parse(atoms, text) if isinstance(atom, Atom)]

    def _read(self, chunk: str) -> Statement:
        if not _START.match(chunk):
            word = chunk.split(None, 1)[0]
            raise self._fault(f"expected one of {_KEYWORDS.replace('|', ', ')}, found {word!r}", 0, chunk)
        statement = self._parse(self._statement, chunk)[0]
        assert isinstance(statement, Statement)
        return statement

    def _parse(self, grammar: pp.ParserElement, text: str) -> list[Any]:
        depth = 0
        for at, mark in enumerate(text):
            depth += (mark == "(") - (mark == ")")
            if depth > DEEPEST:
                raise self._fault(f"brackets nest deeper than {DEEPEST}", at, text)
        self._bounded(text)
        try:
            return list(grammar.parse_string(text, parse_all=True))
        except pp.ParseBaseException as error:
            found = text[error.loc :].split(None, 1)[0] if text[error.loc :].strip() else "the end"
            expected = error.msg[0].lower() + error.msg[1:]
            expected = expected.replace("end of text", "a statement in the first column, or 'yes:' or 'no:'")
            raise self._fault(f"{expected}, found {found[:30]!r}", error.loc, text) from None

    def _bounded(self, text: str) -> None:
        """Refuses what no rule says and the grammar could only fail at: huge numbers, endless sums."""
        for found in _TOO_LONG.finditer(text):
            if found[1]:
                raise self._fault(f"a number has at most 9 digits, found one of {len(found[1])}", found.start(1), text)
        marks = [found.start(1) for found in _OPERATIONS.finditer(text) if found[1]]
        if len(marks) > MOST_OPERATIONS:
            what = f"a statement reckons with at most {MOST_OPERATIONS} of + - *, found {len(marks)}"
            raise self._fault(what, marks[MOST_OPERATIONS], text)

    def _fault(self, what: str, at: int, text: str) -> RuleFileError:
        return RuleFileError([f"{self._place(text, at)}: {what}"])

    def _place(self, text: str, at: int) -> Place:
        return Place(self._file, self._line + pp.lineno(at, text) - 1, pp.col(at, text))

    def _placed(self, make: Callable[[pp.ParseResults, Place], object]) -> Callable[..., object]:
        """A parse action that hands `make` the tokens and their place."""
        return lambda text, at, tokens: make(tokens, self._place(text, at))

    def _named(self, tokens: pp.ParseResults, place: Place) -> Variable:
        """A variable; each `_` is another."""
        if tokens[0] != "_":
            return Variable(tokens[0], place)
        self._anonymous += 1
        return Variable(f"_{self._anonymous}", place)

    def _grammar(self) -> pp.ParserElement:
        self._terms()
        premises = self._premises()
        label = pp.Regex(r"[A-Za-z][^:\n]*(?=:)").set_name("label").add_parse_action(lambda t: t[0].strip())
        cites = pp.Regex(r"\d[\w.]*").set_name("rule number").add_parse_action(self._number)
        cited = cites - label - pp.Suppress(":")
        stop = pp.Suppress(".").set_name("'.' at the end of the statement")
        condition = pp.Group(pp.Opt(pp.Suppress(pp.Keyword("if")) - premises))
        rule = _keyword("rule") - cited - self._atom - condition - stop - pp.Group(self._example()[...])
        limit = _keyword("at") - _keyword("most") - (self._variable | self._integer)
        per = _keyword("per") - self._variable
        where = pp.Group(pp.Opt(pp.Suppress(pp.Keyword("where")) - premises))
        options = _keyword("from") - self._atom
        choose = _keyword("choose") - cited - self._atom - options - pp.Group(pp.Opt(limit - per)) - where - stop
        require = _keyword("require") - cited - pp.Group(premises) - stop
        objective = self._sum - _keyword("for") - pp.Group(premises) - stop
        maximize = _keyword("maximize") - cited - objective
        rule.add_parse_action(self._placed(lambda t, p: Clause(t[0], t[1], t[2], _all(t[3]), _all(t[4]), p)))
        choose.add_parse_action(self._placed(_choice))
        require.add_parse_action(self._placed(lambda t, p: Requirement(t[0], t[1], _all(t[2]), p)))
        maximize.add_parse_action(self._placed(lambda t, p: Objective(t[0], t[1], t[2], _all(t[3]), p)))
        statement: pp.ParserElement = self._declaration() | rule | choose | require | maximize
        return statement

    def _terms(self) -> None:
        self._name = pp.Regex(r"[a-z][A-Za-z0-9_]*").set_name("name")
        self._word = pp.Regex(r"(?!not\b)[a-z][A-Za-z0-9_]*").set_name("word")
        self._integer = pp.Regex(r"-?\d{1,9}(?![\w.]\w)").set_name("number").add_parse_action(lambda t: int(t[0]))
        self._quoted = pp.Regex(r'"(?:[^"\\\n]|\\["\\])*"').set_name("quoted word")
        self._quoted.add_parse_action(lambda t: re.sub(r"\\(.)", r"\1", t[0][1:-1]))
        self._variable = pp.Regex(r"[A-Z]\w*|_(?!\w)").set_name("variable")
        self._variable.add_parse_action(self._placed(self._named))
        later = pp.Regex(r"([A-Z]\w*)\s*\+\s*1(?!\w)").set_name("next stage")
        later.add_parse_action(self._placed(lambda t, p: Next(Variable(t[0].split("+")[0].strip(), p))))
        self._value = self._integer | self._quoted | self._word
        self._term = (later | self._variable | self._value).set_name("term")
        factor = pp.Forward().set_name("number, variable or '('")
        product = (factor + (pp.Literal("*") - factor)[...]).add_parse_action(_operations)
        self._sum = (product + (pp.one_of("+ -") - product)[...]).add_parse_action(_operations)
        factor <<= (pp.Suppress("(") - self._sum - pp.Suppress(")")) | self._variable | self._value

    def _premises(self) -> pp.ParserElement:
        arguments = pp.Suppress("(") - pp.DelimitedList(self._term) - pp.Suppress(")")
        operator = pp.one_of("= != < <= > >=").set_name("comparison")
        name = self._word.copy().set_name("predicate")
        self._atom = (name + pp.Group(pp.Opt(arguments))).set_name("predicate")
        self._atom.add_parse_action(self._placed(lambda t, p: Atom(t[0], _all(t[1]), p)))
        negated = pp.Suppress(pp.Keyword("not")) - self._atom
        negated.add_parse_action(lambda t: Literal(t[0], True))
        positive = (self._atom + ~operator).add_parse_action(lambda t: Literal(t[0]))
        compared = self._sum + operator - self._sum
        compared.add_parse_action(self._placed(lambda t, p: Comparison(t[1], t[0], t[2], p)))
        premise = pp.Forward()
        inside = pp.Group(pp.DelimitedList(self._term)) - pp.Suppress(":") - pp.Group(pp.DelimitedList(premise))
        function = pp.Regex(r"(?:count|sum|min|max)(?=\s*\()")
        counted = self._variable + pp.Suppress("=") + function - pp.Suppress("(") - inside - pp.Suppress(")")
        counted.add_parse_action(self._placed(lambda t, p: Aggregate(t[0], t[1], _all(t[2]), _all(t[3]), p)))
        premise <<= (counted | negated | positive | compared).set_name("premise")
        return pp.DelimitedList(premise)

    def _example(self) -> pp.ParserElement:
        facts = pp.Group(pp.Opt(pp.DelimitedList(self._atom)))
        gives = pp.Group(pp.Opt(pp.Suppress(pp.Keyword("gives")) - self._atom))
        example = pp.Regex(r"yes|no") - pp.Suppress(":") - facts - gives - pp.Suppress(".")
        return example.add_parse_action(self._placed(self._board))

    def _board(self, tokens: pp.ParseResults, place: Place) -> Example:
        gives = self._ground(tokens[2][0]) if tokens[2] else None
        return Example(tokens[0] == "yes", tuple(self._ground(atom) for atom in tokens[1]), gives, place)

    def _ground(self, atom: Atom) -> Fact:
        if not all(isinstance(argument, (str, int)) for argument in atom.arguments):
            raise RuleFileError([f"{atom.place}: expected a fact without variables, found {atom}"])
        return (atom.predicate, tuple(value for value in atom.arguments if isinstance(value, (str, int))))

    def _declaration(self) -> pp.ParserElement:
        kind = pp.Regex(rf"(?:{'|'.join(KINDS)})\b").set_name(f"a kind ({', '.join(KINDS)})")
        argument = pp.Group(pp.Regex(r"[A-Za-z]\w*").set_name("argument name") - pp.Suppress(":") - kind)
        arguments = pp.Group(pp.Opt(pp.Suppress("(") - pp.DelimitedList(argument) - pp.Suppress(")")))
        world = pp.Opt(pp.Keyword("given") | pp.Keyword("open"), default="derived")
        declared = world + _keyword("predicate") - self._name - arguments - pp.Suppress(".")
        make = self._placed(lambda t, p: Declaration(t[1], tuple((a[0], a[1]) for a in t[2]), t[0], p))
        return declared.add_parse_action(make)

    def _number(self, text: str, at: int, tokens: pp.ParseResults) -> RuleNumber:
        try:
            return RuleNumber.parse(tokens[0])
        except ValueError as error:
            raise self._fault(str(error), at, text) from None


def _keyword(word: str) -> pp.ParserElement:
    return pp.Suppress(pp.Keyword(word)).set_name(repr(word))


def _all(tokens: pp.ParseResults) -> tuple[Any, ...]:
    return tuple(tokens)


def _operations(tokens: pp.ParseResults) -> Any:
    """Folds `a + b - c` from the left."""
    result = tokens[0]
    for at in range(1, len(tokens), 2):
        result = Operation(tokens[at], result, tokens[at + 1])
    return result


def _choice(tokens: pp.ParseResults, place: Place) -> Choice:
    cites, label, chosen, options, bound, condition = tokens
    limit, group = (bound[0], bound[1]) if bound else (None, None)
    return Choice(cites, label, chosen, options, limit, group, _all(condition), place)


def _chunks(text: str) -> Iterator[tuple[int, str]]:
    """Each statement with the number of its first line: from a line that is not indented to the next such line."""
    text = _COMMENT.sub(lambda found: found[1] or "", text.replace("\r\n", "\n").replace("\r", "\n"))
    start, lines = 0, list[str]()
    for number, line in enumerate(text.split("\n"), 1):
        if line[:1].strip():
            if lines:
                yield start, "\n".join(lines)
            start, lines = number, []
        if line.strip() or lines:
            start = start or number
            lines.append(line.expandtabs(4))
    if lines:
        yield start, "\n".join(lines)
