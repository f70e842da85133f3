"""Knows how a text is cut at its references, and how one is shortened."""

from __future__ import annotations

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
class Words:
    """A run of an excerpt, and whether it is what the excerpt is about."""

    text: str
    marked: bool = False


def excerpts(text: str, spans: Iterable[tuple[int, int]], around: int = 70) -> Iterator[tuple[Words, ...]]:
    """The words at `spans` with about `around` characters on each side, cut between words; near ones are one excerpt.

    >>> found = next(excerpts("It has haste (see rule 702.10) now and for ever.", [(18, 29)], 13))
    >>> [words.text for words in found]
    ['… haste (see ', 'rule 702.10', ') now and …']
    """
    together: list[list[tuple[int, int]]] = []
    for span in sorted(set(spans)):
        if together and span[0] - together[-1][-1][1] <= around:
            together[-1].append(span)
        else:
            together.append([span])
    for near in together:
        yield tuple(words for words in _excerpt(text, near, around) if words.text)


def _excerpt(text: str, spans: list[tuple[int, int]], around: int) -> Iterator[Words]:
    start, end = spans[0][0], spans[-1][1]
    before, after = text[max(0, start - around) : start], text[end : end + around]
    yield Words(before if start <= around else "… " + before.partition(" ")[2])
    here = start
    for first, last in spans:
        yield Words(text[here:first])
        yield Words(text[max(first, here) : last], marked=True)
        here = max(here, last)
    yield Words(after if end + around >= len(text) else after.rpartition(" ")[0] + " …")
