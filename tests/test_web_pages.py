"""What the pages show, and where it leads: everything that a judge, a player or an author of tools looks for there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from query.resting import Resting
from query.web.board_page import example_board
from query.web.rendering import page
from query.web.setting import Setting
from query.web.volume import Volume
from tests.official import needs_data
from tests.web_home import HTML, asking, official_home

pytestmark = needs_data

COIN = "Okaun, Eye of Chaos"
TWO_FACES = "Jace, Vryn's Prodigy // Jace, Telepath Unbound"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return official_home(tmp_path_factory.mktemp("pages"), cite=True)


@pytest.fixture(scope="module")
def web(home: Path) -> Iterator[TestClient]:
    with asking(home) as client:
        yield client


def read(web: TestClient, address: str, **query: str) -> str:
    """A page as a browser is sent it."""
    answer = web.get(address, params=query, headers=HTML, follow_redirects=True)
    assert answer.status_code == 200, address
    return answer.text


def part(text: str, heading: str) -> str:
    """The part of a page below the heading of that id, up to the next one."""
    return text.partition(f'id="{heading}"')[2].partition("<h2")[0]


def leads(text: str, kind: str = "source") -> list[str]:
    """The addresses of the links of a kind, in order."""
    return [unescape(address) for address in re.findall(f'class="{kind}" href="([^"]+)"', text)]


@pytest.mark.parametrize(
    ("asked", "first", "absent"),
    [
        ("702.7", ["/cr/702.7", "/cr/702.7a", "/cr/702.7b", "/cr/702.7c", "/cr/702.7d"], "/cr/702.7[0-9]"),
        ("702.7b", ["/cr/702.7b"], "/cr/702.7[0-9]"),
        ("601", ["/cr/601"], "/cr/6010"),
        ("flying block", ["/cr/702.9b"], "/cr/206|/cr/205"),
        ("changeling", ["/cr/702.73"], "/cr/702.140"),
        ("first strike", ["/cr/702.7"], "/cr/702.72"),
    ],
)
def test_a_search_finds_what_was_meant_and_nothing_like_it(
    web: TestClient, asked: str, first: list[str], absent: str
) -> None:
    found = leads(read(web, "/search", q=asked))
    assert found[: len(first)] == first
    assert [address for address in found if re.match(absent, address)] == []


def test_a_search_for_a_number_marks_the_words_that_cite_it(web: TestClient) -> None:
    text = read(web, "/search", q="702.7")
    citing = text.partition('href="/cr/506.1"')[2].partition("</li>")[0]
    assert "<mark>rule 702.7</mark>" in citing
    assert "cites 702.7" in citing
    assert "by its number" in text


def test_a_ruling_that_was_found_leads_to_its_place_on_the_card(web: TestClient) -> None:
    found = leads(read(web, "/search", q="flip a coin", kind="ruling"))
    assert len(found) > 1
    for address in found:
        there = web.get(address, headers=HTML).headers["location"]
        assert f'id="{there.partition("#")[2]}"' in read(web, there.partition("#")[0])


@pytest.mark.parametrize("card", [COIN, TWO_FACES, "Divine Verdict", "Phelddagrif"])
def test_a_card_keeps_apart_what_is_stated_found_and_inferred(web: TestClient, card: str) -> None:
    text = read(web, f"/card/{card}")
    stated, found = (text.partition(f"<h2>{name} <span")[2].partition("</section>")[0] for name in SORTS)
    assert [f'class="found">{kind}<' in part for kind, part in zip(SORTS.values(), (stated, found), strict=True)] == [
        True
    ] * 2
    assert "<dt>mana value</dt>" in stated
    assert "<dt>timing</dt>" in found or "<dt>ability</dt>" in found
    assert re.findall("<dt>(?:keyword|ability|timing)</dt>", stated) == []
    assert re.findall("<dt>(?:type|mana value|mana cost|creature kind)</dt>", found) == []


SORTS = {"Attributes": "stated", "Abilities and timing": "found"}
"""What a card's facts are sorted by, and how each sort is marked."""


def test_a_ruling_tells_the_rules_that_it_rests_on_with_the_words(web: TestClient) -> None:
    text = read(web, f"/card/{COIN}")
    said = re.search(r'<p class="note grounds"><span class="inferred">Inferred</span> rests on (.*?)</p>', text)
    assert said is not None
    assert '<a href="/cr/705.2"' in said[1]
    assert re.search("CR 705.2</b> .{30}", said[1])
    assert re.search("[0-9]+%</span> \\(“.+” ", said[1])
    assert '<details class="note grounds">' in text


