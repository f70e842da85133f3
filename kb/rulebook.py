"""Knows what an edition of the Comprehensive Rules holds: sections, chapters, rules, examples, glossary, by number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from kb.number import RuleNumber


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A run of text and the lines of the source file, from 1, that it was printed on; `end` is the last of them."""

    text: str
    line: int
    end: int


@dataclass(frozen=True, slots=True)
class Example:
    """An example printed under a rule, without the word "Example:"; lines as for `Paragraph`."""

    text: str
    line: int
    end: int


@dataclass(frozen=True, slots=True)
class Heading:
    """A numbered title: a section or chapter, or an entry of the contents list (there `number` may be None)."""

    number: RuleNumber | None
    title: str
    line: int


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule or subrule: its number, its paragraphs, and the examples printed under it.

    `occurrence` is 1, or 2 for the second rule that an edition prints under the same number. `label` is the line's
    first word where the publisher slipped and it is not `standard_label` ("606.5", "901.4.All"); otherwise empty.

    >>> rule = Rule(RuleNumber.parse("702.7"), (Paragraph("First Strike", 10, 10),))
    >>> rule.heading, rule.key, rule.text
    ('First Strike', '702.7', 'First Strike')
    """

    number: RuleNumber
    paragraphs: tuple[Paragraph, ...]
    examples: tuple[Example, ...] = ()
    occurrence: int = 1
    label: str = ""

    @property
    def text(self) -> str:
        """The paragraphs, one a line, without the examples."""
        return "\n".join(paragraph.text for paragraph in self.paragraphs)

    @property
    def heading(self) -> str | None:
        """The rule's title where its text is only that, as for the keywords of 701 and 702; otherwise None."""
        return self.text if is_heading(self.number, self.text) else None

    @property
    def key(self) -> str:
        """The number, marked where an edition prints it twice: `702.175`, then `702.175~2`."""
        return rule_key(self.number, self.occurrence)


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """A glossary heading and what is said under it; `examples` are those printed inside the entry.

    >>> entry = GlossaryEntry("Life, Life Total", (Paragraph("See rule 119, “Life.”", 2, 2),), line=1)
    >>> entry.terms, entry.obsolete
    (('Life', 'Life Total'), False)
    """

    heading: str
    paragraphs: tuple[Paragraph, ...]
    line: int
    examples: tuple[Example, ...] = ()

    @property
    def text(self) -> str:
        """The paragraphs, one a line."""
        return "\n".join(paragraph.text for paragraph in self.paragraphs)

    @property
    def obsolete(self) -> bool:
        """Whether the heading marks the term as obsolete."""
        return self.heading.casefold().endswith("(obsolete)")

    @property
    def name(self) -> str:
        """The heading without the mark "(Obsolete)" or, in older editions, "(Informal)"."""
        return re.sub(r"\s*\((?:obsolete|informal)\)$", "", self.heading, flags=re.IGNORECASE)

    @property
    def terms(self) -> tuple[str, ...]:
        """Every term that the heading names; "Active Player, Nonactive Player Order" is one."""
        if re.search(r"\bOrder$|\bRule$", self.name):
            return (self.name,)
        return tuple(term.strip(' “”"') for term in re.split(r",”?\s+", self.name))

    @property
    def senses(self) -> tuple[str, ...]:
        """The numbered senses without their numbers, or the whole text where there are none."""
        parts = re.split(r"(?:^|(?<=[.”\")])\s+)(\d)\.\s+(?=\S)", self.text)
        numbered = [int(number) for number in parts[1::2]]
        if parts[0].strip() or len(numbered) < 2 or numbered != list(range(1, len(numbered) + 1)):
            return (self.text,)
        return tuple(sense.strip() for sense in parts[2::2])


@dataclass(frozen=True, slots=True)
class Source:
    """The file a rulebook was read from: its name (never a folder), size in bytes, SHA-256 and how it was encoded."""

    name: str
    size: int
    sha256: str
    encoding: str


