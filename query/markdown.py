"""Knows how an entry is written in Markdown, its references as links."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from query.entry import Entry, Named
from query.render import NO_TEXT


def entry_markdown(entry: Entry, address: Callable[[str], str]) -> str:
    """An entry as Markdown; `address` gives where an entry's page is, by its key."""
    return "\n\n".join(part for part in _parts(entry, address) if part) + "\n"


def _parts(entry: Entry, address: Callable[[str], str]) -> Iterator[str]:
    yield " › ".join(_link(named, address) for named in entry.above)
    heading = entry.title or "" if entry.kind == "glossary" else f"{entry.key} {entry.title or ''}".strip()
    yield f"# {escaped(heading)}"
    yield escaped(entry.text or "")
    yield from _below(entry, address)
    yield from (_example(example) for example in entry.examples)
    for title, ends in (("Leads to", _targets(entry, address)), ("Cited by", _sources(entry, address))):
        yield "\n".join([f"## {title}", "", *ends]) if ends else ""
    where = NO_TEXT if entry.outline else f"{escaped(entry.source)}, sha256 `{entry.sha256}`"
    yield f"*Comprehensive Rules, edition of {entry.edition} ({where})*"


def _below(entry: Entry, address: Callable[[str], str]) -> Iterator[str]:
    if entry.kind in ("section", "chapter"):
        yield "\n".join(f"- {_link(named, address)}" for named in entry.below)
        return
    for named in entry.below:
        yield f"**[{named.key}]({address(named.key)})** {escaped(named.text or named.title or '')}"
        yield from (_example(example) for example in named.examples)


def _example(text: str) -> str:
    return f"> *Example:* {escaped(text)}"


def _link(named: Named, address: Callable[[str], str]) -> str:
    return f"[{escaped(str(named))}]({address(named.key)})"


def _targets(entry: Entry, address: Callable[[str], str]) -> list[str]:
    links = [link for link in entry.links_out if link.target is not None]
    return [
        f"- [{_end(link.target, link.target_title)}]({address(link.target or '')}): “{link.quote}”" for link in links
    ]


def _sources(entry: Entry, address: Callable[[str], str]) -> list[str]:
    ends = ((link, _end(link.source, link.source_title)) for link in entry.links_in)
    return [f"- [{end}]({address(link.source)}): “{link.quote}”" for link, end in ends]


def _end(key: str | None, title: str | None) -> str:
    return escaped(title or str(key)) if str(key).startswith("term/") else escaped(f"{key} {title or ''}".strip())


def escaped(text: str) -> str:
    r"""A text whose characters mean nothing to Markdown or HTML; its paragraphs stay apart.

    >>> escaped("*: a <b> [x]\n1")
    '\\*: a &lt;b> \\[x\\]\n\n1'
    """
    return re.sub(r"([\\`*_\[\]#])", r"\\\1", text).replace("<", "&lt;").replace("\n", "\n\n")