def test_the_grounds_of_a_ruling_are_those_of_its_rules(home: Path) -> None:
    volume = Volume(Setting(store=str(home)))
    try:
        base = volume.edition().base
        resting = Resting(base.store, base.names)
        cited = list(resting.on(base.lookup.node("705.2"), "705.2"))
        assert len(cited) > 1
        for one in cited:
            grounds = resting.grounds(base.names.ruling(one.ruling))
            assert [ground.confidence for ground in grounds if ground.rule == "705.2"] == [one.confidence]
            assert list(grounds) == sorted(grounds, key=lambda ground: -ground.confidence)
    finally:
        volume.close()


def test_a_card_says_what_its_keywords_do(web: TestClient) -> None:
    text = part(read(web, f"/card/{COIN}"), "operative")
    assert any(address.startswith("/cr/701.10") for address in leads(text, "number"))


def test_a_chapter_is_read_whole(web: TestClient) -> None:
    text = read(web, "/cr/601")
    assert leads(text, "number")[:3] == ["/cr/601.1", "/cr/601.1a", "/cr/601.2"]
    assert "/cr/601.2i" in leads(text, "number")
    assert '<a href="/cr/733" aria-describedby="to-601.2e' in text
    assert text.count('class="copies"') == text.count('<li id="r601.') + 1 > 20


def test_the_picture_of_a_subrule_has_the_others_of_its_rule(web: TestClient) -> None:
    picture = read(web, "/cr/702.19b").partition('<svg class="around"')[2].partition("</svg>")[0]
    assert '<a href="/cr/702.19c">' in picture


def test_what_cites_a_rule_is_in_the_order_of_the_book(web: TestClient) -> None:
    text = read(web, "/cr/601.2/cited-by")
    found = [address.removeprefix("/cr/") for address in leads(text) if address.startswith("/cr/")]
    assert len(found) > 50
    assert [key[:3] for key in found] == sorted(key[:3] for key in found)
    assert leads(text)[-1].startswith("/term/")


@pytest.mark.parametrize("address", ["/cr/702.9", "/keyword/flying", "/cr/601"])
def test_every_rule_can_be_copied_as_link_and_citation(web: TestClient, address: str) -> None:
    text = read(web, address)
    told = re.search(r'data-lasting="([^"]+)" data-citation="([^"]+)"', text)
    assert told is not None
    assert told[1] + "702.9b" == "/cr/2026-09-25/702.9b"
    assert told[2].replace("*", "702.9b") == "CR 702.9b (September 25, 2026)"
    assert len(re.findall('class="copies" data-key=', text)) >= len(re.findall('<ol class="rules">', text)) + 1


@pytest.mark.parametrize("form", ["json", "csv", "tsv", "xml"])
def test_rows_are_fetched_whole_by_a_link(web: TestClient, form: str) -> None:
    query = "SELECT ?rule { ?rule eli:number '702.9' }"
    link = next(
        address
        for address in map(unescape, re.findall('href="([^"]+)"', read(web, "/sparql", query=query)))
        if f"as={form}&" in address
    )
    answer = web.get(link, headers=HTML)
    assert form in answer.headers["content-type"] or form == "tsv"
    assert "/id/cr/2026-09-25/702.9" in answer.text


def test_a_form_that_rows_do_not_have_is_told(web: TestClient) -> None:
    answer = web.get("/sparql", params={"query": "ASK {}", "as": "turtle"})
    assert answer.status_code == 400
    assert "json, csv, tsv, xml" in answer.json()["detail"]


def test_what_is_loaded_is_told_with_its_hashes(web: TestClient) -> None:
    text = read(web, "/about")
    hashes = re.findall('title="([0-9a-f]{64})"', text)
    assert len(hashes) == 5  # two editions, two files of cards, one of rulings
    assert "378 cards and 150 rulings" in text
    assert 'href="/sparql?name=faults"' in text


def test_a_page_waits_for_nothing_that_it_does_not_show(home: Path) -> None:
    volume = Volume(Setting(store=str(home)))
    try:
        edition = volume.edition()
        page("api.html", volume, operations=[])
        assert not edition.is_known
        assert "suggestions" not in vars(edition)
        edition.read_ahead()
        assert edition.is_known
        assert [one.label for one in edition.suggestions.beginning("okaun")] == [COIN]
    finally:
        volume.close()


