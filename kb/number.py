"""Knows how a rule is numbered: section 7, chapter 702, rule 702.2, subrule 702.2b, and their order in the book."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import total_ordering

LETTERS = "abcdefghijkmnpqrstuvwxyz"
"""The letters a subrule may bear: the rules leave out l and o, which look like 1 and 0."""

_PRINTED = re.compile(r"([1-9])(?:(\d\d)(?:\.([1-9]\d{0,2})([a-z]{0,2}))?)?")
_RECOGNISED = re.compile(
    r"\s*(?:(?:the\s+)?(?:comprehensive\s+rules?|cr|rules?|sections?|chapters?|subrules?|§+)[\s.:#]*)*"
    r"([1-9](?:\d\d(?:\.\d{1,3}\s?[a-z]{0,2})?)?)[\s.,:;]*",
    re.IGNORECASE,
)


@total_ordering
@dataclass(frozen=True, slots=True)
class RuleNumber:
    """Section 7, chapter 702, rule 702.2 or subrule 702.2b; sorts as a reader turns the pages.

    `section` is 1 to 9; `chapter` the three-digit number or 0; `rule` the number after the point or 0;
    `letter` one or two of `LETTERS` or empty.

    >>> RuleNumber.parse("702.2") < RuleNumber.parse("702.10") < RuleNumber.parse("702.10a")
    True
    >>> RuleNumber.parse("704.5z") < RuleNumber.parse("704.5aa") < RuleNumber.parse("704.6")
    True
    >>> [str(above) for above in RuleNumber.parse("702.10b").ancestors]
    ['702.10', '702', '7']
    >>> RuleNumber.parse("702.1l")
    Traceback (most recent call last):
    ValueError: '702.1l' is not a rule number: subrule letters skip 'l' and 'o'
    """

    section: int
    chapter: int = 0
    rule: int = 0
    letter: str = ""

    @classmethod
    def parse(cls, text: str) -> RuleNumber:
        """The number printed as `text`, exactly; the inverse of `str`.

        Raises `ValueError` that says what is wrong with the text.

        >>> RuleNumber.parse("704.5aa")
        RuleNumber.parse('704.5aa')
        >>> RuleNumber.parse("702.07")
        Traceback (most recent call last):
        ValueError: '702.07' is not a rule number: expected a form like 7, 702, 702.7 or 702.7a
        """
        printed = _PRINTED.fullmatch(text) if text.isascii() else None
        if printed is None:
            raise ValueError(f"{text!r} is not a rule number: expected a form like 7, 702, 702.7 or 702.7a")
        section, rest, rule, letter = printed.groups()
        if letter and not set(letter) <= set(LETTERS):
            raise ValueError(f"{text!r} is not a rule number: subrule letters skip 'l' and 'o'")
        return cls(int(section), int(section + rest) if rest else 0, int(rule or 0), letter or "")

    @classmethod
    def recognise(cls, text: str) -> RuleNumber | None:
        """The number that a person means by `text`, with the words and marks people put around it, or None.

        >>> [str(RuleNumber.recognise(said)) for said in ("CR 702.7", "rule 702.7.", "702.7A", "Section 7")]
        ['702.7', '702.7', '702.7a', '7']
        >>> RuleNumber.recognise("flying") is None
        True
        """
        said = _RECOGNISED.fullmatch(text)
        if said is None:
            return None
        try:
            return cls.parse(re.sub(r"\s", "", said[1]).lower())
        except ValueError:
            return None

    def __str__(self) -> str:
        if not self.chapter:
            return str(self.section)
        return f"{self.chapter}.{self.rule}{self.letter}" if self.rule else str(self.chapter)

    def __repr__(self) -> str:
        return f"RuleNumber.parse({str(self)!r})"

    @property
    def order(self) -> tuple[int, int, int, int, str]:
        """The sort key: `z` comes before `aa`, as in the book."""
        return (self.section, self.chapter, self.rule, len(self.letter), self.letter)

    def __lt__(self, other: RuleNumber) -> bool:
        return self.order < other.order

    @property
    def parent(self) -> RuleNumber | None:
        """The next wider number: 702.10 for 702.10b, 7 for 702, None for a section."""
        if self.letter:
            return RuleNumber(self.section, self.chapter, self.rule)
        if self.rule:
            return RuleNumber(self.section, self.chapter)
        return RuleNumber(self.section) if self.chapter else None

    @property
    def ancestors(self) -> tuple[RuleNumber, ...]:
        """Every wider number, nearest first."""
        above = self.parent
        return () if above is None else (above, *above.ancestors)

    @property
    def level(self) -> str:
        """`section`, `chapter`, `rule` or `subrule`."""
        if self.letter:
            return "subrule"
        return "rule" if self.rule else "chapter" if self.chapter else "section"

    @property
    def next(self) -> RuleNumber | None:
        """The number that follows at the same level, whether or not an edition has it; None after section 9.

        >>> str(RuleNumber.parse("702.22k").next), str(RuleNumber.parse("704.5z").next)
        ('702.22m', '704.5aa')
        """
        if self.letter:
            return RuleNumber(self.section, self.chapter, self.rule, _next_letter(self.letter))
        if self.rule:
            return RuleNumber(self.section, self.chapter, self.rule + 1)
        if self.chapter:
            return RuleNumber(self.section, self.chapter + 1) if self.chapter % 100 < 99 else None
        return RuleNumber(self.section + 1) if self.section < 9 else None


def _next_letter(letter: str) -> str:
    """The letters after `letter`: b after a, m after k, aa after z."""
    last = LETTERS.index(letter[-1])
    if last + 1 < len(LETTERS):
        return letter[:-1] + LETTERS[last + 1]
    return (_next_letter(letter[:-1]) if letter[:-1] else LETTERS[0]) + LETTERS[0]
