"""The command `validate` over a home built from the small rulebook: what it prints, and its exit status."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ingest.build import Inputs, build_home
from kb.home import Home
from query.cli import group
from tests.small_rulebook import EDITION, TEXT, with_changes

NEWER = with_changes(("February 3, 2020", "March 4, 2021"), ("101.1. Each", "Each"), ("See Slot.", "See Pocket."))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home of two editions, of which the newer lacks a number and points at nothing once."""
    folder = tmp_path_factory.mktemp("validate")
    paths = [folder / "older.txt", folder / "newer.txt"]
    for path, text in zip(paths, (TEXT, NEWER), strict=True):
        path.write_text(text, encoding="utf-8")
    build_home(Inputs(tuple(paths), add=False, force=True), Home(folder / "home"), lambda step: None)
    return folder / "home"


def run(home: Path, *arguments: str) -> Result:
    return CliRunner().invoke(group, ["validate", "--home", str(home), *arguments])


def test_a_sound_edition_conforms(home: Path) -> None:
    done = run(home, "--edition", EDITION)
    assert (done.exit_code, done.output) == (0, "edition of 2020-02-03: 0 violations, 0 warnings, 0 infos\n")


@pytest.mark.parametrize(
    ("arguments", "last"), [((), "2 editions"), (("--shapes",), "edition of 2021-03-04")], ids=["all", "shapes"]
)
def test_what_is_wrong_is_printed_and_fails(home: Path, arguments: tuple[str, ...], last: str) -> None:
    done = run(home, *arguments)
    assert done.exit_code == 1
    assert done.output.splitlines() == [
        "2021-03-04 warning: 101.2: the number 101.1 before it is missing (number-gap)",
        "2021-03-04 info: term/hole/reference/1: the reference does not mean what it says: "
        "the glossary has no entry 'Pocket' (reference-fault)",
        f"{last}: 0 violations, 1 warning, 1 info",
    ]


def test_json_says_the_same(home: Path) -> None:
    said = json.loads(run(home, "--json").output)
    assert said["editions"] == [EDITION, "2021-03-04"]
    assert [(result["check"], result["place"]) for result in said["results"]] == [
        ("number-gap", "101.2"),
        ("reference-fault", "term/hole/reference/1"),
    ]
