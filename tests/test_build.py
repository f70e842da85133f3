"""A build is all or nothing: refused files leave the old content, repeated ones change nothing."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from ingest.build import BuildRefused, Inputs, build_home
from kb.home import Home
from kb.index_source import derive_index
from query.cli import group
from query.knowledge_base import KnowledgeBase
from tests.official import DATA, ODD, edition_file, needs_data

ROOT = Path(__file__).parent.parent
NEW, OLD = "cr-20260925.txt", "cr-20010723.txt"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A home with the newest edition and one of the oldest."""
    home = Home(tmp_path_factory.mktemp("home"))
    build_home(Inputs((edition_file(NEW), edition_file(OLD))), home)
    return home


@needs_data
def test_the_newest_edition_is_current(built: Home) -> None:
    with KnowledgeBase.open(built.path) as base:
        assert (base.edition, base.editions) == ("2026-09-25", ("2001-07-23", "2026-09-25"))
    with KnowledgeBase.open(built.path, "2001-07-23") as base:
        assert base.show("502.2").title == "First Strike"


@needs_data
def test_the_index_derived_from_the_store_is_that_of_the_build(tmp_path: Path, built: Home) -> None:
    again, folder = tmp_path / "index.sqlite", built.current()
    assert folder is not None
    with built.open_store() as store:
        derive_index(store, again)
    tables = [_rows(path, table) for table in ("passage", "word") for path in (folder.index, again)]
    assert len(tables[0]) > 6000
    assert tables[0] == tables[1]
    assert tables[2] == tables[3]


def _rows(index: Path, table: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(index)) as database:
        return list(database.execute(f"SELECT * FROM {table}"))


@needs_data
def test_the_same_inputs_are_not_built_twice(built: Home) -> None:
    before = built.current()
    report = build_home(Inputs((edition_file(NEW), edition_file(OLD))), built)
    after = built.current()
    assert report.unchanged
    assert before is not None
    assert after is not None
    assert before.path == after.path


@needs_data
def test_a_build_from_the_same_files_gives_the_same_record(tmp_path: Path, built: Home) -> None:
    again = Home(tmp_path)
    build_home(Inputs((edition_file(NEW), edition_file(OLD))), again)
    records = [home.current().record.read_bytes() for home in (built, again)]  # type: ignore[union-attr]
    assert records[0] == records[1]


@needs_data
def test_add_keeps_what_is_there(tmp_path: Path) -> None:
    home = Home(tmp_path)
    build_home(Inputs((edition_file(NEW),)), home)
    report = build_home(Inputs((edition_file(OLD),), add=True), home)
    assert [holding.edition for holding in report.holdings] == ["2001-07-23", "2026-09-25"]
    with KnowledgeBase.open(home.path) as base:
        assert base.show("702.7a").text
    report = build_home(Inputs((edition_file(OLD),)), home)
    assert [holding.edition for holding in report.holdings] == ["2001-07-23"]


@needs_data
def test_two_issues_of_one_edition_are_one(tmp_path: Path) -> None:
    issues = (edition_file("cr-20260807.txt"), edition_file("cr-20260807-c.txt"))
    report = build_home(Inputs(issues), Home(tmp_path))
    assert [holding.edition for holding in report.holdings] == ["2026-08-07"]
    assert len(report.same) == 1


@needs_data
def test_two_texts_that_claim_one_edition_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_bytes(edition_file(NEW).read_bytes().replace(b"702.8. Flash", b"702.8. Flesh"))
    with pytest.raises(BuildRefused, match="both give themselves as the edition of 2026-09-25"):
        build_home(Inputs((edition_file(NEW), other)), Home(tmp_path / "home"))


REFUSED = [name for name in ODD if name[:2] in ("01", "04", "08", "12", "14", "15", "16", "20", "23")]


@needs_data
@pytest.mark.parametrize("name", REFUSED)
def test_a_file_that_is_no_edition_leaves_the_old_content(name: str, built: Home) -> None:
    before = built.current()
    run = CliRunner(catch_exceptions=False)
    with pytest.raises(BuildRefused, match=f"{name}, line [1-9]"):
        run.invoke(group, ["build", "--home", str(built.path), str(DATA / "cr-odd" / name)], standalone_mode=False)
    after = built.current()
    assert before is not None
    assert after is not None
    assert before.path == after.path
    assert [path.name for path in (built.path / "builds").iterdir() if path.is_dir()] == [after.path.name]


@needs_data
def test_every_refusal_is_told_at_once_with_status_2(tmp_path: Path) -> None:
    assert len(REFUSED) == 9
    files = [str(DATA / "cr-odd" / name) for name in REFUSED]
    run = subprocess.run(
        [sys.executable, "-m", "query.cli", "--home", str(tmp_path), "build", *files],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert run.returncode == 2
    assert "Traceback" not in run.stderr
    assert all(f"{name}, line " in run.stderr for name in REFUSED)
    assert not (tmp_path / "current").exists()


@needs_data
def test_force_reads_a_broken_edition_as_it_stands(tmp_path: Path) -> None:
    truncated = DATA / "cr-odd" / "01-truncated-midword-20130201.txt"
    with pytest.raises(BuildRefused, match="cut short"):
        build_home(Inputs((truncated,)), Home(tmp_path))
    report = build_home(Inputs((truncated,), force=True), Home(tmp_path))
    assert report.current == "2013-02-01"


@needs_data
@pytest.mark.parametrize("files", [(NEW,), (NEW, "cr-20250919.txt", "cr-20100716.txt")])
def test_a_build_that_is_killed_leaves_the_old_content(tmp_path: Path, files: tuple[str, ...]) -> None:
    home = Home(tmp_path)
    build_home(Inputs((edition_file(OLD),)), home)
    paths = [str(edition_file(name)) for name in files]
    command = [sys.executable, "-m", "query.cli", "build", "--home", str(tmp_path), *paths]
    for wait in (0.05, 0.4, 0.8, 1.2):  # the last build may begin at once: its workers end with it
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
        time.sleep(wait)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        with KnowledgeBase.open(home.path) as base:
            assert base.show("100.1").text
    build_home(Inputs((edition_file(NEW),)), home)
    with KnowledgeBase.open(home.path) as base:
        assert base.edition == "2026-09-25"