@dataclass(frozen=True)
class Rulebook(Mapping[RuleNumber, Rule]):
    """One edition, immutable: a mapping from number to rule in the order of the book, with the parts around the rules.

    `heads` are the unnumbered headings of the parts ("Introduction", "Glossary"), `ornaments` lines that only draw.
    `effective` is the date the text gives for itself. Where an edition prints a number twice, the mapping holds the
    first such rule and `rules` both.
    """

    effective: date
    source: Source
    heads: tuple[Heading, ...]
    front: tuple[Paragraph, ...]
    introduction: tuple[Paragraph, ...]
    contents: tuple[Heading, ...]
    sections: tuple[Heading, ...]
    chapters: tuple[Heading, ...]
    rules: tuple[Rule, ...]
    glossary: tuple[GlossaryEntry, ...]
    index: tuple[Paragraph, ...]
    credits: tuple[Paragraph, ...]
    ornaments: tuple[Paragraph, ...] = ()

    def __getitem__(self, number: RuleNumber) -> Rule:
        return self._by_number[number]

    def __iter__(self) -> Iterator[RuleNumber]:
        return iter(self._by_number)

    def __len__(self) -> int:
        return len(self._by_number)

    def __repr__(self) -> str:
        return f"<Rulebook {self.edition}: {len(self.rules)} rules>"

    @property
    def edition(self) -> str:
        """The edition's name: its effective date as YYYY-MM-DD."""
        return self.effective.isoformat()

    @property
    def outline(self) -> bool:
        """Whether only the facts of the edition are here and not its text."""
        return not any(rule.text and not rule.heading for rule in self.rules)

    @cached_property
    def _by_number(self) -> dict[RuleNumber, Rule]:
        return {number: rules[0] for number, rules in self.occurrences.items()}

    @cached_property
    def occurrences(self) -> dict[RuleNumber, tuple[Rule, ...]]:
        """Every rule that bears a number: one, or two where the publisher gave it twice."""
        found: dict[RuleNumber, list[Rule]] = {}
        for rule in self.rules:
            found.setdefault(rule.number, []).append(rule)
        return {number: tuple(rules) for number, rules in found.items()}

    @cached_property
    def titles(self) -> dict[RuleNumber, str]:
        """The titles of sections, chapters and headed rules, by number."""
        titled = {head.number: head.title for head in (*self.sections, *self.chapters) if head.number}
        titled.update({rule.number: rule.heading for rule in self.rules if rule.heading})
        return titled

    @cached_property
    def children(self) -> dict[RuleNumber, tuple[RuleNumber, ...]]:
        """For each number the next narrower ones in the order of the book."""
        below: dict[RuleNumber, list[RuleNumber]] = {}
        heads = [head.number for head in (*self.sections, *self.chapters) if head.number]
        for number in dict.fromkeys([*heads, *self]):
            if number.parent is not None:
                below.setdefault(number.parent, []).append(number)
        return {number: tuple(narrower) for number, narrower in below.items()}

    @cached_property
    def terms(self) -> dict[str, GlossaryEntry]:
        """Glossary entries by every term of their heading, in `plain` form."""
        found: dict[str, GlossaryEntry] = {}
        for entry in self.glossary:
            for term in (entry.heading, entry.name, *entry.terms):
                found.setdefault(plain(term), entry)
        return found

    def holds(self, number: RuleNumber) -> bool:
        """Whether the edition has a section, chapter, rule or subrule of that number."""
        return number in self._by_number or number in self.titles


def plain(title: str) -> str:
    """A title without case, quotation marks and punctuation, in which authors and readers vary.

    >>> plain("Intervening “If” Clause"), plain("Start Your Engines!")
    ('intervening if clause', 'start your engines')
    """
    return " ".join(re.findall(r"\w+|∞", re.sub(r"['’]", "", title.casefold())))


def is_heading(number: RuleNumber, text: str) -> bool:
    """Whether the text of rule `number` is only its title: short, in capitals, and no sentence.

    >>> is_heading(RuleNumber.parse("702.7"), "First Strike"), is_heading(RuleNumber.parse("100.4"), "Play is free.")
    (True, False)
    """
    if number.level != "rule" or len(text) > 60 or re.search(r"\n|[.:;”\"]$|[.”\"]\)$|\. ", text):
        return False
    return bool(text) and (text[0].isupper() or not text[0].isalpha())


def standard_label(number: RuleNumber) -> str:
    """The number as the book prints it before the text: a rule's with a period, a subrule's without.

    >>> standard_label(RuleNumber.parse("702.7")), standard_label(RuleNumber.parse("702.7a"))
    ('702.7.', '702.7a')
    """
    return str(number) if number.letter else f"{number}."


def rule_key(number: RuleNumber, occurrence: int) -> str:
    """The name of a rule inside its edition: its number, and `~2` for the second one that bears it."""
    return str(number) if occurrence == 1 else f"{number}~{occurrence}"
