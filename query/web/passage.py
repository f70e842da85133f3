"""Knows how a text is cut at its references, and how one is shortened."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from query.entry import FoundLink

SHORT = 240


@dataclass(frozen=True, slots=True)
class Part:
    """A run of a passage; one that is a reference has `links`, one for each thing that it leads to."""

    text: str
    links: tuple[FoundLink, ...] = ()

    @property
    def name(self) -> str:
        """A name for the reference that no other one has on its page."""
        link = self.links[0]
        return f"to-{link.source}-{link.place}-{link.start}".replace(" ", "-").replace("/", "-")

    @property
    def fault(self) -> str | None:
        """Why the reference leads nowhere, or somewhere else than it says."""
        return next((link.fault for link in self.links if link.fault), None)

    @property
    def targets(self) -> tuple[str, ...]:
        """The keys that the reference leads to."""
        return tuple(link.target for link in self.links if link.target is not None)


def parts(text: str, links: Iterable[FoundLink]) -> tuple[Part, ...]:
    """The text in parts, in order; joined they are the text again.

    >>> link = FoundLink("702.3b", None, "508", None, "chapter", "rule 508", "text", 4, 12)
    >>> [part.text for part in parts("See rule 508 too.", [link])]
    ['See ', 'rule 508', ' too.']
    """
    at: dict[tuple[int, int], list[FoundLink]] = {}
    for link in links:
        at.setdefault((link.start, link.end), []).append(link)
    found, here = [], 0
    for (start, end), same in sorted(at.items()):
        if start < here or end > len(text):
            continue  # a reference inside another one, which is shown already
        found += [Part(text[here:start]), Part(text[start:end], tuple(same))]
        here = end
    found.append(Part(text[here:]))
    return tuple(part for part in found if part.text)


def paragraphs(whole: Iterable[Part]) -> Iterator[tuple[Part, ...]]:
    r"""The parts of a text by paragraph.

    >>> [len(paragraph) for paragraph in paragraphs([Part("one\ntwo"), Part("and", ())])]
    [1, 2]
    """
    found: list[Part] = []
    for part in whole:
        first, *others = part.text.split("\n") if not part.links else [part.text]
        found.append(replace(part, text=first))
        for other in others:
            yield tuple(found)
            found = [Part(other)]
    yield tuple(found)


def shortened(text: str, length: int = SHORT) -> str:
    """The beginning of a text, cut after a word.

    >>> shortened("A creature with flying", 12)
    'A creature …'
    """
    text = " ".join(text.split())
    return text if len(text) <= length else text[: length + 1].rpartition(" ")[0].rstrip(",;:") + " …"


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Words with what stands before and after them."""

    before: str
    words: str
    after: str


def excerpt(text: str, start: int, end: int, around: int = 70) -> Excerpt:
    """The words from `start` to `end` with about `around` characters on each side, cut between words.

    >>> excerpt("It has haste (see rule 702.10) now and for ever.", 18, 29, 13)
    Excerpt(before='… haste (see ', words='rule 702.10', after=') now and …')
    """
    before = text[max(0, start - around) : start]
    after = text[end : end + around]
    if start > around:
        before = "… " + before.partition(" ")[2]
    if end + around < len(text):
        after = after.rpartition(" ")[0] + " …"
    return Excerpt(re.sub(r"\s+", " ", before), text[start:end], re.sub(r"\s+", " ", after))
