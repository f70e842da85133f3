"""The command line answers as the Python API does, in text for people and in JSON for programs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pyoxigraph as ox
import pytest
from click.shell_completion import ShellComplete

from query.cli import group
from tests.official import edition_file, needs_data

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An empty home, where the outline answers."""
    return str(tmp_path_factory.mktemp("home"))


def run(*arguments: str, home: str = "", text: str | None = None) -> subprocess.CompletedProcess[str]:
    surroundings = os.environ | ({"SEERULE_HOME": home} if home else {})
    command = [sys.executable, "-m", "query.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=surroundings, input=text, check=False)


JSON = [
    (("show", "702.7", "--json"), ("key", "702.7")),
    (("links", "702.7", "--out", "--json"), ("edition", "2026-09-25")),
    (("path", "702.7", "510", "--json"), ("edition", "2026-09-25")),
    (("hubs", "--count", "2", "--json"), ("edition", "2026-09-25")),
    (("references", "--json"), ("edition", "2026-09-25")),
    (("editions", "--json"), ("current", "2026-09-25")),
    (("sparql", "--json", "ASK {}"), ("boolean", True)),
]


@pytest.mark.parametrize(("arguments", "expected"), JSON, ids=lambda value: value[0])
def test_json_has_the_edition_and_the_answer(
    arguments: tuple[str, ...], expected: tuple[str, object], home: str
) -> None:
    done = run(*arguments, home=home)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)[expected[0]] == expected[1]


OUTLINE = [
    ("show", "702.7"),
    ("links", "702.7"),
    ("path", "702.7", "510"),
    ("hubs",),
    ("references",),
    ("sparql", "ASK {}"),
    *(("sparql", "ASK {}", "--format", name) for name in ("json", "csv", "tsv", "xml")),
    ("sparql", "DESCRIBE <urn:x>", "--format", "turtle"),
    ("keyword", "flying"),
]


@pytest.mark.parametrize("arguments", OUTLINE, ids=" ".join)
def test_every_answer_names_its_edition_and_that_only_the_outline_is_loaded(
    arguments: tuple[str, ...], home: str
) -> None:
    done = run(*arguments, home=home)
    told = done.stderr if arguments[0] in ("sparql", "references", "keyword") else done.stdout
    assert "edition of 2026-09-25" in told
    assert ("the official text is not loaded: seerule build" in told) or ("only the outline" in told)


@pytest.mark.parametrize("arguments", OUTLINE[1:5], ids=" ".join)
def test_json_tells_that_only_the_outline_is_loaded(arguments: tuple[str, ...], home: str) -> None:
    assert json.loads(run(*arguments, "--json", home=home).stdout)["outline"] is True


FAULTS = [
    (("keyword", "flying"), "no keywords and no cards; for those: seerule build --cards --rulings"),
    (("show", "799"), "there is no chapter 799"),
    (("show", "General"), "ask for one"),
    (("show", "702.7", "--edition", "2019-10-04"), "there is no edition '2019-10-04'"),
    (("show", "702.7", "--edition", "2020-13-45"), "is no date as YYYY-MM-DD"),
    (("show", "702.7", "--edition", "20260925"), "Did you mean “2026-09-25”?"),
    (("hubs", "--edition", "2026"), "Did you mean “2026-09-25”?"),
    (("links", "7", "--edition", "2026-10-01"), "On that day the edition of 2026-09-25 was the newest"),
    (("rulings", "--rule", "702.7", "--card", "Shock"), "--card and --rule are two questions"),
    (("rulings",), "name a card or a rule"),
    (("path", "702.7d", "510"), "no chain of references"),
    (("links", "nonsense words"), "no rule, heading or glossary entry"),
    (("build", "no-such-file.txt"), "there is no such file"),
    (("export", "--json", "--format", "turtle"), "--json is --format jsonld"),
    (("audit", "no-such-file.txt"), "does not exist"),
    (("sparql", "SELECT nonsense"), "line 1"),
    (("sparql", "INSERT DATA { <urn:a> <urn:b> <urn:c> }"), "read"),
    (("sparql", "SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }"), "SERVICE"),
    (("hubs", "--count", "0"), "--count"),
    (("nonsense",), "There is no command"),
    (("show",), "Missing argument"),
    (("--home", "ftp://x", "show", "7"), "ftp://x"),
    (("--home", "/dev/null", "build", "README.md"), "/dev/null cannot hold a store: Not a directory"),
    (("--home", "README.md", "build", "README.md"), "README.md cannot hold a store: Not a directory"),
    (("--home", "/dev/null/deep", "build", "README.md"), "/dev/null/deep cannot hold a store"),
    (("--home", "/dev/null", "build", "--offline"), "/dev/null cannot hold a store: Not a directory"),
    (("sparql", "--timeout", "nan", "ASK {}"), "no number of seconds"),
    (("sparql", "--timeout", "1e400", "ASK {}"), "not in the range"),
    (("sparql", "--timeout", "1e300", "ASK {}"), "not in the range"),
    (("sparql", "--timeout", "-1", "ASK {}"), "not in the range"),
    (("sparql", "--limit", "-3", "ASK {}"), "not in the range"),
    (("sparql", "--limit", "9" * 30, "ASK {}"), "not in the range"),
    (("keyword", "flying", "--samples", "-1"), "not in the range"),
    (("keyword", "flying", "--limit", "-3"), "not in the range"),
    (("keyword", "flying", "--limit", "nan"), "not a valid integer"),
    (("rulings", "--rule", "702.9", "--limit", "-3"), "not in the range"),
    (("links", "702.9", "--depth", "-1"), "not in the range"),
    (("links", "702.9", "--depth", "inf"), "not a valid integer"),
    (("hubs", "--count", "-3"), "not in the range"),
    (("show", "\udcff"), "is no text"),
    (("card", "\udcff"), "is no text"),
    (("keyword", "term/\udcff"), "is no text"),
    (("sparql", 'ASK { ?s ?p "\udcff" }'), "is no text"),
]


