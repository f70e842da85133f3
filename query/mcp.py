"""Knows the tools that a chat assistant gets (Model Context Protocol): short answers with numbers and edition."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Annotated, Literal, ParamSpec

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from kb.errors import SeeruleError
from query.card_entry import CardEntry
from query.citation import written
from query.entry import Entry, FoundLink
from query.knowledge_base import KnowledgeBase
from query.search import Filters, Hit

P = ParamSpec("P")

INSTRUCTIONS = """\
Tools over the Comprehensive Rules of Magic: The Gathering, its cards and its rulings, as a graph.
Answer rules questions from these tools and not from memory: rules are renumbered and reworded with every edition.
Cite every rule that an answer rests on by number and edition, as the tools print it: CR 702.19b (September 25, 2026).
If a tool says candidate, undetermined or not found, say so too; never make up a number.
Begin with `cite` for a question in plain English, `show` for a number or a name, `ask` for a combat on a board."""

_LONGEST = 6000
_SHOWN = 12

_ONLY_CANDIDATES = (
    "No rule is asserted to govern this; that does not mean that none does. What follows are candidates, to be read "
    "and checked before they are cited."
)
_NOTHING = "No rule was found for this, which does not mean that none governs it; try other words, or `search`."

What = Annotated[
    str, Field(description="A rule number (702.19b), a keyword, a chapter title or a glossary term.", max_length=200)
]


class Tools:
    """The tools over one knowledge base; one question after another, since its index belongs to one thread."""

    def __init__(self, base: Callable[[], KnowledgeBase]) -> None:
        self._open = base
        self._base: KnowledgeBase | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="tools")

    async def answer(self, question: Callable[[KnowledgeBase], str]) -> str:
        """What a question says of the knowledge base, no longer than an assistant wants it."""

        def asked() -> str:
            try:
                self._base = self._base or self._open()
                return _cut(question(self._base))
            except SeeruleError as error:
                raise ToolError(str(error)) from None

        return await asyncio.get_running_loop().run_in_executor(self._thread, asked)


def _version() -> str:
    """The version of the program, as it is installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("seerule")
    except PackageNotFoundError:  # run from a checkout that is not installed
        return "0"


def server(base: Callable[[], KnowledgeBase]) -> MCPServer:
    """A server of the six tools; `base` opens the knowledge base when the first question comes."""
    found, tools = MCPServer("seerule", instructions=INSTRUCTIONS, version=_version(), log_level="WARNING"), Tools(base)
    for add in (_add_looking_up, _add_following, _add_citing, _add_judging):
        add(found, tools)
    return found


def _add_looking_up(found: MCPServer, tools: Tools) -> None:
    @found.tool()
    async def show(what: What) -> str:
        """Show a rule, chapter or glossary entry: its text, its subrules and examples, what it cites and what cites it.
        Use it before you quote or cite a rule.
        """
        return await tools.answer(lambda base: shown(base.show(what)))

    @found.tool()
    async def search(
        text: Annotated[str, Field(description='Words, a number, a name, or a "phrase".', max_length=300)],
        kind: Annotated[
            Literal["rule", "glossary", "example", "ruling"] | None, Field(description="Only what is of this kind.")
        ] = None,
        limit: Annotated[int, Field(ge=1, le=20)] = 8,
    ) -> str:
        """Search rules, glossary, examples and rulings; each hit with the number to cite."""

        def asked(base: KnowledgeBase) -> str:
            hits = base.search(text, Filters(kind, limit=limit)).hits[:limit]
            return _with_edition(base, [hit_line(hit) for hit in hits] or ["nothing found"])

        return await tools.answer(asked)


def _add_following(found: MCPServer, tools: Tools) -> None:
    @found.tool()
    async def follow(
        what: What,
        direction: Annotated[Literal["in", "out"], Field(description="out: what it cites; in: what cites it.")] = "out",
        to: Annotated[str | None, Field(description="Another entry: the shortest chain of references to it.")] = None,
    ) -> str:
        """Follow the references between rules, with the words that make each: what a rule cites, what cites it, or the
        shortest chain from one to another.
        """

        def asked(base: KnowledgeBase) -> str:
            if to is not None:
                return _with_edition(base, [f"{hop.source} {hop.step} {hop.target}" for hop in base.path(what, to)])
            links = [reached.link for reached in islice(base.links(what, direction), 40)]
            return _with_edition(base, [link_line(link) for link in links] or ["no references"])

        return await tools.answer(asked)

    @found.tool()
    async def card(name: Annotated[str, Field(description="A card's name.", max_length=200)]) -> str:
        """Show a card: its text, the rule of each keyword on it, its rulings and what these rest on (inferred), and
        where it is legal. Cite the rules as they are printed here.
        """

        def asked(base: KnowledgeBase) -> str:
            from query.card_text import Style, card_text

            card = base.card(name)
            return "\n".join([*rules_of_card(base, card), "", card_text(card, Style(markdown=True))])

        return await tools.answer(asked)


