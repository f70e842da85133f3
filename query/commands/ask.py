"""Knows the commands that judge a board: `ask`, `combat` and `lint-rules`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kb.errors import SeeruleError
from query.commands.options import edition_option, home_option, settings

if TYPE_CHECKING:
    from query.card_entry import CardEntry
    from query.predicate.answer import Answer
    from query.predicate.board import Board
    from query.predicate.flips import Flips
    from query.predicate.judge import Judge
    from query.predicate.limits import Limits

_FORMATS = click.Choice(["text", "json", "md", "ttl"])
_BOARD = click.argument("board", type=click.Path(path_type=Path))
_RULES = click.option("--rules", multiple=True, type=click.Path(path_type=Path), help="A rule file of your own.")
_SECONDS = click.option("--seconds", default=4.0, show_default=True, help="When to give up.")
_FORMAT = click.option("--format", "form", type=_FORMATS, default="text", help="How the answer is printed.")


@click.command()
@_BOARD
@click.argument("question")
@click.option("--why", is_flag=True, help="Print the proof.")
@click.option("--why-not", is_flag=True, help="Print the smallest change that would flip the answer.")
@click.option("--cap", default=10, show_default=True, help="How many legal declarations are listed at most.")
@_SECONDS
@_RULES
@_FORMAT
@home_option
@edition_option
def ask(
    board: Path,
    question: str,
    why: bool,
    why_not: bool,
    cap: int,
    seconds: float,
    rules: tuple[Path, ...],
    form: str,
) -> None:
    """Answer a QUESTION about the BOARD in a YAML, JSON or Turtle file.

    A question is a predicate, as 'can_block(bear, drake)' or 'dies(X)', or legal_blocks, or legal_attacks.
    """
    from query.predicate.limits import Limits

    judge = _judge(rules, Limits(seconds=seconds).begun())
    said = _read(board)
    answer = judge.ask(said, question, cap)
    flips = _flips(judge, said, answer, seconds) if why_not else None
    click.echo(_shown(answer, form, why or form == "ttl", flips))


@click.command()
@_BOARD
@_RULES
@_FORMAT
@click.option("--why", is_flag=True, help="Print the proof of every line.")
@_SECONDS
@home_option
@edition_option
def combat(board: Path, rules: tuple[Path, ...], form: str, why: bool, seconds: float) -> None:
    """Work out the combat on a BOARD: what each creature deals, who dies, and by which rules."""
    from query.predicate.combat_table import combat_lines, combat_text
    from query.predicate.limits import Limits

    judge = _judge(rules, Limits(seconds=seconds).begun())
    lines = combat_lines(judge, _read(board))
    click.echo(combat_text(lines, form, why, judge.edition))


@click.command("lint-rules")
@click.option("--lock", is_flag=True, help="Write citations.lock anew from the loaded text.")
@_RULES
@home_option
@edition_option
def lint_rules(lock: bool, rules: tuple[Path, ...]) -> None:
    """Check that the rule files cite truly and that every clause bears out the boards beside it."""
    from kb.shipped import shipped
    from query.commands.options import knowledge_base
    from query.predicate.citation_lint import current_lock, lint, lock_text, read_lock
    from query.predicate.examples import broken
    from query.predicate.program import load

    program = load(rules)
    path = shipped("rules", "citations.lock")
    with knowledge_base() as base:
        rulebook = base.rulebook()
    if lock:
        if rulebook.outline:
            raise SeeruleError("the text of the rules is not loaded, so nothing can be locked: seerule build")
        path.write_text(lock_text(current_lock(program, rulebook)), encoding="utf-8")
    faults = [*broken(program), *lint(program, rulebook, read_lock(path))]
    for fault in faults:
        click.echo(fault)
    beyond = " (numbers only: the text is not loaded)" if rulebook.outline else ""
    click.echo(f"{len(program.cited)} citations of the rules of {rulebook.edition}{beyond}: {len(faults)} faults")
    if faults:
        raise SystemExit(1)


def _judge(rules: tuple[Path, ...], limits: Limits | None = None) -> Judge:
    """The judge of the shipped rules and the user's own."""
    from query.predicate.judge import judge

    return judge(rules, settings()["edition"] or "", limits)


def _read(path: Path) -> Board:
    """The board in a file; the graph is opened only if the board names a card."""
    from query.predicate.board_file import read_board
    from query.predicate.graph_cards import card_lookup

    def find(name: str) -> CardEntry:
        from query.commands.options import knowledge_base

        with knowledge_base() as base:
            return base.card(name)

    return read_board(path, card_lookup(find))


def _shown(answer: Answer, form: str, why: bool, flips: Flips | None) -> str:
    """The answer in one document of its form, with what would flip it: in Turtle, as comments."""
    if form == "ttl":
        from query.predicate.proof_data import answer_turtle

        told = "".join(f"# {line}\n" for line in flips.text.splitlines()) if flips else ""
        return answer_turtle(answer) + told
    if form == "json":
        import json

        from query.predicate.proof_data import answer_json

        data = answer_json(answer, why) | ({"why_not": flips.data()} if flips else {})
        return json.dumps(data, ensure_ascii=False, indent=2)
    from query.predicate.proof_text import answer_markdown, answer_text

    shown = answer_markdown(answer, why) if form == "md" else answer_text(answer, why)
    return f"{shown}\n{flips.text}" if flips else shown


def _flips(judge: Judge, board: Board, answer: Answer, seconds: float) -> Flips | None:
    """The smallest changes; of a declaration that is not legal, those to the nearest legal one."""
    from query.predicate.declaration import DECLARATIONS
    from query.predicate.flips import nearest
    from query.predicate.why_not import flips

    if answer.question in DECLARATIONS:
        return nearest(answer.declaration, answer.value)
    facts = judge.facts(board)
    return flips(judge.deriver, facts, judge.question(facts, answer.question), seconds=seconds)
