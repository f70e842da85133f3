"""Knows what tests of several modules share: a web site, and one who fetches from it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web_site import Client, Site, web_site


@pytest.fixture
def site() -> Iterator[Site]:
    with web_site() as open_site:
        yield open_site


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Client:
    """A client that nothing in its surroundings leads elsewhere."""
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.delenv("SEERULE_SOURCES", raising=False)
    return Client(tmp_path / "cache")
