"""Knows which build of the store requests are answered from, and how a new one takes its place unnoticed."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kb.home import Home
from query.web.setting import Setting
from query.web.volume import Volume


class Shelf:
    """The open build, lent to each request for as long as it lasts; one that has been replaced is closed by its last
    reader.
    """

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self._volume = Volume(setting)
        self._turn = threading.Lock()
        self.renewals = 0

    @contextmanager
    def lease(self) -> Iterator[Volume]:
        """The open build, which stays open for the length of the block."""
        with self._turn:
            volume = self._volume
            volume.readers += 1
        try:
            yield volume
        finally:
            self._return(volume)

    def _return(self, volume: Volume) -> None:
        with self._turn:
            volume.readers -= 1
            done = volume.readers == 0 and volume is not self._volume
        if done:
            volume.close()

    def outdated(self) -> bool:
        """Whether the home has a newer build than the one that is open."""
        folder = self._volume.folder
        if folder is None:
            return self._home is not None and self._home.current() is not None
        current = Home(folder.path.parent.parent).current()
        return current is not None and current.path.name != folder.path.name

    @property
    def _home(self) -> Home | None:
        """The home that is served, where the store is in memory because nothing could be written."""
        named = self.setting.store or os.environ.get("SEERULE_STORE", "")
        if self._volume.store.location != "memory:":
            return None
        return Home(Path(named).expanduser()) if named else Home.default()

    def renew(self) -> None:
        """Opens the newest build and answers from it from now on; raises what opening a store raises."""
        fresh = Volume(self.setting)
        fresh.warm()
        with self._turn:
            old, self._volume = self._volume, fresh
            self.renewals += 1
            done = old.readers == 0
        if done:
            old.close()

    def close(self) -> None:
        """Closes the open build."""
        self._volume.close()
