"""Every thing that the data names has an address that leads to a document about it, and a suffix says what comes."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from pyoxigraph import RdfFormat, parse
from starlette.testclient import TestClient

from query.web.addresses import FORMS
from tests.official import needs_data
from tests.web_home import asking, official_home, outline_home

EDITION = "2026-09-25"
_RDF = {"ttl": RdfFormat.TURTLE, "nt": RdfFormat.N_TRIPLES, "jsonld": RdfFormat.JSON_LD}


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with asking(outline_home(tmp_path_factory.mktemp("outline"))) as client:
        yield client


@pytest.fixture(scope="module")
def official(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with asking(official_home(tmp_path_factory.mktemp("official"), cite=True)) as client:
        yield client


REDIRECTS = [
    ("/id/cr/702.19b", "/cr/702.19b"),
    (f"/id/cr/{EDITION}/702.19b", f"/cr/{EDITION}/702.19b"),
    ("/id/term/landwalk", "/term/landwalk"),
    ("/id/keyword/flying", "/keyword/flying"),
    ("/id/card/Black%20Knight", "/card/Black%20Knight"),
    ("/id/ruling/0123", "/ruling/0123"),
    (f"/id/cr/{EDITION}/702.19b/example/1", f"/cr/{EDITION}/702.19b/example/1"),
    ("/id/cr", "/cr"),
    (f"/id/cr/{EDITION}", f"/cr/{EDITION}"),
    (f"/id/cr/{EDITION}/glossary", f"/cr/{EDITION}/glossary"),
    (f"/id/cr/{EDITION}/introduction/1", f"/cr/{EDITION}"),
    ("/id/ruling/0123/citation/1", "/ruling/0123"),
    ("/id/ruling/0123/citation/1/evidence/2", "/ruling/0123"),
    ("/id/ruling/0123/mention/1", "/ruling/0123"),
    ("/id/ruling/0123/reference/1", "/ruling/0123"),
    ("/id/card/0123/face/1", "/card/0123#face-1"),
    ("/id/card/0123/face/2/use/3", "/card/0123#face-2"),
    ("/id/method/citation-ranking", "/method/citation-ranking"),
    ("/id/tag/color/white", "/tag/color/white"),
    ("/id/format/modern", "/format/modern"),
    ("/ontology/0.1.0", "/ontology"),
    ("/id/data-set", "/void"),
    (f"/cr/{EDITION}.ttl", f"/graph/cr/{EDITION}.ttl"),
    (f"/cr/{EDITION}/glossary.nt", f"/graph/cr/{EDITION}.nt"),
    ("/cr.jsonld", f"/graph/cr/{EDITION}.jsonld"),
    ("/glossary.ttl", f"/graph/cr/{EDITION}.ttl"),
    ("/cr/702.9/cited-by.json", f"/api/v1/rules/702.9/links?direction=in&edition={EDITION}"),
    ("/cr/702.19b/example/1", "/cr/702.19b#example-1"),
    ("/cr/702.19b/reference/2", "/cr/702.19b#reference-2"),
    ("/cr/trample", "/cr/702.19"),
    ("/cr/First%20Strike.json", "/cr/702.7.json"),
    ("/cr/CR%20702.19B", "/cr/702.19b"),
    ("/cr?title=trample", "/cr/702.19"),
    ("/cr/landwalk", "/cr/702.14"),
    (f"/cr/{EDITION}/keyword/flying", f"/keyword/flying?edition={EDITION}"),
    ("/.well-known/void", "/void"),
]


@pytest.mark.parametrize(("address", "there"), REDIRECTS)
def test_an_address_leads_to_the_document(web: TestClient, address: str, there: str) -> None:
    answer = web.get(address)
    assert (answer.status_code, answer.headers["location"]) == (303, there)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("path", [f"/cr/{EDITION}", f"/cr/{EDITION}/glossary", "/cr", "/glossary", "/ontology"])
def test_a_suffix_says_what_comes(web: TestClient, path: str, form: str) -> None:
    answers = (web.get(f"{path}.{form}"), web.get(path, headers={"Accept": FORMS[form]}))
    for answer in answers:
        while answer.status_code == 303:
            answer = web.get(answer.headers["location"])
        if path == "/ontology" and form in ("json", "md", "txt"):
            assert answer.status_code in (404, 406)
            continue
        assert (answer.status_code, answer.headers["content-type"].split(";")[0]) == (200, FORMS[form])
        if form in _RDF:
            assert len(list(parse(answer.content, _RDF[form]))) > 100


def test_the_contents_are_the_same_in_every_form(web: TestClient) -> None:
    for path, wanted in ((f"/cr/{EDITION}", "702"), (f"/cr/{EDITION}/glossary", "term/landwalk")):
        said = web.get(f"{path}.json").json()
        items = {item["key"]: item for part in said["parts"] for item in part["items"]}
        assert web.get(items[wanted]["address"]).status_code == 200
        assert (said["edition"], len(said["source"]["sha256"])) == (EDITION, 64)
        for form in ("md", "txt"):
            text = web.get(f"{path}.{form}").text
            assert all((item["title"] or key) in text for key, item in items.items())


@needs_data
def test_every_thing_that_the_data_names_is_told_of(official: TestClient) -> None:
    query = "SELECT DISTINCT ?s { GRAPH ?g { ?s ?p ?o } FILTER(ISIRI(?s)) }"
    with official.app.state.shelf.lease() as volume:  # type: ignore[attr-defined]
        base, found = volume.names.base, [row[0].value for row in volume.store.select(query)]
    patterns = {re.sub(r"[0-9a-f-]{16,}|[0-9][^/]*|(?<=/term/)[^/]+|(?<=/tag/).+", "N", iri): iri for iri in found}
    assert len(patterns) > 20
    for iri in patterns.values():
        path = iri.removeprefix(base)
        kinds = ("text/turtle",) if path.startswith("graph/") else ("text/html", "text/turtle")
        for accept in ("text/html",) if path.startswith("id/source/") else kinds:
            answer = official.get(f"/{path}", headers={"Accept": accept})
            for _ in range(4):
                if answer.status_code == 303:
                    answer = official.get(answer.headers["location"], headers={"Accept": accept})
            assert (answer.status_code, answer.headers["content-type"].split(";")[0]) == (200, accept), iri


@pytest.fixture(scope="module")
def editions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    home = tmp_path_factory.mktemp("editions")
    with asking(official_home(home, "cr-20191004.txt", "cr-20260925.txt", cards=False)) as client:
        yield client


DATED = [
    "/search?q=trample+damage",
    "/api/v1/search?q=trample",
    "/api/v1/rules/702.19",
    "/api/v1",
    "/openapi.json",
    "/robots.txt",
    "/sparql?query=ASK%20{}",
    "/sparql",
    "/cr/702.19",
    "/glossary",
]


@pytest.mark.parametrize("path", DATED)
def test_an_answer_is_as_old_as_the_store(web: TestClient, path: str) -> None:
    first = web.get(path)
    assert first.status_code == 200
    again = web.get(path, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    assert web.get(path, headers={"If-Modified-Since": first.headers["last-modified"]}).status_code == 304
    assert web.get(path, headers={"If-None-Match": 'W/"another"'}).content == first.content
    assert "Accept" in first.headers["vary"]


@pytest.mark.parametrize(
    "path", ["/sparql?query=SELECT%20(NOW()%20AS%20%3Fn)%20{}", "/api/v1/rules/702.999", "/health", "/metrics"]
)
def test_what_changes_by_itself_has_no_tag(web: TestClient, path: str) -> None:
    assert "etag" not in web.get(path).headers


@needs_data
@pytest.mark.parametrize("path", ["/keyword/flyin", "/api/v1/keywords/flyin", "/keyword/flyin.ttl"])
def test_a_misspelt_keyword_leads_to_the_keyword(editions: TestClient, path: str) -> None:
    problem = editions.get(path, headers={"Accept": "application/json"})
    assert problem.status_code == 404
    assert problem.json()["did_you_mean"][0] == {"label": "Flying", "address": "/keyword/flying"}


FORMER = [  # as the numbers of both editions were read side by side
    ("/cr/702.36e", "today (2026-09-25) the same rule is 702.37e", ["/cr/702.37e", "/cr/2019-10-04/702.36e"]),
    ("/api/v1/rules/702.36e", "2019-10-04", ["/cr/702.37e", "/cr/2019-10-04/702.36e"]),
    ("/cr/2026-09-25/702.36e.json", "2019-10-04", ["/cr/702.37e", "/cr/2019-10-04/702.36e"]),
    ("/cr/2019-10-04/702.175a", "702.175a is in the rules of 2026-09-25", ["/cr/2026-09-25/702.175a"]),
]


@needs_data
@pytest.mark.parametrize(("path", "said", "links"), FORMER)
def test_a_number_of_another_edition_is_told(editions: TestClient, path: str, said: str, links: list[str]) -> None:
    problem = editions.get(path, headers={"Accept": "application/json"})
    assert problem.status_code == 404
    assert said in problem.json()["detail"]
    assert [choice["address"] for choice in problem.json()["did_you_mean"]] == links
    assert all(editions.get(link).status_code == 200 for link in links)
    if path.startswith("/cr"):
        page = editions.get(path, headers={"Accept": "text/html"})
        assert page.status_code == 404
        assert all(f'href="{link}"' in page.text for link in links)
