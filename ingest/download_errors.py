"""Knows the ways in which an official file cannot be had, each as a sentence that says what to do next."""

from __future__ import annotations

import errno
from pathlib import Path

from kb.errors import SeeruleError

BY_HAND = "download it with a browser and build from the file: seerule build FILE"
NO_NETWORK = (
    "check the network, or build from a file that you have: seerule build FILE; what is in the store answers as before"
)
FROM_CACHE = "a copy is in the cache: build from it with --offline"


class DownloadError(SeeruleError):
    """An address did not give its file: `address` says which, `reason` why, `advice` what to do.

    >>> str(DownloadError("https://example.org/rules.txt", "it is gone"))
    'https://example.org/rules.txt: it is gone; download it with a browser and build from the file: seerule build FILE'
    """

    def __init__(self, address: str, reason: str, advice: str = BY_HAND) -> None:
        super().__init__(f"{address}: {reason}; {advice}")
        self.address, self.reason, self.advice = address, reason, advice


class BadAddress(DownloadError):
    """The address is none that a file may be fetched from."""

    def __init__(self, address: str, reason: str) -> None:
        super().__init__(address, reason, "give an https address, or the path of a file: seerule build FILE_OR_URL")


class Unreachable(DownloadError):
    """No connection: no network, no such host, refused, no trusted certificate."""

    def __init__(self, address: str, reason: str, advice: str = NO_NETWORK) -> None:
        super().__init__(address, reason, advice)


class TimedOut(Unreachable):
    """The server is there and says nothing, or not enough."""


class CutShort(DownloadError):
    """The answer ended before its end; fetching again may help."""

    def __init__(self, address: str, reason: str) -> None:
        super().__init__(address, reason, f"try again, or {BY_HAND}")


class BadRedirect(DownloadError):
    """The server sends elsewhere, to where nobody should follow."""


class Refused(DownloadError):
    """The server answers with an HTTP status of failure; `status` is its number."""

    def __init__(self, address: str, status: int, reason: str, advice: str = BY_HAND) -> None:
        super().__init__(address, f"the server answers {status} {reason}".rstrip(), advice)
        self.status = status


class Busy(Refused):
    """The server asks to come back later (429, 503); `seconds` says when, None where it does not."""

    def __init__(self, address: str, status: int, reason: str, seconds: float | None) -> None:
        later = "in a few minutes" if seconds is None else f"in {seconds:.0f} s, as it asks"
        super().__init__(address, status, reason, f"try again {later}, or {BY_HAND}")
        self.seconds = seconds


class NotTheFile(DownloadError):
    """The answer is whole and is not the file, such as a log-in page."""


class TooLarge(DownloadError):
    """The answer is larger than such a file can be."""

    def __init__(self, address: str, largest: int) -> None:
        super().__init__(address, f"the answer is larger than {largest:,} bytes, which no such file is")


class WrongHash(DownloadError):
    """The file is not the one that was expected; both SHA-256 hashes are told."""

    def __init__(self, address: str, expected: str, got: str) -> None:
        reason = f"not the expected file: its sha256 should be {expected} and is {got}"
        again = "it was altered on the way, so try again; or its publisher replaced it, then build from its address"
        super().__init__(address, reason, f"{again}: seerule build {address}")
        self.expected, self.got = expected, got


class NotInCache(DownloadError):
    """Nothing may be fetched and the cache has no whole copy."""

    def __init__(self, address: str) -> None:
        advice = "build once without --offline, or from a file that you have: seerule build FILE"
        super().__init__(address, "not in the cache, and --offline forbids to fetch it", advice)


class LinkNotFound(DownloadError):
    """A publisher's page or list was read and does not name the file."""


class CacheUnwritable(SeeruleError):
    """A download cannot be written to disk."""

    def __init__(self, folder: Path, error: OSError) -> None:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        reason = "the disk is full" if full else (error.strerror or str(error)).lower()
        advice = "make room" if full else "make the folder writable"
        super().__init__(f"{folder}: the download cannot be written: {reason}; {advice}, or choose another: --home DIR")
        self.folder = folder
