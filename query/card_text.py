"""Knows how cards, keywords and rulings are printed, as text or Markdown: what a source says, what was found, what
was inferred.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

import click

from query.card_entry import CardEntry, FaceEntry, FoundRuling, FoundUse, KeywordEntry, KeywordRule
from query.render import WIDTH

_MARKS = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>#|"})


@dataclass(frozen=True, slots=True)
class Style:
    """A way of printing: Markdown, or plain text with bold headings."""

    markdown: bool = False

    def heading(self, text: str, level: int = 2) -> str:
        """A heading of a level, 1 the widest."""
        return f"{'#' * level} {self.plain(text)}" if self.markdown else click.style(text, bold=True)

    def strong(self, text: str) -> str:
        """A word that matters."""
        return f"**{self.plain(text)}**" if self.markdown else f"\x02{text}\x03"

    def plain(self, text: str) -> str:
        """A text of the source, with what Markdown would take for a mark made harmless."""
        return text.translate(_MARKS) if self.markdown else text

    def item(self, text: str, depth: int = 0) -> str:
        """A line of a list; in plain text broken at the width of the page."""
        if self.markdown:
            return f"{'  ' * depth}- {text}"
        indent = "  " * (depth + 1)
        lines = textwrap.fill(
            text, WIDTH, initial_indent=indent, subsequent_indent=indent + "  ", break_long_words=False
        )
        return re.sub("\x02([^\x03]*)\x03", lambda strong: click.style(strong[1], bold=True), lines)

    def paragraph(self, text: str) -> str:
        """A paragraph of the source; a line break stays one."""
        lines = [self.plain(line) for line in text.split("\n")]
        if self.markdown:
            return "  \n".join(lines)
        return "\n".join(textwrap.fill(line, WIDTH, break_long_words=False) for line in lines)


def card_text(card: CardEntry, style: Style) -> str:
    """A card as a page."""
    parts = [style.heading(card.name, 1)]
    for face in card.faces:
        parts += _face(face, card, style)
    if card.rules:
        parts.append(
            _block(style, f"Rules of its keywords (edition of {card.edition})", _rule_items(card.rules, style))
        )
    if card.rulings:
        parts.append(_block(style, f"Rulings ({len(card.rulings)})", ruling_items(card.rulings, style, named=False)))
    parts.append(editions_read(card.edition, card.read_by, style))
    parts.append(_block(style, "Tags (facts, each with what it follows from)", _tag_items(card, style)))
    if card.legalities:
        as_of = f" as of {card.legalities_as_of}" if card.legalities_as_of else ", date not given"
        parts.append(_block(style, f"Legalities as the source has them{as_of}", _legality_items(card, style)))
    return "\n\n".join(parts)


def keyword_text(entry: KeywordEntry, style: Style) -> str:
    """A keyword as a page."""
    parts = [style.heading(f"{entry.keyword} ({entry.kind}, rule {entry.rule.number})", 1)]
    parts.append(editions_read(entry.edition, entry.read_by, style))
    parts.append("\n".join(_rule_items((entry.rule,), style)))
    family = [style.item(f"variant of {named.title} ({named.key})") for named in entry.broader]
    family += [style.item(f"has the variant {named.title} ({named.key})") for named in entry.narrower]
    if family:
        parts.append(_block(style, "Family", family))
    samples = dict(entry.samples)
    cards = [
        style.item(f"{how}: {count:,}" + (f", such as {'; '.join(samples[how])}" if samples[how] else ""))
        for how, count in entry.counts
        if count
    ]
    parts.append(_block(style, "Cards", cards or [style.item("none in the store")]))
    if entry.rulings:
        shown = f"Rulings that name it (inferred; {len(entry.rulings)} of {entry.rulings_in_all:,}, the newest)"
        parts.append(_block(style, shown, ruling_items(entry.rulings, style)))
    return "\n\n".join(parts)


def editions_read(edition: str, read_by: str, style: Style) -> str:
    """Says of which edition the rules are that are told, and by which one texts were read where that is another."""
    said = f"Rules: edition of {edition}."
    if read_by not in ("", edition):
        said += (
            f" The texts of cards and rulings were read by the keywords and terms of {read_by}; "
            "what only that edition has is numbered with its date."
        )
    return style.paragraph(said)


def ruling_items(rulings: Iterable[FoundRuling], style: Style, *, named: bool = True) -> list[str]:
    """Rulings as lines: card and date, the text, what it cites, and why it was found."""
    found = []
    for ruling in rulings:
        head = ", ".join(
            part for part in (ruling.card if named else "", ruling.date or "undated", ruling.source) if part
        )
        tail = "".join(f" [cites {key}]" for key in ruling.cites)
        tail += "".join(f" [prints {said}]" for said in ruling.unresolved)
        why = f" ({ruling.why}, confidence {ruling.confidence})" if ruling.why else ""
        text = ruling.text.replace("\n", " ")
        found.append(style.item(f"{style.strong(head)}: {style.plain(text + tail + why)}"))
    return found


def _face(face: FaceEntry, card: CardEntry, style: Style) -> Iterator[str]:
    size = f"{face.power}/{face.toughness}" if face.power is not None else face.loyalty or face.defense or ""
    head = "  ".join(part for part in (face.mana_cost, face.type_line, size) if part)
    if len(card.faces) > 1:
        yield style.heading(face.name)
    yield style.plain(head) if head else "(no cost, no type)"
    if face.text:
        yield style.paragraph(face.text)
    uses = [use for use in face.uses if use.origin != "reminder"]
    if uses:
        together = groupby(uses, key=lambda use: (use.origin, use.condition, use.recipient))
        yield _block(style, "Keywords found in the text", [_uses(list(group), style) for _, group in together], 3)


def _uses(uses: list[FoundUse], style: Style) -> str:
    """Uses that the text has in one way as a line: each as the text has it, its rule and family, and how it is had."""
    said = []
    for use in uses:
        name = "" if use.quote.casefold().startswith(use.keyword.casefold()) else f"{use.keyword} "
        family = "".join(f" → {named.title} {named.key}" for named in use.family)
        said.append(f"{style.strong(use.quote)} ({style.plain(name + use.number + family)})")
    first = uses[0]
    details = [f"given to «{first.recipient}»"] if first.recipient else []
    details += [f"«{first.condition}»"] if first.condition else []
    how = f"{first.origin}, {', '.join(details)}" if details else first.origin
    return style.item(f"{', '.join(said)}: {style.plain(how)}")


def _rule_items(rules: Iterable[KeywordRule], style: Style) -> list[str]:
    found = []
    for rule in rules:
        found.append(style.item(style.strong(f"{rule.number} {rule.title or rule.keyword}")))
        found += [
            style.item(style.plain(f"{part.key} {part.text or ''}".strip()), 1) for part in rule.text if part.text
        ]
        if rule.more:
            edition, _, number = rule.number.rpartition("/")
            at = f"{number} --edition {edition}" if edition else number
            found.append(style.item(f"and {rule.more} more: seerule show {at}", 1))
    return found


def _tag_items(card: CardEntry, style: Style) -> list[str]:
    groups: dict[str, list[str]] = {}
    for tag in card.tags:
        source = ", ".join(part for part in (f"rule {tag.rule}" if tag.rule else "", tag.field or "") if part)
        groups.setdefault(tag.group, []).append(f"{tag.label} [{source}]" if source else tag.label)
    return [style.item(f"{style.strong(group)}: {style.plain('; '.join(labels))}") for group, labels in groups.items()]


def _legality_items(card: CardEntry, style: Style) -> list[str]:
    by_status: dict[str, list[str]] = {}
    for form, status in card.legalities:
        by_status.setdefault(status, []).append(form)
    return [style.item(f"{style.strong(status)}: {', '.join(forms)}") for status, forms in by_status.items()]


def _block(style: Style, title: str, items: Iterable[str], level: int = 2) -> str:
    return "\n".join([style.heading(title, level), *([""] if style.markdown else []), *items])