def _add_citing(found: MCPServer, tools: Tools) -> None:
    @found.tool()
    async def cite(
        text: Annotated[str, Field(description="A question, ruling or answer in English.", max_length=5000)],
        cards: Annotated[list[str] | None, Field(description="Names of the cards it is about.", max_length=20)] = None,
    ) -> str:
        """Name the rules that govern a question or ruling in plain English, with the words that led to each.
        `asserted` ones may be relied on; `candidate` ones must be read and checked before they are cited.
        """

        def asked(base: KnowledgeBase) -> str:
            citations = base.cite(text, "", cards or ()).citations[:6]
            lines = []
            for one in citations:
                citation = base.citation(one.rule)
                state = "asserted" if one.asserted else "candidate"
                words = "; ".join(f"“{mark.text}”" for mark in one.evidence[:3])
                lines.append(
                    f"{citation.short} {citation.title} [{state}, {one.confidence:.0%}; {words}]: {citation.text}"
                )
            if not any(one.asserted for one in citations):
                lines.insert(0, _ONLY_CANDIDATES if lines else _NOTHING)
            return _with_edition(base, ["\n\n".join(lines)])

        return await tools.answer(asked)


def _add_judging(found: MCPServer, tools: Tools) -> None:
    @found.tool()
    async def ask(
        board: Annotated[
            str,
            Field(
                description="A board in YAML: players, battlefield (id, controller, types, power, toughness, "
                "keywords), attacks {attacker: player}, blocks {blocker: attacker}.",
                max_length=50_000,
            ),
        ],
        question: Annotated[
            str,
            Field(description="can_block(bear, drake), dies(X), legal_blocks, legal_attacks", max_length=300),
        ],
    ) -> str:
        """Judge a board: yes, no or undetermined, proved step by step from the rules. Cite the rules of the proof."""

        def asked(base: KnowledgeBase) -> str:
            from query.predicate.board_file import parse_board
            from query.predicate.graph_cards import card_lookup
            from query.predicate.proof_text import answer_markdown

            return answer_markdown(
                base.ask(parse_board(board, ".yaml", "board", card_lookup(base.card)), question), True
            )

        return await tools.answer(asked)


def shown(entry: Entry) -> str:
    """An entry in few words: how it is cited, its text, what is below it, and what it is linked with."""
    number = f"CR {entry.key}" if entry.kind != "glossary" else "CR Glossary"
    lines = [f"{number} ({written(entry.edition)}) {entry.title or ''}".strip()]
    lines += [f"in: {' › '.join(str(named) for named in entry.above)}"] if entry.above else []
    lines += [entry.text] if entry.text else []
    for named in entry.below:
        lines.append(f"{named.key} {named.text or named.title or ''}")
        lines += [f"  Example: {example}" for example in named.examples]
    lines += [f"Example: {example}" for example in entry.examples]
    lines += [f"Glossary: {entry.glossary.text}"] if entry.glossary and entry.glossary.text else []
    lines += list(_ends("cites", [link.target or link.quote for link in entry.links_out]))
    lines += list(_ends("cited by", [link.source for link in entry.links_in]))
    lines += ["(the official text is not loaded; only numbers, titles and links are known)"] if entry.outline else []
    return "\n".join(lines)


def rules_of_card(base: KnowledgeBase, card: CardEntry) -> Iterator[str]:
    """The rules that a card has to do with, as they are cited: of its keywords, and those that its rulings rest on."""
    from query.resting import Resting

    day, resting = written(base.edition), Resting(base.store, base.names)
    yield f"(edition of {day})"
    cited = [f"CR {rule.number} ({day}) {rule.title or rule.keyword}" for rule in card.rules]
    yield from [f"Rules of its keywords: {'; '.join(cited)}"] if cited else []
    for ruling in card.rulings:
        grounds = [one for one in resting.grounds(base.names.ruling(ruling.key)) if base.lookup.holds(one.rule)]
        asserted = [f"CR {one.rule} ({day}) [{one.confidence:.0%}]" for one in grounds if one.asserted]
        if asserted:
            start = " ".join(ruling.text.split()[:8])
            yield f"The ruling “{start} …” rests on (inferred): {'; '.join(asserted)}"


def _ends(name: str, keys: Sequence[str]) -> Iterator[str]:
    different = list(dict.fromkeys(keys))
    if different:
        more = f" and {len(different) - _SHOWN} more" if len(different) > _SHOWN else ""
        yield f"{name}: {', '.join(different[:_SHOWN])}{more}"


def hit_line(hit: Hit) -> str:
    """A hit in a line: what to cite, its titles, its passage."""
    name = (
        f"ruling on {hit.heading}"
        if hit.kind == "ruling"
        else f"CR {hit.key}"
        if hit.kind != "glossary"
        else "glossary"
    )
    return f"{name} ({hit.heading}): {hit.text[:400]}"


def link_line(link: FoundLink) -> str:
    """A reference in a line: both ends, and the words that make it."""
    target = link.target or "(nothing)"
    return f"{link.source} → {target} {link.target_title or ''}: “{link.quote}”".replace(" :", ":")


def _with_edition(base: KnowledgeBase, lines: Sequence[str]) -> str:
    return "\n".join([*lines, f"(edition of {written(base.edition)})"])


def _cut(text: str) -> str:
    """An answer that leaves the assistant room to think.

    >>> len(_cut("rule " * 5000)) < 6100
    True
    """
    if len(text) <= _LONGEST:
        return text
    return f"{text[:_LONGEST].rpartition(' ')[0]} …\n(cut here; ask for a narrower entry)"
