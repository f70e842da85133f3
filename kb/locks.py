"""Knows how processes keep out of each other's way: locks on files and folders that end with their holder."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


class Lock:
    """A lock of this process on a file or folder; the system lifts it when the process ends, however it
    ends.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor: int | None = descriptor

    @classmethod
    def shared(cls, path: Path) -> Lock | None:
        """A lock that others may share, or None where somebody holds the place for himself.

        Raises `FileNotFoundError` where there is no such place.
        """
        return cls._on(os.open(path, os.O_RDONLY), fcntl.LOCK_SH | fcntl.LOCK_NB)

    @classmethod
    def sole(cls, path: Path) -> Lock | None:
        """A lock that nobody shares, or None where somebody holds one; raises as `shared`."""
        return cls._on(os.open(path, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)

    @classmethod
    def signed(cls, path: Path, *, wait: bool = False) -> Lock | None:
        """A sole lock on a file, made when missing, into which the holder writes its process id.

        With `wait` it returns once the place is free, otherwise None where it is not. A holder that was killed may
        have left workers that have the lock for moments more: those are waited for.
        """
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        wait = wait or _is_gone(path)
        lock = cls._on(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        if lock is not None:
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        return lock

    @classmethod
    def _on(cls, descriptor: int, operation: int) -> Lock | None:
        try:
            fcntl.flock(descriptor, operation)
        except BlockingIOError:
            os.close(descriptor)
            return None
        except BaseException:
            os.close(descriptor)
            raise
        return cls(descriptor)

    def release(self) -> None:
        """Lifts the lock; twice is harmless."""
        if self._descriptor is not None:
            descriptor, self._descriptor = self._descriptor, None
            os.close(descriptor)


def _is_gone(path: Path) -> bool:
    """Whether the process that signed a lock has ended."""
    signed = path.read_text()
    if not signed.isdigit():
        return False
    try:
        os.kill(int(signed), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


def signature(path: Path) -> str:
    """Who holds a signed lock: `process 4711`, or `another process` where that cannot be read."""
    try:
        pid = path.read_text().strip()
    except OSError:
        pid = ""
    return f"process {pid}" if pid.isdigit() else "another process"
