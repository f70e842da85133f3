"""Knows how the rulebook points at itself: the one grammar of "see rule ...", from "702.9b" to "steps 601.2a–h".

Finding is the first of two steps. A `Reference` is what a text *says*, with its span and its quote; what that
means in one edition is decided by `kb.resolution`, which may find that the target does not exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from kb.number import RuleNumber

if TYPE_CHECKING:
    import pyparsing as pp

_LEAD = r"(?:sub)?(?:rules?|sections?|chapters?|steps?)"
_AMOUNT = r"\s+(?:cards?|copies|counters?|damage|dollars|euros|life|mana|percent|players?|points?|tokens?)\b"
_DOTTED = rf"(?<![\w.$€£])(?<!\d,)(?<!deck of )(?<!decks of )[1-9]\d\d\.\d{{1,3}}(?!\d|{_AMOUNT})"
CUE = re.compile(rf"(?i)\b{_LEAD}\s*(?=\d)|\bsee(?=\s+[1-9]\d\d\b)|{_DOTTED}")
"""Where a reference may begin; cheap to look for, so that the grammar runs only there."""

_DASH = r"(?:[–—-]|\?(?=[a-z\d]))"  # some plain-text editions have lost the dash and print "?"
_CHAPTER = r"[1-9]\d\d"
_RULE = r"[1-9]\d\d\.\d{1,3}(?:[a-z]{1,2}(?!\w))?"
_THROUGH = r"\s+(?:through|to)\s+(?:rule\s+)?"  # in words only to a whole number: "to a" is no range
_END = rf"{_RULE}|\d{{1,3}}[a-z]{{0,2}}|[a-z]{{1,2}}"
_TITLE = r"“(?:[^“”]|“[^”]*”)*”|\"(?:[^\"]|(?<=[\s\"])\"\w[^\"]*\"(?=\s))*\""
_LONGEST_PHRASE = 1000
_WRITTEN = re.compile(r"([1-9])(?:(\d\d)(?:\.(\d{1,3})([a-z]{0,2}))?)?")
TERM_CUE = re.compile(r"\b[Ss]ee(?:\s+also)?\s+(?=[A-Z“\"])(?!(?i:rules?|sections?)\s+\d)")
_TERM = re.compile(
    r"(?s)(?:“.*?”|\".*?[a-z].?\"(?=[.;)]|$|\s+[a-z])|[^.;)])*?(?=\s+and\s+(?:section|rule)s?\s+\d|[.;)]|$)"
)


@dataclass(frozen=True, slots=True)
class Reference:
    """What a text says where it points at a rule, a section or a glossary term.

    `start` and `end` are character offsets of `quote` in the text; `first` and `last` the numbers as written
    (`last` only for a range); `title` the name that the author gave the target, without its quotation marks;
    for a glossary term `first` is None and `title` the term.

    >>> found, = references("See rule 510, “Combat Damage Step.”")
    >>> str(found.first), found.title, found.kind, found.quote
    ('510', 'Combat Damage Step', 'chapter', 'rule 510, “Combat Damage Step.”')
    """

    start: int
    end: int
    quote: str
    first: RuleNumber | None = None
    last: RuleNumber | None = None
    title: str | None = None

    @property
    def kind(self) -> str:
        """What is pointed at: `section`, `chapter`, `rule`, `subrule`, `range` or `term`."""
        if self.first is None:
            return "term"
        return "range" if self.last is not None else self.first.level

    @property
    def wording(self) -> str:
        """What the reference says in one word: `601.2f–h` as `601.2f..601.2h`, a term as its name."""
        if self.first is None:
            return self.title or ""
        return f"{self.first}..{self.last}" if self.last is not None else str(self.first)


def references(text: str) -> Iterator[Reference]:
    """Every reference to a rule, chapter or section in `text`, in order of appearance.

    >>> [found.wording for found in references("rules 601.2f–h, 613.2, and 707.2")]
    ['601.2f..601.2h', '613.2', '707.2']
    >>> list(references("deals 100 damage; exactly 100 cards cost $100.50"))
    []
    """
    at = 0
    while cue := CUE.search(text, at):
        found, at = _parse(text, cue.start())
        yield from found


def term_references(text: str) -> Iterator[Reference]:
    """Every "See X" of a glossary text that points at another entry.

    >>> [found.title for found in term_references("See Landwalk. See also Dependency, Timestamp Order.")]
    ['Landwalk', 'Dependency, Timestamp Order']
    """
    for cue in TERM_CUE.finditer(text):
        named = _TERM.match(text, cue.end())
        if named is None or not named[0]:
            continue
        title = named[0].strip('“”"').rstrip(".,; ")
        yield Reference(cue.start(), named.end(), text[cue.start() : named.end()], title=title)


def _parse(text: str, at: int) -> tuple[list[Reference], int]:
    """The references of the phrase that begins at `at`, and where to look on."""
    from pyparsing import ParseException

    window = text[at : at + _LONGEST_PHRASE]
    try:
        found = _phrase().parse_string(window)
    except ParseException:
        return [], at + 1
    targets = [_from_target(target, at, text) for target in found]
    return targets, targets[-1].end


def _from_target(target: pp.ParseResults, offset: int, text: str) -> Reference:
    said = target["value"]
    matched = text[offset + target["locn_start"] : offset + target["locn_end"]]
    start = offset + target["locn_start"] + len(matched) - len(matched.lstrip())
    end = start + len(matched.strip())
    first = _number(said["first"])
    written = said.get("last") or said.get("through")
    last = _end_of_range(first, written) if written else None
    title = said["title"].strip('“”"').rstrip(".,;: ") if said.get("title") else None
    return Reference(start, end, text[start:end], first, last, title)


def _number(text: str) -> RuleNumber:
    """The number as written, even where its letter is one that no subrule can bear."""
    section, rest, rule, letter = _WRITTEN.fullmatch(text).groups()  # type: ignore[union-attr]
    return RuleNumber(int(section), int(section + rest) if rest else 0, int(rule or 0), letter or "")


def _end_of_range(first: RuleNumber, text: str) -> RuleNumber:
    """The end of a range as the text abbreviates it: `h` after 601.2f, `8` after 119.7, `903.11` after 903.6."""
    if text.isalpha():
        return replace(first, letter=text)
    if "." in text or (len(text) == 3 and not first.rule):
        return _number(text)
    rule, letter = re.fullmatch(r"(\d+)([a-z]*)", text).groups()  # type: ignore[union-attr]
    return replace(first, rule=int(rule), letter=letter)


@cache
def _phrase() -> pp.ParserElement:
    """The grammar; built when the first text is read, since pyparsing is slow to import.

    phrase := lead target (separator? target)*
    target := number ('–' end | 'through' number)? (',' title)?
    """
    import pyparsing as pp

    last = rf"(?:{_DASH}(?P<last>{_END})|{_THROUGH}(?P<through>{_RULE}))?"
    rule = pp.Regex(rf"(?P<first>{_RULE}){last}(?!\w)").set_name("rule number")
    no_amount = ~pp.Regex(rf"[\d.]+{_AMOUNT}")
    chapter = pp.Regex(rf"(?P<first>{_CHAPTER})(?:{_DASH}(?P<last>{_CHAPTER}))?(?!\w|\.\d)").set_name("chapter number")
    section = pp.Regex(r"(?P<first>[1-9])(?!\w|[.,]\d)").set_name("section number")
    title = pp.Opt(",").suppress() + pp.Regex(_TITLE).set_name("title")("title")
    ends = pp.FollowedBy(pp.Regex(r"[.;:)]|,(?!\d)|$|(?:and|or)\b"))
    between = (pp.Opt(",") + pp.Opt(pp.Regex(r"and/or\b|and\b|or\b"))).suppress()
    of_rule = pp.Regex(r"(?i)(?:sub)?(?:rule|chapter|step)s?(?![a-z])|see\b").suppress()
    of_section = pp.Regex(r"(?i)sections?(?![a-z])").suppress()

    def located(target: pp.ParserElement) -> pp.ParserElement:
        return pp.Group(pp.Located(target))

    first = of_section + (section | rule | chapter) | pp.Opt(of_rule) + (rule | chapter)
    further = no_amount + rule + pp.Opt(title) | chapter + (title | ends)
    more_sections = between + located(section + (title | ends))
    list_of_sections = located(of_section + section + pp.Opt(title)) + more_sections[1, ...]
    list_of_rules = located(first + pp.Opt(title)) + (between + located(further))[...]
    phrase: pp.ParserElement = (list_of_sections | list_of_rules).parse_with_tabs()
    return phrase