def test_a_rule_gathers_what_leads_to_its_subrules(web: TestClient) -> None:
    rule, subrule = read(web, "/cr/705"), read(web, "/cr/705.2")
    assert "<title>705.2 Flipping a Coin · " in subrule
    told = part(read(web, "/cr/702.19"), "clauses")
    assert 'href="/cr/702.19b"' in told
    assert 'href="/cr/702.19b"' not in part(read(web, "/cr/702.19b"), "clauses")
    assert "<title>705 Flipping a Coin · " in rule
    assert "<title>702.19b Trample · " in read(web, "/cr/702.19b")


def test_rulings_are_counted_grouped_and_listed_whole(web: TestClient) -> None:
    text = part(read(web, "/cr/705.2"), "rulings")
    said = re.findall('<p class="text">(.*?)</p>', text)
    assert len(said) == len(set(said)) > 1
    total = int(re.search(r"(\d+) rests? on this rule", text)[1])  # type: ignore[index]
    links = [unescape(link) for link in re.findall('href="(/sparql[^"]+)"', text)]
    assert total > 1
    for link in links:
        answer = web.get(f"{link}&as=json", headers=HTML)
        assert answer.status_code == 200
        assert answer.json()["results"]["bindings"]
    with web.app.state.shelf.lease() as volume:  # type: ignore[attr-defined]
        node = volume.edition().base.lookup.node("705.2")
        assert total == len({one.ruling for one in Resting(volume.store, volume.names).on(node, "705.2")})


def test_every_card_of_a_keyword_can_be_listed(web: TestClient) -> None:
    text = read(web, "/keyword/flying")
    link = unescape(re.search('href="(/sparql[^"]+)"', part(text, "cards"))[1])  # type: ignore[index]
    cards = {row["card"]["value"] for row in web.get(f"{link}&as=json", headers=HTML).json()["results"]["bindings"]}
    counts = web.get("/api/v1/keywords/flying").json()["keyword"]["counts"]
    assert len(cards) >= max(count for _, count in counts) > 0


def test_every_step_of_a_proof_opens_to_what_its_rule_says(web: TestClient) -> None:
    board = example_board()
    opened = 0
    for question in ("can_block(bear, drake)", "can_block(bear, rhino)", "dies(bear)"):
        text = web.post("/board", data={"board": board, "question": question, "why": "1"}, headers=HTML).text
        steps = re.findall('<p class="text note"><a class="number"[^>]*>([^<]+)</a>([^<]*)</p>', text)
        assert [rule for rule, said in steps if len(said.strip()) < 5] == []
        opened += len(steps)
    assert opened > 10


@pytest.mark.parametrize(
    "address", ["/keyword/flying", "/card/" + COIN, "/cr/702.9", "/glossary", "/about", "/ontology"]
)
def test_a_page_that_is_kept_is_not_made_again(web: TestClient, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = read(web, address)

    def made(*given: object) -> None:
        raise AssertionError("made again")

    monkeypatch.setattr("query.web.rendering._templates", made)
    monkeypatch.setattr("query.keywords.KeywordLookup.entry", made)
    monkeypatch.setattr("query.cards.CardLookup.entry", made)
    assert read(web, address) == first


SCHEMA = [
    ("/", "WebSite"),
    ("/about", "AboutPage"),
    ("/cr", "Legislation"),
    ("/glossary", "DefinedTermSet"),
    ("/keyword/flying", "DefinedTerm"),
    ("/card/" + COIN, "CreativeWork"),
    ("/cr/702.9b", "Legislation"),
    ("/term/landwalk", "DefinedTerm"),
]


@pytest.mark.parametrize(("address", "kind"), SCHEMA)
def test_a_page_tells_search_engines_what_it_is_about(web: TestClient, address: str, kind: str) -> None:
    found = re.findall('<script type="application/ld\\+json">(.*?)</script>', read(web, address))
    assert [json.loads(said)["@type"] for said in found] == [kind]
    if address == "/":
        assert json.loads(found[0])["potentialAction"]["@type"] == "SearchAction"


def test_the_lists_of_pages_hold_every_page(web: TestClient) -> None:
    lists = re.findall("<loc>http://rules.test(.*?)</loc>", web.get("/sitemap.xml").text)
    assert lists == ["/sitemap/rules-1.xml", "/sitemap/cards-1.xml"]
    pages = [page for one in lists for page in re.findall("<loc>http://rules.test(.*?)</loc>", web.get(one).text)]
    assert len(pages) == len(set(pages)) > 4500
    assert {"/", "/about", "/glossary", "/keyword/first-strike", "/term/landwalk", "/cr/702.9b"} <= set(pages)
    assert sum(page.startswith("/card/") for page in pages) >= 376
    for one in [*pages[::400], *pages[-4:]]:
        assert web.get(unescape(one)).status_code == 200, one
    assert web.get("/sitemap/cards-x.xml").status_code == 404
