"""Knows the command `cite`: one text, or many in a file, answered with the rules that govern them."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from kb.errors import SeeruleError
from kb.number import RuleNumber
from query.citation import FORMATS
from query.commands.options import answer_options, knowledge_base, print_json, wants_json

if TYPE_CHECKING:
    from query.cite import Cited, RuleCitation
    from query.knowledge_base import KnowledgeBase

_SHOWN = 5
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


@click.command()
@click.argument("text", nargs=-1)
@click.option("--card", "cards", multiple=True, metavar="NAME", help="A card that the text is about.")
@click.option("--answer", default="", help="An answer to the question, which often says which rule it rests on.")
@click.option(
    "--file", "file", type=click.File(encoding="utf-8"), help="Read the text from a file; - for standard input."
)
@click.option(
    "--batch",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Cite every line of a JSON Lines file.",
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Where the answers to --batch go.")
@click.option("--why", is_flag=True, help="Show the signals behind each citation and their share.")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    help="Print citations in a format; a number is cited as it is.",
)
@click.option("--semantic/--no-semantic", default=None, help="With or without the embedding of the extra `semantic`.")
@answer_options
def cite(
    text: tuple[str, ...],
    cards: tuple[str, ...],
    answer: str,
    file: TextIO | None,
    batch: Path | None,
    out: Path | None,
    why: bool,
    form: str | None,
    semantic: bool | None,
) -> None:
    """Name the rules that govern a ruling, a question or an answer, with the words that led there.

    Asserted citations are those that the measured precision supports; the others are candidates.
    """
    with knowledge_base() as base:
        base.semantic = semantic
        if batch is not None:
            _batch(base, batch, out)
            return
        said = (file.read() if file is not None else " ".join(text)).strip()
        if not said:
            raise SeeruleError(
                "there is nothing to cite for: give a text, --file FILE, or --batch IN.jsonl --out OUT.jsonl"
            )
        if form is not None and RuleNumber.recognise(said):
            click.echo(FORMATS[form](base.citation(said)))
            return
        cited = base.cite(said, answer, [base.card_name(card) for card in cards])
        if wants_json():
            print_json({"edition": cited.edition} | {"citations": [one.as_json() for one in cited.citations]})
        elif form is not None:
            if not cited.asserted:
                click.echo("no rule is known well enough to govern this; without --format see the candidates", err=True)
                raise SystemExit(1)
            click.echo("\n".join(FORMATS[form](base.citation(one.rule)) for one in cited.asserted))
        else:
            click.echo(cited_text(base, cited, why=why))


def cited_text(base: KnowledgeBase, cited: Cited, *, why: bool) -> str:
    """The citations of one text: the asserted ones, then candidates, each with the words that led to it."""
    parts = []
    if not cited.asserted:
        nearest = "; the nearest candidates:" if cited.citations else ", and none shares its words."
        parts.append(f"No rule is known well enough to govern this{nearest}")
    for citation in cited.citations[:_SHOWN]:
        parts.append(_citation_text(base, citation, why=why))
    parts.append(click.style(f"Comprehensive Rules, edition of {cited.edition}", dim=True))
    return "\n\n".join(parts)


def _citation_text(base: KnowledgeBase, citation: RuleCitation, *, why: bool) -> str:
    from query.render import filled

    state = click.style("asserted", fg="green") if citation.asserted else click.style("candidate", dim=True)
    cited = base.citation(citation.rule)
    head = f"{click.style(citation.rule, bold=True)} {cited.title}  {citation.confidence:.2f} {state}"
    lines = [head, filled(cited.text, "  ")] if cited.text else [head]
    lines += [f"  «{one.text}» {click.style(one.why, dim=True)}" for one in citation.evidence]
    if why:
        lines += [f"  {share:6.0%}  {signal}: {said}" for signal, said, share in shares(citation)]
    return "\n".join(lines)


def shares(citation: RuleCitation) -> Iterator[tuple[str, str, float]]:
    """Each signal with what it says and its share of all that speaks for or against the rule, the largest first."""
    from query.citing.signals import SIGNALS

    signals = citation.signals or {}
    whole = sum(abs(part) for part in signals.values()) or 1.0
    for name, part in signals.items():
        if abs(part) / whole >= 0.01:
            yield name, SIGNALS[name], part / whole


def _batch(base: KnowledgeBase, source: Path, target: Path | None) -> None:
    """An answer a line, in the order of the questions."""
    with open(source, encoding="utf-8") as lines:
        asked = [_asked(line, at, source) for at, line in enumerate(lines, 1) if line.strip()]
    editions = {base.edition: base}
    with open(target, "w", encoding="utf-8") if target else nullcontext(sys.stdout) as out:
        for item in asked:
            named = _edition(item, base)
            if named not in editions:
                editions[named] = base.of_edition(named)
            cited = editions[named].cite(item["text"], item.get("answer") or "", list(item.get("cards") or ()))
            said = {"id": item["id"], "edition": named, "citations": [one.as_json() for one in cited.citations]}
            out.write(json.dumps(said, ensure_ascii=False) + "\n")


def _edition(item: dict[str, Any], base: KnowledgeBase) -> str:
    """The edition whose numbers an item asks for: the newest in the store that is not after its `edition` or `date`."""
    asked = str(item.get("edition") or item.get("date") or base.edition)
    return max((edition for edition in base.editions if edition <= asked), default=base.edition)


def _asked(line: str, at: int, source: Path) -> dict[str, Any]:
    with suppress(ValueError, TypeError, KeyError):
        item = dict(json.loads(line))
        cards, date = item.get("cards") or [], item.get("edition") or item.get("date")
        fits = [
            isinstance(item["id"], str | int),
            isinstance(item["text"], str),
            isinstance(item.get("answer") or "", str),
            isinstance(cards, list) and all(isinstance(card, str) for card in cards),
            date is None or bool(_DATE.fullmatch(date)),
        ]
        if all(fits):
            return item
    raise SeeruleError(
        f'{source.name}, line {at}: expected an object like {{"id": "1", "text": "...", "answer": "...", '
        '"cards": ["..."], "date": "2026-01-16"}, of which only id and text are needed'
    )
