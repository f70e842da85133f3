"""Knows how proofs and answers are printed for people: as indented text and as Markdown, repeated steps only once,
and without what goes without saying."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from query.predicate.absent import Attempt
from query.predicate.answer import Answer, Declaration
from query.predicate.proof import Proof
from query.predicate.proof_fold import folded, origin, read_aloud
from query.predicate.syntax import Fact, Literal, show_fact

DEEPEST = 60
"""How far steps are indented: what is deeper is printed at this depth."""

_KINDS = {
    "given": "given",
    "absent": "nothing says so",
    "arithmetic": "reckoned",
    "count": "counted",
    "optimum": "best",
}


_LEFT_OUT = "(the course of the steps and what merely lasts are left out; the JSON and Turtle forms have every step)"


def proof_lines(proof: Proof) -> Iterator[tuple[int, str, str]]:
    """Each line of a proof: its depth, what holds, and what it rests on (`rule 702.9b flying`, `given`, ...)."""
    seen: set[int] = set()
    waiting: list[tuple[int, Proof | Attempt]] = [(0, proof)]
    while waiting:
        depth, part = waiting.pop()
        if isinstance(part, Attempt):
            yield depth, f"rule {part.clause.cites} {part.clause.label} would give it, but {_hindrance(part)}", ""
            if part.because is not None and not _idle(part.because):
                waiting.append((depth + 1, part.because))
            continue
        began = origin(part)
        again = id(began) in seen and bool(began.premises or began.attempts)
        seen.add(id(began))
        yield (
            depth,
            part.text,
            "shown above" if again else _reason(began) + (" (and lasts)" if began is not part else ""),
        )
        if not again:
            below: list[Proof | Attempt] = [*read_aloud(part), *(one for one in began.attempts if one.because)]
            waiting.extend((depth + 1, one) for one in reversed(below))


def _hindrance(attempt: Attempt) -> str:
    """What stood against a clause, said as it is: what should be lacking holds, what should hold is lacking.

    >>> from query.predicate.language import Reader
    >>> clause = Reader().statements("rule 509.1b x: can(B) if not held(B, _), N = 2, N > 3.", "a.rules")[0]
    >>> [_hindrance(Attempt(clause, premise)) for premise in clause.premises]
    ['held(B, _) holds', 'N = 2 is not so', 'N > 3 is not so']
    """
    failed = attempt.failed
    if not isinstance(failed, Literal):
        return f"{attempt.text} is not so"
    return f"{failed.atom} {'holds' if failed.negated else 'does not'}"


def proof_text(proof: Proof) -> str:
    """A proof as indented text, one step a line."""
    lines = [(min(depth, DEEPEST) * "  " + says, reason) for depth, says, reason in proof_lines(proof)]
    width = min(max((len(says) for says, _ in lines), default=0), 72)
    text = "\n".join(f"{says:<{width}}  {reason}".rstrip() for says, reason in lines)
    return f"{text}\n{_LEFT_OUT}" if folded(proof) else text


def proof_markdown(proof: Proof, link: Callable[[str], str] | None = None) -> str:
    """A proof as a Markdown list; `link` gives the address of a rule by its number."""
    lines = []
    for depth, says, reason in proof_lines(proof):
        indent = min(depth, DEEPEST) * "  "
        lines.append(f"{indent}- `{says}`" + (f" — {_linked(reason, link)}" if reason else ""))
    if folded(proof):
        lines.extend(["", _LEFT_OUT])
    return "\n".join(lines)


def answer_text(answer: Answer, why: bool = False) -> str:
    """An answer as text: the value, the rules, what is missing, and, with `why`, the proof."""
    return "\n".join(_answer(answer, why, proof_text))


def answer_markdown(answer: Answer, why: bool = False, link: Callable[[str], str] | None = None) -> str:
    """An answer as Markdown."""
    head, *rest = _answer(answer, why, lambda proof: proof_markdown(proof, link))
    return "\n".join([f"**{head}**", "", *rest])


def declaration_lines(found: Declaration) -> Iterator[str]:
    """What there is to say of a declaration."""
    yield f"declared: {facts_text(found.made)}"
    for proof in found.unlawful:
        yield f"breaks rule {proof.cites} {proof.clause.label if proof.clause else ''}: {proof.text}"
    bound = "at most" if found.proven else "at least"
    if found.proven and not found.optimum:
        yield "requirements obeyed: there are none that a legal declaration could obey"
    else:
        yield f"requirements obeyed: {found.obeyed} of {bound} {found.optimum}"
        yield from (f"missed: {show_fact(fact)}" for fact in found.missed)
        yield f"one that obeys {found.optimum}: {facts_text(found.witness)}"
    if found.legal:
        yield f"legal declarations{' (some of them)' if found.more else ''}:"
        yield from (f"  {facts_text(one)}" for one in found.legal)


def facts_text(facts: Sequence[Fact]) -> str:
    """Facts in a row; `nothing` for none."""
    return ", ".join(map(show_fact, facts)) or "nothing"


def _answer(answer: Answer, why: bool, shown: Callable[[Proof], str]) -> Iterator[str]:
    yield f"{answer.question}: {answer.value}"
    if answer.found and any(show_fact(fact) != answer.question for fact in answer.found):
        yield from (f"  {show_fact(fact)}" for fact in answer.found)
    if answer.declaration is not None:
        yield from declaration_lines(answer.declaration)
    for text in answer.missing:
        yield f"not known: {text}"
    if answer.citations:
        yield f"rests on rules {', '.join(map(str, sorted(answer.citations)))}" + (
            f" ({answer.edition})" if answer.edition else ""
        )
    if answer.branches > 1:
        yield f"followed {answer.branches} ways of making the choices that are left open"
    if answer.not_encoded:
        yield "not encoded, and so not taken into account:"
        yield from (f"  {text}" for text in answer.not_encoded)
    for proof in answer.proofs if why else ():
        yield ""
        yield shown(proof)


def _reason(step: Proof) -> str:
    if step.clause is not None:
        return f"rule {step.clause.cites} {step.clause.label}"
    return _KINDS.get(step.kind, step.kind)


def _idle(step: Proof) -> bool:
    """A lack of which there is nothing more to say than the line above it said."""
    return step.kind == "absent" and not any(one.because for one in step.attempts)


def _linked(reason: str, link: Callable[[str], str] | None) -> str:
    word, _, rest = reason.partition(" ")
    number, _, label = rest.partition(" ")
    return f"[rule {number}]({link(number)}) {label}" if link and word == "rule" else reason
