"""Knows how a question about a board is answered: in every branch of what is left open, with the proof of
one of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from query.predicate.answer import NO, UNDETERMINED, YES, Answer
from query.predicate.atom import QuestionError, parse_atom
from query.predicate.board import Board
from query.predicate.board_facts import board_facts, unknown_keywords
from query.predicate.branches import Branch, branches
from query.predicate.declaration import DECLARATIONS, declared
from query.predicate.derive import Deriver, Model
from query.predicate.fitting import near
from query.predicate.limits import LimitError, Limits
from query.predicate.match import rows
from query.predicate.program import Program, load
from query.predicate.proof import prove
from query.predicate.refute import refute
from query.predicate.relation import Row
from query.predicate.syntax import Atom, Fact, Variable, show_fact

MOST_UNKNOWN = 6
"""How many unknown facts are tried in every combination; of more, each alone and all together."""


class Judge:
    """Answers questions with one program; it keeps what it compiled, so that a second question is quick."""

    def __init__(self, program: Program, edition: str = "", limits: Limits | None = None) -> None:
        self.deriver = Deriver(program)
        self.program = program
        self.edition = edition
        self.limits = limits or Limits()

    def ask(self, board: Board, question: str, cap: int = 10) -> Answer:
        """The answer to a question: an atom such as `can_block(bear, drake)`, or `legal_blocks`, `legal_attacks`.

        `cap`: how many legal declarations are listed at most. Raises `QuestionError` for a question that makes no
        sense on this board, `FactError` or `UnknownEffectError` for a board that does.
        """
        limits, asked = self.limits.begun(), question.strip().rstrip(".")
        facts = self.facts(board)
        if asked in DECLARATIONS:
            found = declared(self.deriver, facts, asked, cap, limits)
        else:
            found = self._atom(board, facts, self.question(facts, question), limits)
        return _completed(found, board, self.edition)

    def facts(self, board: Board) -> list[Fact]:
        """The facts of a board, checked against the program."""
        facts = board_facts(board)
        self.program.check_facts(facts)
        return facts

    def question(self, facts: Sequence[Fact], question: str) -> Atom:
        """The question as an atom whose predicate is declared and whose names are on the board."""
        atom = parse_atom(question)
        declared = self.program.declarations.get(atom.predicate)
        if declared is None:
            known = [*self.program.declarations, *DECLARATIONS]
            raise QuestionError(f"no predicate {atom.predicate!r} is declared{near(atom.predicate, known)}")
        if len(atom.arguments) != len(declared.arguments):
            count = len(declared.arguments)
            raise QuestionError(f"{declared} takes {count} arguments, found {len(atom.arguments)}")
        names = {"player": {row[0] for name, row in facts if name == "player"}}
        names["object"] = {row[0] for name, row in facts if name in ("permanent", "on_stack")}
        names["thing"] = names["player"] | names["object"]
        for term, (argument, kind) in zip(atom.arguments, declared.arguments, strict=True):
            if isinstance(term, str) and term not in names.get(kind, {term}):
                known = sorted(map(str, names[kind]))
                raise QuestionError(f"{argument}: no {kind} on the board is called {term!r}{near(term, known)}")
            if not isinstance(term, Variable) and isinstance(term, int) != (kind in ("number", "stage")):
                raise QuestionError(f"{argument} of {atom.predicate} is a {kind}, found {term!r}")
        return atom

    def branches(self, facts: Sequence[Fact], wanted: Sequence[str]) -> Iterator[Branch]:
        """Every way of making the open choices on a board."""
        return branches(self.deriver, facts, wanted, self.limits)

    def _atom(self, board: Board, facts: Sequence[Fact], atom: Atom, limits: Limits) -> Answer:
        unknown = [_fact(parse_atom(text)) for text in board.unknown]
        self.program.check_facts(unknown)
        worlds: list[_World] = []
        try:
            for chosen in _subsets(unknown):
                for branch in branches(self.deriver, [*facts, *chosen], [atom.predicate], limits):
                    worlds.append(_World((*chosen, *branch.assumed), branch, _found(branch.model, atom)))
            return _weighed(atom, worlds, unknown)
        except LimitError as error:
            return Answer(str(atom), UNDETERMINED, missing=(str(error),), branches=len(worlds))


def judge(extra: Iterable[Path] = (), edition: str = "", limits: Limits | None = None) -> Judge:
    """A judge of the shipped rule files and `extra` ones, which must cite rules that the edition has.

    What was parsed before is kept in the user's cache folder.
    """
    from platformdirs import user_cache_path

    from kb.outline import embedded_outline, read_outline

    extra, outline = tuple(extra), embedded_outline()
    numbers = read_outline(outline.read_text(encoding="utf-8"))[0] if extra else None
    program = load(extra, numbers, user_cache_path("seerule", appauthor=False))
    return Judge(program, edition or outline.stem, limits)


@dataclass(frozen=True, slots=True)
class _World:
    """One branch under one set of unknown facts, and the ways in which the question holds there."""

    assumed: tuple[Fact, ...]
    branch: Branch
    found: tuple[Row, ...]


def _found(model: Model, atom: Atom) -> tuple[Row, ...]:
    named = tuple(
        Variable(f"Any{at}") if isinstance(term, Variable) and term.anonymous else term
        for at, term in enumerate(atom.arguments)
    )
    bound = rows(model, Atom(atom.predicate, named), {})
    return tuple(
        tuple(b[term.name] if isinstance(term, Variable) else term for term in named)  # type: ignore[misc]
        for b in bound
    )


def _weighed(atom: Atom, worlds: Sequence[_World], unknown: Sequence[Fact]) -> Answer:
    """What holds in every world is certain; if worlds differ, what they differ in is missing."""
    still_open = tuple(dict.fromkeys(text for world in worlds for text in world.branch.open))
    sure = set(worlds[0].found).intersection(*(world.found for world in worlds))
    if still_open:
        sure = {row for row in sure if _settled(worlds, atom.predicate, row)}
    count = len(worlds)
    if sure:
        first = worlds[0]
        row = next(row for row in first.found if row in sure)
        certain = prove(first.branch.model, (atom.predicate, row))
        found = tuple((atom.predicate, row) for row in first.found if row in sure)
        return Answer(str(atom), YES, certain, found, branches=count, assumed=first.assumed)
    if not still_open and not any(world.found for world in worlds):
        lack = refute(worlds[0].branch.model, atom)
        return Answer(str(atom), NO, lack, branches=count, assumed=worlds[0].assumed)
    differ = [world for world in worlds if world.found] or list(worlds)
    missing = (*still_open, *_said(differ[0].assumed, "yes"), *_said(_other(worlds), "no"), *_unknown(unknown))
    model, holds = differ[0].branch.model, differ[0].found
    proof = prove(model, (atom.predicate, holds[0])) if holds else None
    return Answer(str(atom), UNDETERMINED, proof, missing=missing, branches=count, assumed=differ[0].assumed)


def _settled(worlds: Sequence[_World], predicate: str, row: Row) -> bool:
    """Whether a fact belongs to a stage that nothing still open touches."""
    declared = worlds[0].branch.model.program.declarations[predicate]
    stages = [world.branch.sure for world in worlds if world.branch.sure is not None]
    return declared.staged and int(row[0]) <= min(stages)


def _other(worlds: Sequence[_World]) -> tuple[Fact, ...]:
    return next((world.assumed for world in worlds if not world.found), ())


def _said(assumed: Sequence[Fact], value: str) -> Iterator[str]:
    if assumed:
        yield f"{value} if {', '.join(map(show_fact, assumed))}"


def _unknown(facts: Sequence[Fact]) -> Iterator[str]:
    for fact in facts:
        yield f"whether {show_fact(fact)}"


def _fact(atom: Atom) -> Fact:
    return atom.predicate, tuple(term for term in atom.arguments if isinstance(term, (str, int)))


def _subsets(unknown: Sequence[Fact]) -> Iterator[tuple[Fact, ...]]:
    """The ways in which unknown facts may hold: all combinations of a few, of more each alone and all together."""
    sizes = range(len(unknown) + 1) if len(unknown) <= MOST_UNKNOWN else (0, 1, len(unknown))
    for size in sizes:
        yield from combinations(unknown, size)


def _completed(answer: Answer, board: Board, edition: str) -> Answer:
    from dataclasses import replace

    beyond = (*board.not_encoded, *unknown_keywords(board))
    return replace(answer, not_encoded=beyond, edition=edition or board.edition)
