"""Every entry has an address that stays, in every form that it says it has, and a wrong address says what was meant."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from pyoxigraph import NamedNode, RdfFormat, parse
from starlette.applications import Starlette
from starlette.testclient import TestClient

from query.describe import description
from query.knowledge_base import KnowledgeBase
from query.web.addresses import FORMS, card_page, document
from query.web.documents import _html
from tests.official import needs_data
from tests.tables import table
from tests.web_home import HTML, asking, official_home, outline_home

EDITION = "2026-09-25"
_RDF = {"ttl": RdfFormat.TURTLE, "nt": RdfFormat.N_TRIPLES, "jsonld": RdfFormat.JSON_LD}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return outline_home(tmp_path_factory.mktemp("outline"))


@pytest.fixture(scope="module")
def web(home: Path) -> Iterator[TestClient]:
    with asking(home) as client:
        yield client


@pytest.fixture(scope="module")
def official(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with asking(official_home(tmp_path_factory.mktemp("official"), cite=True)) as client:
        yield client


@pytest.mark.parametrize(("accept", "form"), table("accept.txt", at_least=18))
def test_the_accept_header_decides(web: TestClient, accept: str, form: str) -> None:
    answer = web.get("/cr/702.19b", headers={"Accept": accept})
    if form == "406":
        assert answer.status_code == 406
        assert all(kind in answer.json()["detail"] for kind in FORMS.values())
        return
    assert answer.headers["content-type"].split(";")[0] == FORMS[form]
    assert answer.headers["content-location"] == f"/cr/702.19b.{form}"
    assert "Accept" in answer.headers["vary"]
    assert answer.content == web.get(f"/cr/702.19b.{form}", headers={"Accept": "image/png"}).content


@pytest.mark.parametrize("form", _RDF)
@pytest.mark.parametrize("key", ["702.19", "702.19b", "702", "7", "term/landwalk"])
def test_the_forms_of_rdf_say_the_same(web: TestClient, home: Path, form: str, key: str) -> None:
    answer = web.get(document(key, None, form))
    found = {quad.triple for quad in parse(answer.content, _RDF[form])}
    with KnowledgeBase.open(home) as base:
        assert found == set(description(base.lookup, key)) != set()


def test_json_is_the_command_lines(web: TestClient, home: Path) -> None:
    with KnowledgeBase.open(home) as base:
        wanted = json.loads(json.dumps(base.show("702.19b").as_json()))
    answer = web.get("/cr/702.19b.json").json()
    assert answer["entry"] == wanted
    assert answer["edition"] == EDITION
    assert len(answer["source"]["sha256"]) == 64


@pytest.mark.parametrize("path", ["/cr?title=exile", "/cr/exile"])
def test_a_name_that_several_bear_is_answered_with_the_choices(web: TestClient, path: str) -> None:
    problem = web.get(path, headers={"Accept": "application/json"})
    assert problem.status_code == 300
    addresses = [choice["address"] for choice in problem.json()["did_you_mean"]]
    assert len(addresses) > 1
    assert all(web.get(address).status_code == 200 for address in addresses)
    assert all(f'href="{address}"' in web.get(path, headers=HTML).text for address in addresses)


WRONG = [
    ("/cr/702.999", 404, "there is no rule 702.999"),
    ("/cr/flyin", 404, "flying"),
    ("/cr/1999-01-01/702.19", 404, EDITION),
    ("/term/landwlk", 404, "glossary"),
    ("/cr/702.9/cited-by?page=none", 400, "page=none"),
    ("/id/nonsense/702", 404, "nonsense"),
    ("/method/no-such", 404, "no-such"),
    ("/ontology.png", 404, "png"),
    ("/cr.png", 404, "png"),
    ("/cr/702.9/cited-by.ttl", 404, ".ttl"),
    ("/card/Black%20Knight", 404, "seerule build"),
    ("/ruling/0123", 404, "0123"),
    ("/nowhere", 404, "Nothing matches"),
]


@pytest.mark.parametrize(("path", "status", "said"), WRONG)
@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_a_wrong_address_says_what_to_do(web: TestClient, path: str, status: int, said: str, accept: str) -> None:
    answer = web.get(path, headers={"Accept": accept})
    assert answer.status_code == status
    assert said in answer.text
    if accept == "application/json":
        assert answer.headers["content-type"] == "application/problem+json"
        assert {"type", "title", "status", "detail"} <= answer.json().keys()


def test_a_client_that_has_the_page_gets_none(web: TestClient) -> None:
    first = web.get("/cr/702.19", headers=HTML)
    again = web.get("/cr/702.19", headers=HTML | {"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    later = web.get("/cr/702.19", headers=HTML | {"If-Modified-Since": first.headers["last-modified"]})
    assert later.status_code == 304
    other = web.get("/cr/702.19", headers=HTML | {"If-None-Match": '"another"', "If-Modified-Since": "tomorrow"})
    assert other.status_code == 200


@pytest.mark.parametrize("path", ["/", "/cr", "/cr/702.19", "/cr/702.19.ttl", "/sparql", "/api/v1/editions", "/health"])
def test_head_is_get_without_the_body(web: TestClient, path: str) -> None:
    plain = {"Accept-Encoding": "identity"}
    head, get = web.head(path, headers=plain), web.get(path, headers=plain)
    assert (head.status_code, head.content) == (get.status_code, b"")
    assert head.headers["content-length"] == str(len(get.content))


def test_links_in_the_head_say_where_the_other_forms_are(web: TestClient) -> None:
    said = web.get("/cr/702.19").headers["link"]
    addresses = re.findall(r'<(/[^>]*)>; rel="alternate"', said)
    assert len(addresses) == len(FORMS)
    assert all(web.get(address).status_code == 200 for address in addresses)
    assert f'<http://rules.test/cr/{EDITION}/702.19>; rel="canonical"' in said


class Ids(HTMLParser):
    """Every id, link and reference to an id in a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: set[str] = set()
        self.described: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name == "id" and value:
                self.ids.append(value)
            elif name == "href" and value and tag == "a":
                self.links.add(value)
            elif name in ("aria-describedby", "aria-labelledby") and value:
                self.described.add(value)


