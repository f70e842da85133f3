"""A home is never seen half-built: by readers, by a second builder, after a kill at any moment."""

import gzip
import json
import os
import random
import shutil
import signal
import time
from contextlib import nullcontext
from pathlib import Path

import pytest

from kb.build import UnfinishedBuild
from kb.embedded import open_home
from kb.home import BuildInProgress, Home
from kb.locks import Lock, signature
from kb.store import open_store
from kb.store.errors import BadRecord, BrokenStore, NoStore, ReadOnlyStore
from tests.homes import EDITION, build, current, marks, process, quads, said


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def test_an_empty_home(home: Home) -> None:
    assert home.current() is None
    with pytest.raises(NoStore, match="`seerule build` makes one"):
        home.open_store()


def test_a_build_becomes_current(home: Home) -> None:
    build(home, "first")
    assert marks(home) == {"first"}
    current = home.current()
    assert current is not None
    said = current.description()
    assert (said.quads, said.default_graphs) == (50, ("urn:edition",))
    assert gzip.decompress(current.record.read_bytes()) == quads("first")
    build(home, "second")
    assert marks(home) == {"second"}


def test_the_same_quads_give_the_same_record(home: Home, tmp_path: Path) -> None:
    build(home, "same")
    other = Home(tmp_path / "other")
    build(other, "same")
    one, two = home.current(), other.current()
    assert one is not None
    assert two is not None
    assert one.description().record_sha256 == two.description().record_sha256
    assert one.record.read_bytes() == two.record.read_bytes()


@pytest.mark.parametrize("place", ["a file", "below a file", "a lost build"])
def test_a_home_that_holds_no_build_is_answered_for_by_the_outline_and_said(
    home: Home, place: str, caplog: pytest.LogCaptureFixture
) -> None:
    fault = "cannot hold a store"
    if place == "a lost build":
        build(home, "lost")
        shutil.rmtree(current(home).path)
        fault = "names a build that is not there any more"
    else:
        home.path.write_text("no folder")
        fault = "is no folder" if place == "a file" else fault
    opened = home if place != "below a file" else Home(home.path / "deep")
    with open_home(opened) as store:
        assert len(store) > 40_000
    assert fault in caplog.text
    assert "The embedded outline answers" in caplog.text
    assert home.current() is None


def test_an_empty_home_is_filled_without_a_word(home: Home, caplog: pytest.LogCaptureFixture) -> None:
    open_home(home).close()
    assert home.current() is not None
    assert caplog.text == ""


def test_a_location_opens_a_home(home: Home) -> None:
    build(home, "first")
    with open_store(home.path) as store:
        assert store.default_graphs == (EDITION,)
        assert len(store) == 50
        with pytest.raises(ReadOnlyStore):
            store.remove_graph(EDITION)
    with open_store(str(home.path), default_graphs=[]) as store:
        assert store.default_graphs == ()


