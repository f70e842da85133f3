"""Knows how entries and links are printed as text: a number in bold, evidence in quotation marks, links aligned."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

import click

from query.entry import Entry, FoundLink, Named

WIDTH = 100
MOST = 30  # links shown with an entry; the command `links` shows all
NO_TEXT = "the official text is not loaded: seerule build"


def entry_text(entry: Entry) -> str:
    """An entry as a page: place, heading, text, what is below it, examples, links out and in, edition."""
    parts = [_head(entry), *_body(entry), *_links(entry), origin(entry)]
    return "\n\n".join(part for part in parts if part)


def _head(entry: Entry) -> str:
    path = " › ".join(str(named) for named in entry.above)
    name = f"Glossary: {entry.title}" if entry.kind == "glossary" else f"{entry.key} {entry.title or ''}".strip()
    name = entry.title or "" if entry.kind == "part" else name
    return "\n".join(
        line for line in (click.style(path, dim=True) if path else "", click.style(name, bold=True)) if line
    )


def _body(entry: Entry) -> Iterator[str]:
    if entry.text:
        yield filled(entry.text)
    if entry.kind in ("section", "chapter"):
        yield "\n".join(_listed(named) for named in entry.below)
    elif entry.outline:
        yield " ".join(named.key for named in entry.below)
    else:
        for named in entry.below:
            yield filled(f"{named.key} {named.text or named.title or ''}".strip())
            yield from (filled(f"Example: {example}", "  ") for example in named.examples)
    for example in entry.examples:
        yield filled(f"Example: {example}", "  ")
    if entry.glossary is not None and entry.glossary.text:
        yield filled(f"Glossary: {entry.glossary.text}")


def _listed(named: Named) -> str:
    """A chapter or rule as one line: its title, or how its text begins."""
    said = named.title or textwrap.shorten(named.text or "", 80, placeholder=" …")
    return f"  {click.style(named.key, bold=True)} {said}".rstrip()


def _links(entry: Entry) -> Iterator[str]:
    for title, links in (("Leads to", entry.links_out), ("Cited by", entry.links_in)):
        if links:
            lines = _link_lines(entry.key, links[:MOST], outward=title == "Leads to")
            more = f"  … and {len(links) - MOST} more: seerule links {entry.key}" if len(links) > MOST else ""
            yield "\n".join(filter(None, [click.style(title, bold=True), *lines, more]))


def _link_lines(key: str, links: Sequence[FoundLink], *, outward: bool) -> Iterator[str]:
    """A line a link: its ends, the near one only where it is a subrule, and the words that make it."""
    ends = [_ends(key, link, outward=outward) for link in links]
    width = min(max((len(end) for end in ends), default=0), 48)
    for end, link in zip(ends, links, strict=True):
        place = "" if link.place in ("text", "glossary") else f" ({link.place})"
        fault = f"  {click.style('! ' + link.fault, fg='yellow')}" if link.fault else ""
        yield f"  {end:<{width}}  {quoted(link)}{place}{fault}"


def _ends(key: str, link: FoundLink, *, outward: bool) -> str:
    far = other_end(link, outward=outward)
    near = link.source if outward else link.target
    if near == key:
        return far
    return f"{near} → {far}" if outward else f"{far} → {near}"


def other_end(link: FoundLink, *, outward: bool) -> str:
    """The far end of a link, named; "(nothing)" where it reaches nothing."""
    key, title = (link.target, link.target_title) if outward else (link.source, link.source_title)
    if key is None:
        return "(nothing)"
    return f"glossary: {title}" if key.startswith("term/") else f"{key} {title or ''}".strip()


def quoted(link: FoundLink) -> str:
    """The words of the reference, marked as a quotation."""
    return f"«{link.quote}»"


def origin(entry: Entry) -> str:
    """Which edition and file the answer is from."""
    where = NO_TEXT if entry.outline else f"{entry.source}, sha256 {entry.sha256[:12]}…"
    return edition_line(f"edition of {entry.edition}", where)


def edition_line(editions: str, where: str = "") -> str:
    """The line under an answer: of which edition it is, and in parentheses where from or what is lacking."""
    return click.style(f"Comprehensive Rules, {editions}{f' ({where})' if where else ''}", dim=True)


def filled(text: str, indent: str = "") -> str:
    """Text broken at the width of a page, each paragraph by itself."""
    lines: Iterable[str] = (
        textwrap.fill(paragraph, WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False)
        for paragraph in text.split("\n")
    )
    return "\n".join(lines)