@needs_data
def test_every_entry_has_a_page_with_ids_of_its_own(official: TestClient) -> None:
    everything = [item["key"] for item in _all(official, "/api/v1/rules") + _all(official, "/api/v1/glossary")]
    assert len(everything) > 3900
    for key in everything[::23]:
        answer = official.get(document(key), headers=HTML)
        assert answer.status_code == 200, key
        page = Ids(answer.text)
        assert len(page.ids) == len(set(page.ids)), key
        assert page.described <= set(page.ids), key


@needs_data
def test_every_page_is_light(official: TestClient) -> None:
    rules = [item["key"] for item in _all(official, "/api/v1/rules")]
    assert len(rules) > 3300
    with official.app.state.shelf.lease() as volume:  # type: ignore[attr-defined]
        pages = {key: _html(volume, volume.edition(), key, "http://rules.test") for key in rules}
    heavy = {key: len(page) for key, page in pages.items() if len(page) > 60_000}
    assert heavy == {}


def _all(client: TestClient, path: str) -> list[dict[str, str]]:
    found: list[dict[str, str]] = []
    following: str | None = f"{path}?limit=500"
    while following:
        answer = client.get(following).json()
        found += answer["items"]
        following = answer["next"]
    assert len(found) == answer["total"]
    return found


@needs_data
@pytest.mark.parametrize("start", ["/", "/cr/601.2", "/cr/702.14", "/term/landwalk", "/about", "/glossary", "/cr/702"])
def test_no_link_is_dead(official: TestClient, start: str) -> None:
    local = {link.partition("#")[0] for link in Ids(official.get(start, headers=HTML).text).links}
    local = {link for link in local if link.startswith("/")} - {"/cite", "/board"}
    assert len(local) > 5
    for link in sorted(local)[:80]:
        answer = official.get(link, headers=HTML, follow_redirects=True)
        assert answer.status_code == 200, link


