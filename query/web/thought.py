"""Knows the questions that are answered aside: which rules govern a text, and what is true of a board.

Every function here takes and gives plain values, since it runs in another process than its caller.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from kb.errors import SeeruleError
from query.knowledge_base import KnowledgeBase
from query.web.addresses import document
from query.web.aside import Fault

BOARD_SECONDS = 4.0
FLIP_SECONDS = 2.0


@lru_cache(maxsize=2)
def _base(location: str, edition: str) -> KnowledgeBase:
    from query.open_index import vectors_folder

    base = KnowledgeBase.open(location, edition)
    folder = vectors_folder(base.store)
    if folder is None or not any(folder.glob("*.npz")):
        base.semantic = False  # reading the meaning of every rule takes a minute, which nobody would wait for
    return base


def cite(
    location: str, edition: str, site: str, text: str, answer: str, cards: Sequence[str]
) -> dict[str, Any] | Fault:
    """The rules that govern a text, each with its title, words, confidence, evidence, and how it is cited: with links
    to the pages of `site`, which can be followed.
    """
    from query.citation import FORMATS

    try:
        base = _base(location, edition)
        cited = base.cite(text, answer, cards)
        found = []
        for one in cited.citations:
            citation = base.citation(one.rule)
            citation = replace(citation, iri=f"{site}{document(citation.number, edition)}")
            said = one.as_json() | {"title": citation.title, "text": citation.text}
            found.append(said | {"formats": {name: write(citation) for name, write in FORMATS.items()}})
        return {"text": cited.text, "citations": found}
    except SeeruleError as error:
        return Fault(str(error))


def ask(location: str, edition: str, board: str, notation: str, question: str, *, flip: bool) -> dict[str, Any] | Fault:
    """The answer to a question about a board with its proof; with `flip` also the smallest changes that flip it."""
    from query.predicate.judge import judge
    from query.predicate.limits import Limits
    from query.predicate.proof_data import answer_json
    from query.predicate.why_not import flips

    try:
        said = _read(location, edition, board, notation)
        judging = judge(edition=edition, limits=Limits(seconds=BOARD_SECONDS))
        answer = judging.ask(said, question)
        found = {"proof": [], "declaration": None, "flips": None} | answer_json(answer, why=True)
        if flip and answer.declaration is None:
            facts = judging.facts(said)
            changes = flips(judging.deriver, facts, judging.question(facts, answer.question), seconds=FLIP_SECONDS)
            found["flips"] = [[str(change) for change in one] for one in changes.sets]
        return found
    except SeeruleError as error:
        return Fault(str(error))


def combat(location: str, edition: str, board: str, notation: str) -> list[dict[str, Any]] | Fault:
    """What happens in the combat on a board, in each way of making the choices left open, with the rules."""
    from query.predicate.combat_table import combat_lines
    from query.predicate.judge import judge
    from query.predicate.limits import Limits
    from query.predicate.proof_text import facts_text

    try:
        judging = judge(edition=edition, limits=Limits(seconds=BOARD_SECONDS))
        stories = combat_lines(judging, _read(location, edition, board, notation))
        return [
            {"assumed": facts_text(story.assumed), "open": story.open, "lines": _told(story.lines)} for story in stories
        ]
    except SeeruleError as error:
        return Fault(str(error))


def _told(lines: Sequence[Any]) -> list[dict[str, Any]]:
    return [{"step": line.step, "says": line.says, "rules": line.citations.split(", ")} for line in lines]


def _read(location: str, edition: str, board: str, notation: str) -> Any:
    from query.predicate.board_file import parse_board
    from query.predicate.graph_cards import card_lookup

    return parse_board(board, f".{notation}", "board", card_lookup(_base(location, edition).card))
