"""A store that is lost or unreadable is derived from the record again."""

import shutil
from pathlib import Path

import pytest

from kb.home import Home
from kb.locks import Lock
from kb.store import OxigraphStore
from kb.store.errors import ReadOnlyStore
from tests.homes import EDITION, build, current, marks, process, said


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def missing(store: Path) -> None:
    shutil.rmtree(store)


def unreadable(store: Path) -> None:
    (store / "CURRENT").write_text("MANIFEST-999999\n")


def emptied(store: Path) -> None:
    for manifest in store.glob("MANIFEST-*"):
        manifest.write_bytes(b"")


@pytest.mark.parametrize("spoil", [missing, unreadable, emptied])
def test_the_store_is_derived_again_from_the_record(home: Home, spoil: object) -> None:
    assert callable(spoil)
    build(home, "kept")
    spoil(current(home).store)
    assert marks(home) == {"kept"}
    OxigraphStore.reading(current(home).store).close()


def test_many_readers_mend_a_store_once(home: Home) -> None:
    build(home, "kept")
    missing(current(home).store)
    script = "print(*marks(Home(Path(sys.argv[1]))), flush=True)"
    with process(script, str(home.path)) as one, process(script, str(home.path)) as two:
        assert (said(one), said(two)) == ("kept", "kept")


def test_a_store_that_cannot_be_mended_on_disk_is_read_in_memory(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    build(home, "kept")
    missing(current(home).store)

    def refuse(path: Path, *, wait: bool = False) -> Lock:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Lock, "signed", refuse)
    assert marks(home) == {"kept"}
    assert not current(home).store.exists()
    with home.open_store() as store, pytest.raises(ReadOnlyStore):
        store.remove_graph(EDITION)