def test_the_default_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEERULE_HOME", str(tmp_path / "here"))
    assert Home.default().path == tmp_path / "here"
    monkeypatch.delenv("SEERULE_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert Home.default().path.name == "seerule"


def test_old_builds_are_removed(home: Home) -> None:
    for mark in "abc":
        build(home, mark)
    assert len(list((home.path / "builds").iterdir())) == 1


def test_a_build_that_is_read_stays(home: Home) -> None:
    build(home, "old")
    with home.open_store() as reading:
        build(home, "new")
        assert len(list((home.path / "builds").iterdir())) == 2
        assert reading.ask('ASK { ?s <urn:mark> "old" }')
        assert marks(home) == {"new"}
    build(home, "newest")
    assert len(list((home.path / "builds").iterdir())) == 1


@pytest.mark.parametrize("fault", ["no commit", "an error", "no record", "no quads"])
def test_what_is_not_committed_leaves_no_trace(home: Home, fault: str) -> None:
    build(home, "old")
    before = {path.name for path in home.path.rglob("*")}
    expected = {"an error": ZeroDivisionError, "no record": UnfinishedBuild, "no quads": BadRecord}
    outcome = pytest.raises(expected[fault]) if fault in expected else nullcontext()
    with outcome, home.new_build() as building:
        if fault != "no record":
            with building.open_record() as record:
                record.write(quads("new") if fault != "no quads" else b"<urn:s> oops\n")
        if fault == "an error":
            _ = 1 / 0
        if fault in expected:
            building.commit()
    assert marks(home) == {"old"}
    assert {path.name for path in home.path.rglob("*")} == before


def test_one_builder_at_a_time(home: Home) -> None:
    script = """
        with Home(Path(sys.argv[1])).new_build() as building:
            print("building", flush=True)
            sys.stdin.readline()
    """
    with process(script, str(home.path)) as other:
        assert said(other) == "building"
        with pytest.raises(BuildInProgress, match=f"process {other.pid} is building here"):
            build(home, "mine")
    build(home, "mine")
    assert marks(home) == {"mine"}


def test_two_processes_read_while_one_builds(home: Home) -> None:
    build(home, "0")
    script = """
        home, seen = Home(Path(sys.argv[1])), []
        print("reading", flush=True)
        while not (home.path / "stop").exists():
            now = marks(home)
            assert len(now) == 1 or len(now) == 2, now  # two only across a swap between the two openings
            with home.open_store() as store:
                found = store.select("SELECT ?m { ?s <urn:mark> ?m }").column("m")
            assert len(found) == 50 and len(set(found)) == 1, found
            seen.append(found[0].value)
        assert seen == sorted(seen, key=int), seen
        print(len(seen), len(set(seen)), flush=True)
    """
    with process(script, str(home.path)) as one, process(script, str(home.path)) as two:
        assert (said(one), said(two)) == ("reading", "reading")
        for number in range(1, 25):
            build(home, str(number))
        (home.path / "stop").touch()
        for reader in (one, two):
            looks, contents = map(int, said(reader).split())
            assert looks >= contents > 1, "read before and after a swap"
            assert reader.wait() == 0


def test_a_kill_at_any_moment_leaves_the_old_or_the_new(home: Home) -> None:
    """The moment is drawn from the whole length of a build; each build that follows meets the leftovers."""
    build(home, "0", 4000)
    script = """
        home, mark = Home(Path(sys.argv[1])), sys.argv[2]
        print("begins", flush=True)
        build(home, mark, 4000)
        print("done", flush=True)
        sys.stdin.readline()
    """
    chance, longest, states = random.Random(7), 0.0, set()
    for attempt in range(1, 21):
        (old,) = marks(home)
        with process(script, str(home.path), str(attempt)) as building:
            assert said(building) == "begins"
            began = time.monotonic()
            if attempt <= 2:
                assert said(building) == "done"
                longest = max(longest, time.monotonic() - began)
            else:
                time.sleep(chance.uniform(0, longest * 1.2))
            building.send_signal(signal.SIGKILL)
            building.wait()
        (found,) = marks(home)
        assert found in (old, str(attempt))
        states.add(found == old)
        with home.open_store() as store:
            assert len(store) == 4000
    assert states == {True, False}, "both outcomes were met"
    build(home, "last")
    assert len(list((home.path / "builds").iterdir())) == 1
    names = {path.name for path in home.path.iterdir()}
    assert names == {"builds", "current", "builder.lock"}


def test_a_link_left_by_a_killed_builder_is_replaced(home: Home) -> None:
    build(home, "old")
    (home.path / "current.new").symlink_to("builds/nowhere")
    build(home, "new")
    assert marks(home) == {"new"}


def test_a_layout_of_another_version_is_told(home: Home) -> None:
    build(home, "kept")
    file = current(home).description_file
    file.write_text(json.dumps(json.loads(file.read_text()) | {"format": 99}))
    with pytest.raises(BrokenStore, match="its layout is 99, this version reads 1"):
        home.open_store()
    file.write_text("{")
    with pytest.raises(BrokenStore, match=r"build\.json cannot be read"):
        home.open_store()
    build(home, "new")
    assert marks(home) == {"new"}


def test_who_holds_a_lock(tmp_path: Path) -> None:
    held = Lock.signed(tmp_path / "l")
    assert held is not None
    assert signature(tmp_path / "l") == f"process {os.getpid()}"
    assert Lock.signed(tmp_path / "l") is None
    held.release()
    held.release()
    assert Lock.signed(tmp_path / "l") is not None
    assert signature(tmp_path / "nowhere") == "another process"
    with pytest.raises(FileNotFoundError):
        Lock.shared(tmp_path / "nowhere")
