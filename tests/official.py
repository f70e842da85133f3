"""Knows where the official files for tests lie; a test that finds them missing is skipped with the reason."""

from __future__ import annotations

import csv
import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ingest.document import read_rulebook
from kb.resolution import Link, links
from kb.rulebook import Rulebook

DATA = Path(os.environ.get("SEERULE_TEST_DATA", Path(__file__).parents[2] / "shared" / "data"))
EDITIONS = sorted(path.name for path in (DATA / "cr").glob("*.txt"))
ODD = sorted(path.name for path in (DATA / "cr-odd").glob("*"))

needs_data = pytest.mark.skipif(not EDITIONS, reason=f"no official files at {DATA}; set SEERULE_TEST_DATA")


def edition_file(name: str) -> Path:
    """The path of an official file."""
    return DATA / "cr" / name


@cache
def rulebook(name: str) -> Rulebook:
    """An official file as a rulebook, read once for all tests."""
    return read_rulebook(edition_file(name).read_bytes(), name)


@cache
def rulebook_links(name: str) -> tuple[Link, ...]:
    """The links of an official file, found once for all tests."""
    return tuple(links(rulebook(name)))


def manifest() -> dict[str, dict[str, str]]:
    """What is known of each official file from elsewhere, by name."""
    with open(DATA / "cr" / "MANIFEST.tsv", encoding="utf-8") as file:
        return {row["file"]: row for row in csv.DictReader(file, delimiter="\t")}


def known(name: str) -> Any:
    """A JSON file of independent counts and references."""
    return json.loads((DATA / "references" / name).read_text(encoding="utf-8"))
