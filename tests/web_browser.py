"""Knows how a test looks at a page in a real browser: what counts as wrong there, and where screenshots are put."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from tests.web_home import ROOT, Served

CHROMIUM = shutil.which("chromium")
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
SHOTS = ROOT / "build" / "screenshots"
ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]

BROKEN_NUMBERS = """() => [...document.querySelectorAll(".number")].filter((one) => {
  const wide = getComputedStyle(one).display !== "inline" && one.scrollWidth > one.clientWidth + 1;
  return wide || one.getClientRects().length > 1;
}).map((one) => one.textContent)"""
"""The numbers that do not stand on one line, or run into what follows them."""


@contextmanager
def page_of(chromium: Browser, served: Served, **options: Any) -> Iterator[Page]:
    """A page that fails the test where the console tells of an error, or anything is asked of another host."""
    context: BrowserContext = chromium.new_context(base_url=served.address, **options)
    context.set_default_timeout(30_000)
    page, wrong = context.new_page(), []
    page.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    own = (served.address, "data:", "blob:")
    page.on("request", lambda asked: None if asked.url.startswith(own) else wrong.append(asked.url))
    yield page
    context.close()
    assert [text for text in wrong if "404 (Not Found)" not in text and "300 (Multiple" not in text] == []


def faults(page: Page) -> list[str]:
    """What axe-core finds that is serious or worse."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    options = "{resultTypes: ['violations'], rules: {'target-size': {enabled: true}}}"
    found = page.evaluate(f"axe.run(document, {options})")["violations"]
    return [
        f"{one['id']}: {node['html'][:120]} {node.get('failureSummary', '')[:200]}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"][:3]
    ]
