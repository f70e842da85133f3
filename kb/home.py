"""Knows the folder of built stores: which build is current, who builds, who reads, what may be removed."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from pyoxigraph import NamedNode

from kb.build import BuildFolder, Description, Infer, UnfinishedBuild, flush, flush_tree
from kb.errors import SeeruleError
from kb.locks import Lock, signature
from kb.store.errors import NoStore
from kb.store.oxigraph import OxigraphStore

_ATTEMPTS = 100
_PAUSE = 0.001


class BuildInProgress(SeeruleError):
    """Somebody else is building in this home."""

    def __init__(self, home: Path, builder: str) -> None:
        super().__init__(f"{home}: {builder} is building here; wait for it, or build elsewhere with --home DIR")


class UnusableHome(SeeruleError):
    """The place of a home cannot hold one: a file, a folder that may not be written, a disk that is full."""

    def __init__(self, home: Path, error: OSError) -> None:
        reason = error.strerror or str(error)
        super().__init__(f"{home} cannot hold a store: {reason}; name a folder of your own with --home DIR")


class Home:
    """A folder of built stores.

        builds/<id>/{graph.nq.gz, store/, index.sqlite, build.json}
        current -> builds/<id>

    `current` is a link that is replaced in one step, so that whoever opens the home finds the old content
    or the new, whole, even when the builder is killed. A build never changes once it is current. Readers
    share a lock on the build that they have open; an old build is removed when nobody reads it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def default(cls) -> Home:
        """`$SEERULE_HOME`, or `seerule` in the user's data folder."""
        if named := os.environ.get("SEERULE_HOME"):
            return cls(Path(named).expanduser())
        from platformdirs import user_data_path

        return cls(user_data_path("seerule", appauthor=False))

    def __repr__(self) -> str:
        return f"Home({self.path!r})"

    @property
    def _builds(self) -> Path:
        return self.path / "builds"

    @property
    def _link(self) -> Path:
        return self.path / "current"

    @property
    def _builder(self) -> Path:
        return self.path / "builder.lock"

    def current(self) -> BuildFolder | None:
        """The build that readers get now; None where nothing has been built."""
        try:
            target = os.readlink(self._link)
        except OSError:
            return None
        folder = self.path / target
        return BuildFolder(folder) if folder.is_dir() else None

    def fault(self) -> str:
        """Why this is no home in which something was built or could be; empty where all is well or nothing there.

        >>> Home(Path("/nowhere/at/all")).fault()
        ''
        """
        if os.path.lexists(self.path) and not self.path.is_dir():
            return f"{self.path} is no folder, so that no store can be in it"
        if os.path.lexists(self._link) and self.current() is None:
            return f"{self._link} names a build that is not there any more"
        return ""

    def reading(self) -> tuple[BuildFolder, Lock]:
        """The current build and a shared lock on it, which the caller releases; raises `NoStore`.

        For a reader of more than the store, such as the full-text index: whatever is opened from the folder
        is of one build, and stays until the lock is released.
        """
        for _ in range(_ATTEMPTS):
            folder = self.current()
            if folder is None:
                break
            with suppress(FileNotFoundError):  # replaced and removed since the link was read: look again
                lock = Lock.shared(folder.path)
                now = self.current()
                if lock is not None and now is not None and now.path == folder.path:
                    return folder, lock
                if lock is not None:
                    lock.release()
            time.sleep(_PAUSE)
        raise NoStore(self.path)

    def open_store(self) -> OxigraphStore:
        """The current build's store, open for reading; raises `NoStore` and `BrokenStore`."""
        folder, lock = self.reading()
        try:
            return folder.open_store(lock)
        except BaseException:
            lock.release()
            raise

    def prepare(self) -> None:
        """Makes the folder for builds; raises `UnusableHome`."""
        try:
            self._builds.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UnusableHome(self.path, error) from error

    @contextmanager
    def new_build(self) -> Iterator[Build]:
        """A new build, for the block to fill and commit; without a commit, or on an error, it leaves no
        trace.

        Raises `BuildInProgress` where another process builds, and `UnusableHome` where nothing can be written.
        """
        self.prepare()
        try:
            lock = Lock.signed(self._builder)
        except OSError as error:
            raise UnusableHome(self.path, error) from error
        if lock is None:
            raise BuildInProgress(self.path, signature(self._builder))
        try:
            self._remove_unused()
            build = Build(self, self._new_folder())
            try:
                yield build
            finally:
                self._remove_unused()
        finally:
            lock.release()

    def _new_folder(self) -> Path:
        name = f"{time.strftime('%Y%m%dT%H%M%S', time.gmtime())}-{os.urandom(4).hex()}"
        folder = self._builds / name
        folder.mkdir()
        return folder

    def _make_current(self, folder: Path) -> None:
        """Points `current` at a whole build, in one step that survives a power cut."""
        fresh = self.path / "current.new"
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(Path(self._builds.name) / folder.name)
        flush_tree(folder)
        flush(self._builds)
        os.replace(fresh, self._link)
        flush(self.path)

    def _remove_unused(self) -> None:
        """Removes every build but the current that nobody reads; only the builder does this."""
        import shutil

        current = self.current()
        for folder in self._builds.iterdir():
            if current is not None and folder.name == current.path.name:
                continue
            lock = Lock.sole(folder)
            if lock is not None:
                shutil.rmtree(folder, ignore_errors=True)
                lock.release()


class Build(BuildFolder):
    """A build in the making."""

    def __init__(self, home: Home, path: Path) -> None:
        super().__init__(path)
        self._home = home

    def commit(
        self,
        default_graphs: Sequence[NamedNode] = (),
        about: Mapping[str, Any] | None = None,
        infer: Infer | None = None,
        passages: Mapping[str, Path] | None = None,
    ) -> Description:
        """Derives the store and the index from the record, which must be written, and makes this build current.

        `infer` is asked for what follows from the store; its quads are added to the record and the store. `passages`
        are files of the index's passages by edition, as far as they have been written.

        `default_graphs` are what a query without FROM sees. Raises `UnfinishedBuild` without a record and
        `BadRecord` where it is not N-Quads; the old build then stays.
        """
        if not self.record.is_file():
            raise UnfinishedBuild(f"{self.path}: the record has not been written")
        description = self.describe(default_graphs, about or {}, self.derive(infer, passages))
        self._home._make_current(self.path)
        return description
