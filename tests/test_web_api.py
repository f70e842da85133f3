"""The JSON API keeps its contract: what every answer carries, lists told in parts, faults that say what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.checks import positive_data_acceptance
from starlette.testclient import TestClient

from kb.shipped import shipped
from query.knowledge_base import KnowledgeBase
from tests.official import needs_data
from tests.web_home import HTML, Served, asking, official_home, outline_home, serving

EXAMPLES = 12

GETS = [
    "/api/v1",
    "/api/v1/editions",
    "/api/v1/rules",
    "/api/v1/rules/702.19b",
    "/api/v1/rules/trample/links?direction=in",
    "/api/v1/rules/702.19/neighbours",
    "/api/v1/glossary",
    "/api/v1/glossary/landwalk",
    "/api/v1/path?start=702.7&end=704.5g",
    "/api/v1/hubs",
    "/api/v1/references",
    "/api/v1/suggest?q=tramp",
    "/api/v1/search?q=trample",
    "/api/v1/queries",
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return outline_home(tmp_path_factory.mktemp("outline"))


@pytest.fixture(scope="module")
def web(home: Path) -> Iterator[TestClient]:
    with asking(home) as client:
        yield client


def test_the_api_says_what_there_is(web: TestClient) -> None:
    operations = web.get("/api/v1").json()["operations"]
    assert {"method": "POST", "path": "/api/v1/cite"}.items() <= next(
        one for one in operations if one["path"].endswith("/cite")
    ).items()
    assert len(operations) == sum(len(said) for said in web.get("/openapi.json").json()["paths"].values())
    page = web.get("/api/v1", headers=HTML)
    assert (page.status_code, page.headers["location"]) == (303, "/api")


MEANT = [
    ("/term/landwlk", "/term/landwalk"),
    ("/api/v1/glossary/landwlk", "/term/landwalk"),
    ("/cr/term/landwlk", "/term/landwalk"),
    ("/api/v1/rules/flyin", "/cr/flying"),
    ("/cr/702.19zz", "/cr/702.19"),
]


@pytest.mark.parametrize(("path", "meant"), MEANT)
def test_what_is_not_there_leads_to_what_was_meant(web: TestClient, path: str, meant: str) -> None:
    problem = web.get(path, headers={"Accept": "application/json"})
    assert problem.status_code == 404
    assert meant in [choice["address"] for choice in problem.json()["did_you_mean"]]
    assert web.get(meant).status_code in (200, 303)


@pytest.mark.parametrize("path", GETS)
def test_every_answer_carries_its_edition_and_source(web: TestClient, path: str) -> None:
    answer = web.get(path, headers={"Origin": "https://elsewhere.example"})
    assert answer.status_code == 200, answer.text
    said = answer.json()
    assert said["edition"] == "2026-09-25"
    assert re.fullmatch(r"[0-9a-f]{64}", said["source"]["sha256"])
    assert answer.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize("path", ["/api/v1/references", "/api/v1/rules?under=702", "/api/v1/hubs", "/api/v1/glossary"])
def test_the_parts_of_a_list_are_the_whole(web: TestClient, path: str) -> None:
    first = web.get(path, params={"limit": 500}) if "?" not in path else web.get(f"{path}&limit=500")
    whole, found = first.json(), list(first.json()["items"])
    following = whole["next"]
    while following:
        answer = web.get(following)
        assert f'<{following}>; rel="next"' not in answer.headers.get("link", "")
        found += answer.json()["items"]
        following = answer.json()["next"]
    assert len(found) == whole["total"] > 100
    assert len({repr(item) for item in found}) == len(found)


def test_the_references_are_the_command_lines(web: TestClient, home: Path) -> None:
    with KnowledgeBase.open(home) as base:
        pairs = [list(pair) for pair in base.references()]
    assert web.get("/api/v1/references?limit=500").json()["items"] == pairs[:500]


FAULTS = [
    ("/api/v1/rules/702.999", 404, "702"),
    ("/api/v1/rules/flyin", 404, "flying"),
    ("/api/v1/rules/exile", 300, "701.13"),
    ("/api/v1/rules/702.9?edition=1999-01-01", 404, "2026-09-25"),
    ("/api/v1/rules/702.9?edition=today", 422, "edition"),
    ("/api/v1/rules?limit=0", 422, "limit"),
    ("/api/v1/path?start=702.7", 422, "end"),
    ("/api/v1/path?start=702.7&end=702.7", 404, "no way to go"),
    ("/api/v1/glossary/landwlk", 404, "glossary"),
    ("/api/v1/cards/Black%20Knight", 404, "seerule build"),
    ("/api/v1/keywords/flyin", 404, "no keyword"),
    ("/api/v1/nothing", 404, "Nothing matches"),
]


@pytest.mark.parametrize(("path", "status", "said"), FAULTS)
def test_a_fault_is_a_problem_document(web: TestClient, path: str, status: int, said: str) -> None:
    answer = web.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert answer.json()["status"] == status
    assert said in answer.text


def test_a_board_is_judged(web: TestClient) -> None:
    asked = {
        "board": shipped("boards", "drake.yaml").read_text(),
        "question": "can_block(bear, drake)",
        "why_not": True,
    }
    said = web.post("/api/v1/ask", json=asked).json()
    assert (said["answer"], said["edition"]) == ("no", "2026-09-25")
    assert "702.9b" in said["citations"]
    assert said["flips"]
    wrong = web.post("/api/v1/ask", json=asked | {"question": "nonsense(x)"})
    assert (wrong.status_code, "no predicate" in wrong.json()["detail"]) == (422, True)
    broken = web.post("/api/v1/ask", json=asked | {"board": "players: [a"})
    assert (broken.status_code, "YAML" in broken.json()["detail"]) == (422, True)
    legal = web.post("/api/v1/ask", json=asked | {"question": "legal_blocks", "why_not": False}).json()
    assert legal["declaration"]["proven"] is True


@needs_data
def test_a_question_is_cited(tmp_path: Path) -> None:
    with asking(official_home(tmp_path, "cr-20260925.txt", cards=False), aside_seconds=120.0) as web:
        asked = {"text": "Can a creature with reach block a creature with flying?"}
        said = web.post("/api/v1/cite", json=asked).json()
        assert said["citations"][0]["rule"].startswith("702.9")
        assert said["citations"][0]["formats"]["short"].endswith("(September 25, 2026)")
        for form in ("markdown", "html", "bibtex", "csl-json"):
            assert "http://rules.test/cr/2026-09-25/702.9" in said["citations"][0]["formats"][form]
        evidence = said["citations"][0]["evidence"][0]
        assert said["text"][evidence["start"] : evidence["end"]] == evidence["text"]
        page = web.post("/cite", data=asked, headers={"Accept": "text/html"}).text
        assert "<mark>" in page
        assert 'href="/cr/702.9' in page


def test_the_contract_names_every_route_and_its_faults(web: TestClient) -> None:
    contract = web.get("/openapi.json").json()
    assert contract["openapi"].startswith("3.1")
    assert len(contract["paths"]) >= 16
    assert all(path.startswith("/api/v1") for path in contract["paths"])
    for methods in contract["paths"].values():
        for operation in methods.values():
            assert operation["description"]
            assert "application/problem+json" in operation["responses"]["404"]["content"]
    page = web.get("/api", headers={"Accept": "text/html"}).text
    assert all(path in page for path in contract["paths"])


@pytest.fixture(scope="module")
def served(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(home, tmp_path_factory.mktemp("served")) as server:
        yield server


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_no_request_breaks_the_contract(served: Served, mode: GenerationMode) -> None:
    contract = schemathesis.openapi.from_url(f"{served.address}/openapi.json", config=_expected())
    operations = [found.ok() for found in contract.get_all_operations()]
    assert len(operations) >= 17
    for operation in operations:
        keeps(operation, mode)


def _expected() -> SchemathesisConfig:
    """What may answer a request that breaks the schema: a body too long is cut off with 413 before it is read."""
    statuses = [400, 404, 405, 406, 413, 415, 422]
    return SchemathesisConfig.from_dict({"checks": {"negative_data_rejection": {"expected-statuses": statuses}}})


def keeps(operation: schemathesis.APIOperation, mode: GenerationMode) -> None:
    """Asks an operation again and again, and checks each answer against the contract."""
    # what a board and a question may say is a language of its own, which no schema describes
    unfit = [positive_data_acceptance] if operation.path.endswith("/ask") else []

    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck), deadline=None, database=None)
    @given(case=operation.as_strategy(generation_mode=mode))
    def holds(case: schemathesis.Case) -> None:
        case.call_and_validate(excluded_checks=unfit)

    holds()
