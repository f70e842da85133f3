"""Knows what the page of a card shows: its text with every keyword marked, and apart from each other what its source
says, what was found in its text, and what was inferred.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup, escape

from kb.rulebook import plain
from query.card_entry import CardEntry, FaceEntry, FoundMention, FoundRuling, FoundTag, FoundUse
from query.resting import Ground, Resting
from query.web.addresses import card_page, document
from query.web.open_edition import OpenEdition
from query.web.passage import shortened

ATTRIBUTES = frozenset({"mana cost", "mana value", "creature kind", "type"})
"""The groups of tags that repeat what the source says of a card."""

_SYMBOL = re.compile(r"\{([^{}\s]{1,5})\}")


@dataclass(frozen=True, slots=True)
class Marked:
    """A run of a card's text; one that is the use of a keyword has `use`."""

    text: str
    use: FoundUse | None = None


@dataclass(frozen=True, slots=True)
class Mentioning:
    """A run of a ruling's text; one that names a card or a term has `mention`, and the address that it leads to."""

    text: str
    mention: FoundMention | None = None
    address: str = ""


class CardPage:
    """Everything that the page of one card shows."""

    def __init__(self, edition: OpenEdition, card: CardEntry) -> None:
        self.edition, self.card = edition, card
        self._resting = Resting(edition.base.store, edition.base.names)
        self._rules = {rule.number: rule for rule in card.rules}

    def lines(self, face: FaceEntry) -> Iterator[tuple[Marked, ...]]:
        """A face's text, a line a paragraph, cut at the uses of keywords."""
        line: list[Marked] = []
        for part in _marked(face.text or "", face.uses):
            first, *others = part.text.split("\n") if part.use is None else [part.text]
            line.append(Marked(first, part.use))
            for other in others:
                yield tuple(line)
                line = [Marked(other)]
        yield tuple(line)

    def hint(self, number: str) -> str:
        """What the rule of a keyword says."""
        rule = self._rules.get(number)
        if rule is not None and rule.text:
            return shortened(" ".join(part.text or "" for part in rule.text), 480)
        named = self.edition.base.lookup.named(number, text=True)
        return shortened(named.text or named.title or "")

    def label(self, use: FoundUse) -> str:
        """Number and heading of a keyword's rule, and what it is a variant of."""
        family = "".join(f", a variant of {named.title} ({named.key})" for named in use.family)
        return f"CR {use.number} {use.title or ''}".strip() + family

    @property
    def attributes(self) -> list[tuple[str, list[FoundTag]]]:
        """The tags that say what a field of the source says, by group."""
        return [(group, found) for group, found in self._tags if group in ATTRIBUTES]

    @property
    def extracted(self) -> list[tuple[str, list[FoundTag]]]:
        """The tags that were found in the card's text and types by a rule, by group."""
        return [(group, found) for group, found in self._tags if group not in ATTRIBUTES]

    @property
    def _tags(self) -> list[tuple[str, list[FoundTag]]]:
        return [(group, list(found)) for group, found in groupby(self.card.tags, key=lambda tag: tag.group)]

    def grounds(self, ruling: FoundRuling) -> list[tuple[bool, list[Ground]]]:
        """The rules that a ruling was found to rest on, those that are likely enough before the others."""
        found = self._resting.grounds(self.edition.base.names.ruling(ruling.key))
        found = tuple(ground for ground in found if ground.rule in self.edition.keys)
        parted = [(said, [ground for ground in found if ground.asserted is said]) for said in (True, False)]
        return [(said, grounds) for said, grounds in parted if grounds]

    def title(self, number: str) -> str:
        """The heading of a rule, or of what holds it."""
        lookup = self.edition.base.lookup
        titles = [named.title for named in (*lookup.above(number), lookup.named(number)) if named.title]
        return titles[-1] if titles else ""

    @property
    def legalities(self) -> list[tuple[str, list[str]]]:
        """The formats by status."""
        by_status: dict[str, list[str]] = {}
        for form, status in self.card.legalities:
            by_status.setdefault(status, []).append(form)
        return sorted(by_status.items(), key=lambda pair: ("legal", "restricted", "banned", "not legal").index(pair[0]))

    def mentioning(self, ruling: FoundRuling) -> Iterator[Mentioning]:
        """A ruling's text, cut at what it names."""
        at = 0
        for mention in ruling.mentions:
            if mention.start < at:
                continue
            yield Mentioning(ruling.text[at : mention.start])
            said = ruling.text[mention.start : mention.end]
            yield Mentioning(said, mention, self._address(mention))
            at = mention.end
        yield Mentioning(ruling.text[at:])

    def _address(self, mention: FoundMention) -> str:
        if mention.kind == "card":
            return card_page(mention.name) if mention.name != self.card.name else ""
        keys = self.edition.base.lookup.titled.get(plain(mention.name), ())
        return document(next((key for key in keys if key.startswith("term/")), mention.name))

    def cited(self, key: str) -> str:
        """The address of a rule that a ruling cites, `2020-01-24/704.5w`."""
        return f"/cr/{key}"


def _marked(text: str, uses: tuple[FoundUse, ...]) -> Iterator[Marked]:
    at = 0
    for use in uses:
        if use.start < at:
            continue  # inside another use, which is marked already
        yield Marked(text[at : use.start])
        yield Marked(text[use.start : use.end], use)
        at = use.end
    yield Marked(text[at:])


def symbols(text: str | None) -> Markup:
    """A text with its mana and other symbols set apart.

    >>> symbols("{2}{W}, <x>")
    Markup('<span class="mana">{2}</span><span class="mana">{W}</span>, &lt;x&gt;')
    """
    return Markup(_SYMBOL.sub(r'<span class="mana">{\1}</span>', str(escape(text or ""))))
