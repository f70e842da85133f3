"""Knows how the suite runs, and what tests of several modules share.

Properties have no deadlines, since speed is measured in tests/bench, never asserted here.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.web_site import Client, Site, web_site

settings.register_profile("seerule", deadline=None, derandomize=True)
settings.load_profile("seerule")


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
