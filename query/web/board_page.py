"""Knows the page on which a board is written and judged: the answer, its proof as a tree, what would change it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from kb.errors import SeeruleError
from kb.shipped import shipped
from query.web.answers import shown, volume_of
from query.web.entry_page import hint
from query.web.form import posted
from query.web.open_edition import OpenEdition
from query.web.problem import problem_of
from query.web.thought import ask, combat
from query.web.volume import Volume

NOTATIONS = ("yaml", "json", "ttl")
QUESTIONS = ("dies(X)", "can_block(B, A)", "legal_blocks", "legal_attacks", "survives(X)")
"""Questions to begin with."""

_READY = {"blocks": "legal_blocks", "attacks": "legal_attacks"}
"""Questions that have a button of their own."""

_DEEPEST = 40


@dataclass(slots=True)
class Step:
    """A step of a proof as the page shows it: `again` where it has been shown above."""

    says: str
    kind: str
    rule: str | None
    label: str | None
    below: list[Step] = field(default_factory=list)
    fails: str | None = None
    again: bool = False


async def judged(
    volume: Volume, edition: str, board: str, notation: str, question: str, *, flip: bool
) -> dict[str, Any]:
    """The answer to a question about a board, found aside; raises `Unanswerable` and `TookTooLong`."""
    location = volume.store.full_location
    found: dict[str, Any] = await volume.judging.run(_asked, location, edition, board, notation, question, flip)
    return found


def _asked(location: str, edition: str, board: str, notation: str, question: str, flip: bool) -> Any:
    return ask(location, edition, board, notation, question, flip=flip)


async def board(request: Request) -> Response:
    """The page: a board and a question, and once they are given the answer."""
    fields = await posted(request)
    volume = volume_of(request)
    text = fields.get("board") or example_board()
    notation = fields.get("notation", "yaml") if fields.get("notation") in NOTATIONS else "yaml"
    question = next((asked for name, asked in _READY.items() if name in fields), fields.get("question", "").strip())
    names: dict[str, Any] = {"answer": None, "stories": None, "problem": None, "tree": None, "hints": {}}
    try:
        if fields.get("combat"):
            location = volume.store.full_location
            names["stories"] = await volume.judging.run(combat, location, volume.current, text, notation)
            names["hints"] = _hints(volume.edition(), {rule for story in names["stories"] for rule in _rules(story)})
        elif question:
            names["answer"] = await judged(volume, volume.current, text, notation, question, flip="why_not" in fields)
            names["tree"] = tree(names["answer"].get("proof", []))
            names["hints"] = _hints(volume.edition(), set(_cited(names["answer"])))
    except SeeruleError as error:
        names["problem"] = problem_of(error)
    status = names["problem"].status if names["problem"] else 200
    fixed = {"board": text, "notation": notation, "question": question, "notations": NOTATIONS, "questions": QUESTIONS}
    return await shown(request, "board.html", status, here="/board", **fixed, **names)


def _rules(story: Mapping[str, Any]) -> list[str]:
    return [rule for line in story["lines"] for rule in line["rules"] if rule]


def _cited(answer: Mapping[str, Any]) -> Iterator[str]:
    """Every rule that an answer shows: of its steps, of what was tried in them, of what is unlawful, and beneath it."""
    for step in answer.get("proof", ()):
        yield from (said["rule"] for said in (step, *step["attempts"]) if said["rule"])
    yield from (one["rule"] for one in (answer.get("declaration") or {}).get("unlawful", ()) if one["rule"])
    yield from answer["citations"]


def _hints(edition: OpenEdition, rules: set[str]) -> dict[str, str]:
    """What each rule says."""
    return {rule: hint(edition.base.lookup, rule) for rule in rules if rule in edition.keys}


@cache
def example_board() -> str:
    """A board to begin with."""
    return shipped("boards", "drake.yaml").read_text(encoding="utf-8")


def tree(steps: Sequence[Mapping[str, Any]]) -> Step | None:
    """A proof's steps as a tree from its conclusion; a step that supports several others is opened once.

    >>> steps = [{"says": "a", "kind": "rule", "rule": "1", "label": "l", "premises": [1, 1], "attempts": []},
    ...          {"says": "b", "kind": "given", "rule": None, "label": None, "premises": [], "attempts": []}]
    >>> [below.again for below in tree(steps).below]
    [False, True]
    """
    return _branch(steps, 0, set(), 0) if steps else None


def _branch(steps: Sequence[Mapping[str, Any]], at: int, seen: set[int], depth: int) -> Step:
    said = steps[at]
    step = Step(said["says"], said["kind"], said["rule"], said["label"], again=at in seen)
    if step.again or depth > _DEEPEST:
        return step
    seen.add(at)
    step.below = [_branch(steps, below, seen, depth + 1) for below in said["premises"]]
    for attempt in said["attempts"]:
        because = attempt["because"]
        tried = Step(attempt["fails"], "attempt", attempt["rule"], attempt["label"], fails=attempt["fails"])
        if because is not None:
            tried.below = [_branch(steps, because, seen, depth + 1)]
        step.below.append(tried)
    return step
