"""One setting names a store; what it opens is open for reading or for writing, and closes once."""

from pathlib import Path

import pytest

from kb.errors import SeeruleError
from kb.store import OxigraphStore, open_store
from kb.store.errors import BrokenStore, NoStore, ReadOnlyStore, UnknownLocation
from tests.test_store import RECORD, A

ENDPOINT = "http://127.0.0.1:7878"


def test_a_reader_does_not_write(tmp_path: Path) -> None:
    with open_store(tmp_path / "s", writable=True) as writing:
        writing.load(RECORD)
    with open_store(tmp_path / "s") as reading, open_store(str(tmp_path / "s")) as second:
        assert len(reading) == len(second) == 6
        for write in (
            lambda: reading.load(RECORD),
            lambda: reading.remove_graph(A),
            lambda: reading.replace_graph(A, []),
        ):
            with pytest.raises(ReadOnlyStore, match="open for reading only"):
                write()
        assert len(reading) == 6


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    with OxigraphStore.writing(tmp_path / "s"), pytest.raises(BrokenStore):
        OxigraphStore.writing(tmp_path / "s")


def test_a_store_closes_once(tmp_path: Path) -> None:
    store = OxigraphStore.in_memory()
    store.close()
    store.close()
    with pytest.raises(ValueError, match="is closed"):
        store.graphs()


def test_one_setting_chooses_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEERULE_STORE", "memory:")
    assert open_store().location == "memory:"
    monkeypatch.setenv("SEERULE_STORE", ENDPOINT)
    with open_store() as store:
        assert store.location == ENDPOINT
    monkeypatch.delenv("SEERULE_STORE")
    monkeypatch.setenv("SEERULE_HOME", str(tmp_path))
    with pytest.raises(NoStore, match="seerule build"):
        open_store()


@pytest.mark.parametrize("location", ["ftp://host/x", "http:///x", "http://a http://b", "mysql:rules"])
def test_a_location_that_is_none(location: str) -> None:
    with pytest.raises(UnknownLocation, match="is no place for a store: expected memory:, a folder"):
        open_store(location)


def test_a_folder_without_a_store(tmp_path: Path) -> None:
    with pytest.raises(NoStore, match="`seerule build` makes one"):
        open_store(tmp_path / "nowhere")
    with pytest.raises(SeeruleError):
        open_store(tmp_path)
