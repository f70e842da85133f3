"""An assistant's client finds six tools that make it cite, over a pipe and over HTTP."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

from kb.shipped import shipped
from query.knowledge_base import KnowledgeBase
from query.mcp import server
from tests.official import needs_data
from tests.servers import PATIENCE, free_port
from tests.web_home import ROOT, official_home, outline_home

TOOLS = ["ask", "card", "cite", "follow", "search", "show"]
Conversation = Callable[[Client], Awaitable[None]]


def converse(target: object, conversation: Conversation) -> None:
    async def held() -> None:
        async with Client(target) as client:  # type: ignore[arg-type]
            await conversation(client)

    asyncio.run(held())


async def said(client: Client, tool: str, **given: object) -> tuple[str, bool]:
    answer = await client.call_tool(tool, given)
    return "".join(part.text for part in answer.content if part.type == "text"), bool(answer.is_error)


@pytest.fixture(scope="module")
def outline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return outline_home(tmp_path_factory.mktemp("outline"))


@pytest.fixture(scope="module")
def official(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return official_home(tmp_path_factory.mktemp("official"), "cr-20260925.txt")


def test_the_tools_say_what_they_are_for(outline: Path) -> None:
    async def conversation(client: Client) -> None:
        tools = (await client.list_tools()).tools
        assert sorted(tool.name for tool in tools) == TOOLS
        assert all(len(tool.description or "") > 60 for tool in tools)
        assert "Cite" in (client.instructions or "")

    converse(server(lambda: KnowledgeBase.open(outline)), conversation)


def test_a_number_is_shown_with_its_edition(outline: Path) -> None:
    async def conversation(client: Client) -> None:
        text, wrong = await said(client, "show", what="702.19b")
        assert not wrong
        assert text.startswith("CR 702.19b (September 25, 2026)")
        text, wrong = await said(client, "show", what="tramplle")
        assert wrong
        assert "trample" in text
        text, _ = await said(client, "follow", what="702.7", to="704.5g")
        assert "September 25, 2026" in text
        text, wrong = await said(client, "card", name="Black Knight")
        assert wrong
        assert "seerule build" in text

    converse(server(lambda: KnowledgeBase.open(outline)), conversation)


def test_a_board_is_judged_with_its_rules(outline: Path) -> None:
    async def conversation(client: Client) -> None:
        board = shipped("boards", "drake.yaml").read_text()
        text, wrong = await said(client, "ask", board=board, question="can_block(bear, drake)")
        assert not wrong
        assert "702.9b" in text
        text, wrong = await said(client, "ask", board="players: [a, a]", question="nonsense(x)")
        assert wrong

    converse(server(lambda: KnowledgeBase.open(outline)), conversation)


@needs_data
def test_questions_are_answered_with_numbers(official: Path) -> None:
    async def conversation(client: Client) -> None:
        text, _ = await said(client, "cite", text="Can a creature with reach block a creature with flying?")
        assert "CR 702.9" in text
        text, _ = await said(client, "search", text="first strike damage", limit=3)
        assert "CR 702.7" in text
        text, _ = await said(client, "follow", what="702.7", direction="in")
        assert "→ 702.7" in text
        for tool, given in (("show", "702"), ("show", "601.2"), ("card", "Black Knight")):
            text, _ = await said(client, tool, **{"name" if tool == "card" else "what": given})
            assert len(text) < 6200

    def opened() -> KnowledgeBase:
        base = KnowledgeBase.open(official)
        base.semantic = False
        return base

    converse(server(opened), conversation)


async def shows(client: Client) -> None:
    assert sorted(tool.name for tool in (await client.list_tools()).tools) == TOOLS
    text, wrong = await said(client, "show", what="702.9")
    assert not wrong
    assert "Flying" in text


def test_over_a_pipe(outline: Path) -> None:
    arguments = ["-m", "query.cli", "--home", str(outline), "mcp"]
    converse(StdioServerParameters(command=sys.executable, args=arguments, cwd=ROOT), shows)


def test_over_http(outline: Path) -> None:
    port = free_port()
    command = [sys.executable, "-m", "query.cli", "--home", str(outline), "mcp", "--http", "--port", str(port)]
    with subprocess.Popen(command, cwd=ROOT, env=os.environ, stderr=subprocess.DEVNULL) as process:
        try:
            await_answer(f"http://127.0.0.1:{port}/mcp")
            converse(f"http://127.0.0.1:{port}/mcp", shows)
        finally:
            process.terminate()


def await_answer(address: str) -> None:
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        try:
            urllib.request.urlopen(address, timeout=1).close()
            return
        except urllib.error.HTTPError:
            return  # it answers; that it wants another method is as it should be
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the server did not answer")


def test_the_server_says_its_version(outline: Path) -> None:
    async def conversation(client: Client) -> None:
        assert client.server_info is not None
        assert client.server_info.version

    converse(server(lambda: KnowledgeBase.open(outline)), conversation)


@needs_data
def test_a_card_comes_with_what_to_cite(tmp_path: Path) -> None:
    from query.resting import Resting

    home = official_home(tmp_path, "cr-20260925.txt", cite=True)
    name = "Okaun, Eye of Chaos"
    with KnowledgeBase.open(home) as base:
        resting = Resting(base.store, base.names)
        grounds = [one for of in base.card(name).rulings for one in resting.grounds(base.names.ruling(of.key))]
        rules = {one.rule for one in grounds if one.asserted}
    assert rules

    async def conversation(client: Client) -> None:
        text, wrong = await said(client, "card", name=name)
        assert not wrong
        assert text.startswith("(edition of September 25, 2026)")
        assert all(f"CR {rule} (September 25, 2026) [" in text for rule in rules)
        text, wrong = await said(client, "cite", text="What does the weather say about hedgehogs?")
        assert not wrong
        assert "that does not mean that none does" in text or "which does not mean that none governs it" in text
        assert text.endswith("(edition of September 25, 2026)")

    converse(server(lambda: KnowledgeBase.open(home)), conversation)
