"""The pages in a real browser: read, walked and asked by mouse, by keyboard, on a phone, in the dark, without a script.

Needs Debian's `chromium`, and axe-core from npm (`python hatch_build.py`). Screenshots of every page are put into
`build/screenshots`, to be looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.official import needs_data
from tests.web_browser import ARGUMENTS, AXE, BROKEN_NUMBERS, CHROMIUM, SHOTS, faults, page_of
from tests.web_home import Served, official_home, serving

PAGES = {
    "home": "/",
    "contents": "/cr",
    "section": "/cr/7",
    "chapter": "/cr/601",
    "keywords": "/cr/702",
    "rule": "/cr/702.19",
    "rule-with-much": "/cr/601.2",
    "subrule": "/cr/702.19b",
    "hub": "/cr/704.5",
    "cited-by": "/cr/601.2/cited-by",
    "card": "/card/Okaun, Eye of Chaos",
    "faces": "/card/Jace, Vryn's Prodigy // Jace, Telepath Unbound",
    "older": "/cr/2025-09-19/702.19",
    "glossary": "/glossary",
    "term": "/term/landwalk",
    "keyword": "/keyword/flying",
    "search": "/search?q=first+strike+damage",
    "rulings": "/search?q=flip+a+coin&kind=ruling",
    "number": "/search?q=702.7",
    "cite": "/cite",
    "board": "/board",
    "sparql": "/sparql?name=most-cited",
    "rows": "/sparql?query=SELECT+?n+?t+%7B+?r+eli:number+?n+;+dcterms:title+?t+%7D+LIMIT+20",
    "api": "/api",
    "about": "/about",
    "unknown": "/cr/flyin",
    "choices": "/cr/exile",
}

pytestmark = [
    pytest.mark.browser,
    needs_data,
    pytest.mark.skipif(CHROMIUM is None or not AXE.is_file(), reason="no chromium, or no axe-core from npm"),
]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("browser")
    with serving(official_home(folder / "home", cite=True), folder, "--query-timeout", "30") as server:
        yield server


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "light"), (1280, "dark")])
def test_every_page_fits_and_is_accessible(chromium: Browser, served: Served, width: int, scheme: str) -> None:
    SHOTS.mkdir(parents=True, exist_ok=True)
    viewport, wrong = {"width": width, "height": 800}, []
    with page_of(chromium, served, viewport=viewport, color_scheme=scheme) as page:
        for name, path in PAGES.items():
            page.goto(path)
            page.wait_for_load_state("networkidle")
            page.screenshot(path=SHOTS / f"{name}-{width}-{scheme}.png", full_page=True)
            found = faults(page)
            found += ["wider than the screen"] if page.evaluate("document.documentElement.scrollWidth") > width else []
            found += [f"number {number} is broken" for number in page.evaluate(BROKEN_NUMBERS)]
            found += ["not one heading"] if page.locator("h1:visible").count() != 1 else []
            wrong += [f"{name}: {fault}" for fault in found]
    assert wrong == []


def test_a_reader_searches_by_keyboard(chromium: Browser, served: Served) -> None:
    with page_of(chromium, served) as page:
        page.goto("/cr/702.9")
        expect(page.get_by_role("heading", level=1, name="702.9 Flying", exact=True)).to_be_visible()
        page.keyboard.press("Tab")
        expect(page.locator(".skip")).to_be_focused()
        page.keyboard.press("Control+k")
        expect(page.locator("#q")).to_be_focused()
        page.keyboard.type("tramp")
        option = page.locator("[role=option]").first
        expect(option).to_contain_text("Trample")
        page.keyboard.press("ArrowDown")
        expect(page.locator("#q")).to_have_attribute("aria-activedescendant", "suggestion-0")
        page.keyboard.press("Escape")
        expect(option).to_be_hidden()
        page.locator("#q").fill("first strike damage")
        page.keyboard.press("Enter")
        page.wait_for_url("**/search?q=first+strike+damage")
        expect(page.locator(".hits mark").first).to_be_visible()


def test_a_reference_tells_where_it_leads(chromium: Browser, served: Served) -> None:
    with page_of(chromium, served, viewport={"width": 360, "height": 800}) as page:
        page.goto("/cr/702.9")
        reference = page.locator(".rules .ref", has_text="Reach")
        hint = reference.locator(".hint")
        expect(hint).to_be_hidden()
        reference.hover()
        expect(hint).to_be_visible()
        expect(hint).to_contain_text("702.17 Reach")
        box = hint.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        page.keyboard.press("Escape")
        expect(hint).to_be_hidden()
        page.mouse.move(0, 0)
        reference.locator("a").focus()
        expect(hint).to_be_visible()
        described = reference.locator("a").get_attribute("aria-describedby")
        assert page.locator(f"[id='{described}']").inner_text().startswith("702.17 Reach")
        page.keyboard.press("Enter")
        page.wait_for_url("**/cr/702.17")


def test_a_reader_turns_pages_and_climbs(chromium: Browser, served: Served) -> None:
    with page_of(chromium, served) as page:
        page.goto("/cr/702.19")
        page.locator(".turn a[rel=next]").click()
        expect(page.locator("h1")).to_contain_text("702.20 Vigilance")
        page.locator(".path a", has_text="702 Keyword").click()
        expect(page.locator("h1")).to_contain_text("702 Keyword Abilities")
        page.locator(".contents a", has_text="Landwalk").click()
        page.locator(".rules .number").first.click()
        expect(page.locator("h1")).to_contain_text("702.14a")


def test_links_and_citations_are_copied(chromium: Browser, served: Served) -> None:
    with page_of(chromium, served, permissions=["clipboard-read", "clipboard-write"]) as page:
        page.goto("/cr/702.19")
        second = page.locator(".rules > li", has_text="702.19b").first
        second.hover()
        second.get_by_role("button", name="to cite 702.19b").click()
        assert page.evaluate("navigator.clipboard.readText()") == "CR 702.19b (September 25, 2026)"
        second.get_by_role("button", name="link to 702.19b").click()
        assert page.evaluate("navigator.clipboard.readText()") == f"{served.address}/cr/2026-09-25/702.19b"


def test_a_thumb_copies_too(chromium: Browser, served: Served) -> None:
    phone = {"viewport": {"width": 360, "height": 800}, "has_touch": True, "is_mobile": True}
    with page_of(chromium, served, permissions=["clipboard-read", "clipboard-write"], **phone) as page:
        page.goto("/cr/601")
        page.get_by_role("button", name="to cite 601.2", exact=False).first.tap()
        assert page.evaluate("navigator.clipboard.readText()") == "CR 601.2 (September 25, 2026)"
        page.screenshot(path=SHOTS / "touch-360-light.png")


def test_the_graph_is_walked(chromium: Browser, served: Served) -> None:
    with page_of(chromium, served) as page:
        page.goto("/cr/702.9")
        expect(page.locator("svg.around a").first).to_be_visible()
        page.get_by_role("button", name="Walk the graph").click()
        expect(page.locator(".walk canvas").first).to_be_visible()
        expect(page.locator(".margin .note a", has_text="Flying")).to_be_visible()
        page.screenshot(path=SHOTS / "walk-1280-light.png")
        assert faults(page) == []


def test_a_query_is_written_and_asked(chromium: Browser, served: Served) -> None:
    with page_of(chromium, served) as page:
        page.goto("/sparql?name=most-cited")
        expect(page.locator(".CodeMirror")).to_contain_text("eli:cites")
        expect(page.locator(".parseErrorIcon")).to_have_count(0)
        page.goto("/sparql")
        page.locator(".CodeMirror").click()
        page.keyboard.type("SELECT ?title { ?rule eli:number '702.9' ; dcterms:title ?title }")
        page.keyboard.press("Control+Enter")
        expect(page.locator("td", has_text="Flying")).to_be_visible()
        page.get_by_role("link", name=re.compile("cited by the most")).click()
        page.get_by_role("button", name="Ask").click()
        expect(page.locator("tbody tr").first).to_be_visible()


def test_a_board_is_judged_step_by_step(chromium: Browser, served: Served) -> None:
    with page_of(chromium, served) as page:
        page.goto("/board")
        page.fill("#question", "can_block(bear, drake)")
        page.get_by_role("button", name="what would change it").click()
        expect(page.locator(".verdict")).to_have_text("No.")
        expect(page.locator(".proof summary").first).to_be_visible()
        page.locator(".proof details:not([open]) > summary").first.click()
        expect(page.locator("#flips")).to_be_visible()
        expect(page.locator(".proof p.note").first).not_to_be_empty()
        page.screenshot(path=SHOTS / "judged-1280-light.png", full_page=True)
        assert faults(page) == []
        page.get_by_role("button", name="Work out the combat").click()
        expect(page.locator("td", has_text="drake").first).to_be_visible()


def test_a_question_is_cited(chromium: Browser, served: Served) -> None:
    with page_of(chromium, served, permissions=["clipboard-read", "clipboard-write"]) as page:
        page.goto("/cite")
        page.fill("#text", "Can a creature with reach block a creature with flying?")
        for _ in range(6):  # the first answer may take longer than one request may
            page.get_by_role("button", name="Cite").click()
            page.wait_for_load_state()
            if page.locator(".hits").count():
                break
        expect(page.locator(".hits .number").first).to_contain_text("702.")
        page.locator("summary", has_text="Copy this citation").first.click()
        expect(page.locator("dt", has_text="bibtex").first).to_be_visible()
        page.get_by_role("button", name="Copy as bibtex").first.click()
        assert page.evaluate("navigator.clipboard.readText()").startswith("@misc{cr-2026-09-25-702.")
        page.screenshot(path=SHOTS / "cited-1280-light.png", full_page=True)
        assert faults(page) == []


def test_a_card_tells_its_keywords(chromium: Browser, served: Served) -> None:
    with page_of(chromium, served) as page:
        page.goto("/keyword/flying")
        page.locator("#cards ~ dl a").first.click()
        keyword = page.locator(".face .ref", has_text=re.compile("^flying", re.IGNORECASE)).first
        keyword.hover()
        expect(keyword.locator(".hint")).to_contain_text("(CR 702.9 Flying")
        page.screenshot(path=SHOTS / "card-1280-light.png", full_page=True)
        assert faults(page) == []


def test_without_a_script_everything_is_there(chromium: Browser, served: Served) -> None:
    with page_of(chromium, served, java_script_enabled=False) as page:
        page.goto("/cr/702.9")
        expect(page.locator("svg.around a").first).to_be_visible()
        page.locator(".rules .ref", has_text="Reach").hover()
        expect(page.locator(".rules .ref", has_text="Reach").locator(".hint")).to_be_visible()
        page.fill("#q", "702.7")
        page.keyboard.press("Enter")
        expect(page.locator(".hits li").first).to_contain_text("702.7")
        page.goto("/sparql")
        page.fill("#query", "ASK { ?rule eli:number '702.9' }")
        page.get_by_role("button", name="Ask").click()
        expect(page.locator("p.lead", has_text="Yes.")).to_be_visible()
        page.goto("/api")
        expect(page.locator(".operation").first).to_be_visible()


def test_a_printed_rule_is_the_rule_alone(chromium: Browser, served: Served) -> None:
    with page_of(chromium, served) as page:
        page.goto("/cr/702.19")
        page.emulate_media(media="print")
        for hidden in (".top", ".margin", ".turn", ".copies >> nth=0"):
            expect(page.locator(hidden)).to_be_hidden()
        expect(page.locator("h1")).to_be_visible()
        page.screenshot(path=SHOTS / "printed.png", full_page=True)


def test_the_shots_are_there() -> None:
    assert len(list(Path(SHOTS).glob("*.png"))) >= 3 * len(PAGES)