@pytest.mark.parametrize(("arguments", "message"), FAULTS, ids=lambda value: value[0])
def test_a_fault_is_one_message_and_status_2(arguments: tuple[str, ...], message: str, home: str) -> None:
    done = run(*arguments, home=home)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["turtle", "ntriples", "nquads", "trig", "jsonld"])
def test_every_format_of_an_export_holds_the_same_triples(name: str, home: str) -> None:
    done = run("export", "--format", name, home=home)
    whole = run("export", "--format", "ntriples", home=home)
    formats = {"turtle": "TURTLE", "ntriples": "N_TRIPLES", "nquads": "N_QUADS", "trig": "TRIG", "jsonld": "JSON_LD"}
    read = {quad.triple for quad in ox.parse(BytesIO(done.stdout.encode()), getattr(ox.RdfFormat, formats[name]))}
    expected = {quad.triple for quad in ox.parse(BytesIO(whole.stdout.encode()), ox.RdfFormat.N_TRIPLES)}
    assert len(expected) > 40_000
    assert read == expected


def test_an_export_as_json_is_json_ld(home: str) -> None:
    done = run("export", "--json", home=home)
    assert done.stdout == run("export", "--format", "jsonld", home=home).stdout
    assert "@id" in done.stdout
    assert run("export", home=home).stdout == run("export", "--format", "turtle", home=home).stdout


def test_nothing_is_coloured_in_a_pipe(home: str) -> None:
    assert "\x1b" not in run("show", "702.7", home=home).stdout


def test_a_reader_that_stops_early_is_no_fault(home: str) -> None:
    line = f'"{sys.executable}" -m query.cli references | head -n 1'
    done = subprocess.run(
        line, shell=True, capture_output=True, text=True, cwd=ROOT, env=os.environ | {"SEERULE_HOME": home}, check=False
    )
    assert done.stdout == "100.2a\t201.3\n"
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_name_the_command(shell: str) -> None:
    done = run("completion", shell)
    assert done.returncode == 0
    assert "_SEERULE_COMPLETE" in done.stdout


COMPLETED = [
    ("show fir", "first-strike"),
    ("show first str", "strike"),
    ("show 70", "702"),
    ("show 702.7", "702.7a"),
    ("links state", "state-based-actions"),
    ("links 510.", "510.1c"),
    ("path 702.7 comb", "combat-damage-step"),
    ("path land", "landwalk"),
    ("keyword fly", "flying"),
    ("show 702.7 --edition 20", "2026-09-25"),
    ("hubs --edition ", "2026-09-25"),
    ("sparql --edition 2026", "2026-09-25"),
    ("validate --edition 20", "2026-09-25"),
    ("sho", "show"),
]


@pytest.mark.parametrize(("line", "completion"), COMPLETED)
def test_the_shell_completes_what_is_in_the_store(line: str, completion: str, home: str) -> None:
    *before, incomplete = line.split(" ")
    found = ShellComplete(group, {}, "seerule", "_SEERULE_COMPLETE").get_completions(
        ["--home", home, *before], incomplete
    )
    assert completion in [item.value for item in found]
    assert len(found) < 100
    assert all(item.value.startswith(incomplete) for item in found)


def test_nothing_is_completed_from_a_store_that_is_none() -> None:
    shell = ShellComplete(group, {}, "seerule", "_SEERULE_COMPLETE")
    assert shell.get_completions(["--home", "ftp://x", "show"], "fir") == []
    assert shell.get_completions(["--home", "ftp://x", "hubs", "--edition"], "20") == []


@needs_data
def test_audit_prints_findings_and_tells_broken_files_by_its_status() -> None:
    done = run("audit", str(edition_file("cr-20260116.txt")))
    assert done.returncode == 0
    assert "glossary entry Endure: “rule 702.62, “Endure.””: 702.62 is titled 'Suspend'" in done.stdout
    assert "glossary entry Map" in done.stdout
    wrong = run("audit", "--expect", "rules=1", "--json", str(edition_file("cr-20260116.txt")))
    assert wrong.returncode == 1
    assert "count" in {finding["kind"] for finding in json.loads(wrong.stdout)["findings"]}