@needs_data
def test_another_edition_shows_where_the_words_went(official: TestClient) -> None:
    older = official.get("/cr/2025-09-19/702.19", headers=HTML).text
    assert "You are reading the edition of 2025-09-19" in older
    assert 'href="/cr/2026-09-25/702.19"' in older or 'href="/cr/702.19"' in older
    there = official.get("/cr?entry=702.19&edition=2025-09-19")
    assert there.headers["location"] == "/cr/2025-09-19/702.19"
    page = official.get("/cr/702.19", headers=HTML).text
    assert "Across 2 editions" in page


@needs_data
def test_schema_org_names_the_thing(official: TestClient) -> None:
    text = official.get("/cr/702.19b", headers=HTML).text
    found = re.search(r'<script type="application/ld\+json">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    said = json.loads(found[1])
    assert said["legislationIdentifier"] == "CR 702.19b"
    assert said["@id"].endswith(f"/id/cr/{EDITION}/702.19b")


@needs_data
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", ["card", "keyword"])
def test_cards_and_keywords_have_every_form(official: TestClient, kind: str, form: str) -> None:
    address = _a_card(official) if kind == "card" else "/keyword/flying"
    answer = official.get(f"{address}.{form}")
    assert answer.status_code == 200
    assert answer.headers["content-type"].split(";")[0] == FORMS[form]
    if form in _RDF:
        assert len(list(parse(answer.content, _RDF[form]))) > 3


def _a_card(client: TestClient) -> str:
    """The address of a card of the sample."""
    rows = client.post(
        "/sparql",
        data={"query": "SELECT ?name { ?card a sr:Card ; sr:name ?name } ORDER BY ?name LIMIT 1 OFFSET 20"},
        headers={"Accept": "text/csv"},
    ).text.split("\r\n")
    return card_page(rows[1].strip('"'))


@needs_data
def test_a_card_is_found_by_its_identity(official: TestClient) -> None:
    iri = official.get(f"{_a_card(official)}.json").json()["card"]["iri"]
    document_of_it = official.get(iri.replace("https://seerule.example", ""), follow_redirects=True)
    assert document_of_it.status_code == 200
    assert str(document_of_it.url).endswith(_a_card(official))


def test_the_sitemap_holds_every_entry(web: TestClient) -> None:
    assert "<loc>http://rules.test/sitemap/rules-1.xml</loc>" in web.get("/sitemap.xml").text
    text = web.get("/sitemap/rules-1.xml").text
    assert text.count("<loc>http://rules.test/") > 3900
    assert "<loc>http://rules.test/cr/702.19b</loc>" in text
    assert "Sitemap: http://rules.test/sitemap.xml" in web.get("/robots.txt").text


@needs_data
def test_a_rule_tells_which_rulings_rest_on_it(official: TestClient) -> None:
    query = "SELECT ?number { GRAPH ?g { ?c oa:hasBody ?rule ; sr:asserted true } ?rule eli:number ?number } LIMIT 1"
    rows = official.post("/sparql", data={"query": query}, headers={"Accept": "text/csv"}).text.split()
    assert len(rows) == 2
    page = official.get(document(rows[1]), headers=HTML).text
    assert "on this rule" in page
    assert "confidence" in page


@needs_data
def test_a_rule_tells_which_clauses_and_cards_lead_to_it(official: TestClient) -> None:
    page = official.get("/cr/702.9b", headers=HTML).text
    assert "<b>flying</b> <code>stopped(" in page
    flying = official.get("/cr/702.9", headers=HTML).text
    assert 'href="/keyword/flying"' in flying


@needs_data
def test_the_counts_told_are_those_of_the_store(official: TestClient) -> None:
    query = "SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g"
    rows = official.post("/sparql", data={"query": query}, headers={"Accept": "text/csv"}).text.split()[1:]
    counted = {NamedNode(graph): int(count) for graph, count in (row.split(",") for row in rows)}
    assert len(counted) >= 10
    site = official.app
    assert isinstance(site, Starlette)
    with site.state.shelf.lease() as volume:
        assert dict(volume.counts) == counted
