"""Knows how the whole of a combat is told: one line for each thing that happens, with the rules it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from query.predicate.board import Board
from query.predicate.branches import Branch, branches
from query.predicate.judge import Judge
from query.predicate.limits import LimitError
from query.predicate.proof import Proof, prover
from query.predicate.proof_fold import course
from query.predicate.proof_text import facts_text, proof_text
from query.predicate.relation import Row
from query.predicate.syntax import Fact

Say = Callable[[Row], str]

EVENTS: dict[str, Say] = {
    "becomes_blocked_by": lambda r: f"{r[1]} blocks {r[0]}",
    "attack_boost": lambda r: f"{r[0]} gets {r[4]:+}/{r[5]:+} ({r[2]} of {r[1]})",
    "attack_counter": lambda r: f"{r[0]} gets a +1/+1 counter ({r[2]} of {r[1]})",
    "must_sacrifice": lambda r: f"{r[0]} sacrifices {r[3]} permanents (annihilator of {r[1]})",
    "block_boost": lambda r: f"{r[0]} gets {r[4]:+}/{r[5]:+} ({r[2]} of {r[1]})",
    "dealt": lambda r: f"{r[1]} deals {r[3]} to {r[2]}",
    "prevented": lambda r: f"damage from {r[1]} to {r[2]} is prevented",
    "life_lost": lambda r: f"{r[1]} loses {r[2]} life ({r[3]})",
    "life_gained": lambda r: f"{r[1]} gains {r[2]} life ({r[3]})",
    "poison_given": lambda r: f"{r[1]} gets {r[2]} poison counters ({r[3]})",
    "counter_put": lambda r: f"{r[1]} gets {r[3]} {r[2]} counters ({r[4]})",
    "regenerates": lambda r: f"{r[1]} regenerates",
    "put_into_graveyard": lambda r: f"{r[1]} dies ({r[2]})",
    "becomes_unattached": lambda r: f"{r[1]} becomes unattached",
    "returns": lambda r: f"{r[1]} returns with a {r[2]} counter",
    "lost": lambda r: f"{r[1]} loses the game ({r[2]})",
}
"""How each event is told; those with a stage come in the order of the stages."""

_STAGED = ("dealt", "prevented", "life_lost", "life_gained", "poison_given", "counter_put", "regenerates",
           "put_into_graveyard", "becomes_unattached", "returns", "lost")  # fmt: skip


@dataclass(frozen=True, slots=True)
class CombatLine:
    """One thing that happens: in which step, what, and why."""

    step: str
    says: str
    proof: Proof

    @property
    def citations(self) -> str:
        """The rules of the stage in which it happens, which are what a player would be told: neither those of how
        the stage came about nor those of what lasts into it."""
        near: dict[Proof, None] = {self.proof: None}
        for step in (waiting := [self.proof]):
            fresh = [
                below for below in step.premises if below not in near and below.kind != "round" and not course(below)
            ]
            near.update(dict.fromkeys(fresh))
            waiting.extend(fresh)
        return ", ".join(dict.fromkeys(str(step.cites) for step in near if step.cites))


@dataclass(frozen=True, slots=True)
class CombatStory:
    """What happens under one way of making the choices that are left open; `open` says what is still undecided."""

    assumed: tuple[Fact, ...]
    lines: tuple[CombatLine, ...]
    open: tuple[str, ...]


def combat_lines(judge: Judge, board: Board, cap: int = 12) -> list[CombatStory]:
    """The combat on a board, once for each way of making the choices it leaves open, at most `cap` of them.

    Where a limit of the judge is met, the last story tells which, and nothing else.
    """
    limits = judge.limits.begun()
    facts = judge.facts(board)
    wanted = [name for name in (*EVENTS, "life_after", "survives") if name in judge.program.declarations]
    stories = []
    try:
        for branch in branches(judge.deriver, facts, wanted, limits):
            stories.append(CombatStory(branch.assumed, tuple(_lines(branch)), branch.open))
            if len(stories) >= cap:
                break
    except LimitError as error:
        stories.append(CombatStory((), (), (str(error),)))
    return stories


def combat_text(stories: Sequence[CombatStory], form: str, why: bool, edition: str) -> str:
    """The stories as text, Markdown or JSON."""
    if form == "json":
        import json

        return json.dumps(
            {"edition": edition, "stories": [_json(story) for story in stories]}, ensure_ascii=False, indent=2
        )
    if form == "ttl":
        return "\n".join(_turtle(story, edition) for story in stories)
    blocks = [_table(story, why, len(stories) > 1, form == "md") for story in stories]
    return "\n\n".join([*blocks, f"rules of {edition}"])


def _lines(branch: Branch) -> Iterator[CombatLine]:
    model, prove = branch.model, prover(branch.model)
    steps = {row[0]: str(row[1]) for row in model.rows("step")}
    for name, say in EVENTS.items():
        if name not in _STAGED and name in model.relations:
            step = "declare blockers" if name in ("block_boost", "becomes_blocked_by") else "declare attackers"
            for row in model.rows(name):
                yield CombatLine(step, say(row), prove((name, row)))
    staged = [(row[0], at, name, row) for at, name in enumerate(_STAGED) for row in model.rows(name)]
    for stage, _, name, row in sorted(staged, key=lambda one: (one[0], one[1], str(one[3]))):
        yield CombatLine(steps.get(stage, ""), EVENTS[name](row), prove((name, row)))
    for row in model.rows("life_after"):
        yield CombatLine("after combat", f"{row[0]} has {row[1]} life", prove(("life_after", row)))


def _table(story: CombatStory, why: bool, several: bool, markdown: bool) -> str:
    head = [f"if {facts_text(story.assumed)}:"] if several and story.assumed else []
    head += [f"undecided: {text}" for text in story.open]
    rows = [(line.step, line.says, line.citations) for line in story.lines]
    if markdown:
        body = ["| step | what happens | rules |", "|---|---|---|", *(f"| {a} | {b} | {c} |" for a, b, c in rows)]
    else:
        widths = [max((len(row[at]) for row in rows), default=0) for at in (0, 1)]
        body = [f"{a:<{widths[0]}}  {b:<{widths[1]}}  {c}" for a, b, c in rows]
    proofs = [f"\n{line.says}\n{proof_text(line.proof)}" for line in story.lines] if why else []
    return "\n".join([*head, *body, *proofs])


def _json(story: CombatStory) -> dict[str, object]:
    lines = [{"step": line.step, "says": line.says, "citations": line.citations.split(", ")} for line in story.lines]
    return {"assumed": facts_text(story.assumed), "undecided": list(story.open), "lines": lines}


def _turtle(story: CombatStory, edition: str) -> str:
    from query.predicate.answer import YES, Answer
    from query.predicate.proof_data import answer_turtle

    return "\n".join(answer_turtle(Answer(line.says, YES, line.proof, edition=edition)) for line in story.lines)
