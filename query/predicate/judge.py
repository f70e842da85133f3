"""Knows how a question about a board is answered: in every branch of what is left open, with the proof of
one of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

from query.predicate.answer import UNDETERMINED, Answer
from query.predicate.atom import QuestionError, parse_atom
from query.predicate.board import Board
from query.predicate.board_facts import board_facts, unknown_keywords
from query.predicate.board_gaps import board_gaps
from query.predicate.branches import Branch, branches
from query.predicate.declaration import DECLARATIONS, declared
from query.predicate.derive import Deriver
from query.predicate.fitting import near
from query.predicate.gap import filled, fillings
from query.predicate.limits import LimitError, Limits
from query.predicate.number_gaps import assumed_life
from query.predicate.program import Program, load
from query.predicate.stack_facts import unread_targets
from query.predicate.syntax import Atom, Fact, Variable
from query.predicate.world import World, alike, found, subsets, weighed


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
            answer = self._unsure(board, facts, declared(self.deriver, facts, asked, cap, limits), limits)
        else:
            atom = self.question(facts, question)
            answer = self._atom(board, facts, atom, limits)
            if (life := assumed_life(board)) and "life_now" in self.program.needed([atom.predicate]):
                answer = replace(answer, missing=(*answer.missing, life))
        return _completed(answer, board, self.edition)

    def _unsure(self, board: Board, facts: Sequence[Fact], answer: Answer, limits: Limits) -> Answer:
        """An answer about a declaration, undetermined if a gap changes which attacks or blocks are possible."""
        allowed = Atom(
            "can_block" if answer.question == "legal_blocks" else "can_attack", (Variable("X"), Variable("Y"))
        )
        if not any(gap.predicates & self.program.needed([allowed.predicate]) for gap in board_gaps(board)):
            return answer
        missing = self._atom(board, facts, allowed, limits).missing
        return replace(answer, value=UNDETERMINED, missing=(*answer.missing, *missing)) if missing else answer

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
        needed = self.program.needed([atom.predicate])
        gaps = [gap for gap in board_gaps(board) if gap.predicates & needed]
        worlds: list[World] = []
        try:
            for filling, chosen in product(fillings(gaps), subsets(unknown)):
                known = (*filled(gaps, filling), *chosen)
                for branch in branches(self.deriver, [*facts, *known], [atom.predicate], limits):
                    holds, like = found(branch.model, atom), found(branch.model, alike(atom)) if gaps else ()
                    assumed = (*chosen, *branch.assumed)
                    worlds.append(World(assumed, branch, holds, like, filling, filled(gaps, filling)))
            return weighed(atom, worlds, unknown, gaps)
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


def _fact(atom: Atom) -> Fact:
    return atom.predicate, tuple(term for term in atom.arguments if isinstance(term, (str, int)))


def _completed(answer: Answer, board: Board, edition: str) -> Answer:
    players = [player.name for player in board.players]
    targets = (f'{one.id}: target "{words}"' for one in board.stack for words in unread_targets(one, players))
    beyond = (*board.not_encoded, *unknown_keywords(board), *targets)
    return replace(answer, not_encoded=beyond, edition=edition or board.edition)
