"""Knows how one file comes from its address into the cache: asked for once, checked, and never taken half."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path

from ingest.cache import Draft, Entry, Origin
from ingest.download_errors import (
    FROM_CACHE,
    Busy,
    CutShort,
    NotInCache,
    NotTheFile,
    Refused,
    TooLarge,
    Unreachable,
    WrongHash,
)
from ingest.web_address import web_address
from ingest.wire import Advance, Answer, Patience, exchange, user_agent

_LONGEST = 1 << 30
_PAUSE = 1.0  # before another attempt at a broken transfer, and growing with each


@dataclass(frozen=True, slots=True)
class Fetched:
    """A file that was fetched, now or before: where it lies, its hash and size in bytes, and the address asked for.

    `verified` says that its hash is the one expected; `notes` are sentences that the user should read.
    """

    path: Path
    sha256: str
    size: int
    url: str
    from_cache: bool
    verified: bool = False
    notes: tuple[str, ...] = ()


def fetch(
    address: str,
    *,
    cache: Path,
    expected_sha256: str | None = None,
    progress: Advance | None = None,
    offline: bool = False,
    accept: str = "*/*",
    page: bool = False,
    largest: int = _LONGEST,
    series: str | None = None,
    patience: Patience | None = None,
) -> Fetched:
    """The file at `address`, an http or https address, from the folder `cache` or from its server.

    A file whose hash is expected and kept is not asked for again; any other is, on condition that it has changed.
    `offline` takes it from the cache or not at all. `accept` is the header of that name; only with `page` may the
    answer be a web page. `largest` is in bytes. Of the files of one `series` only the newest is kept. Raises a
    subclass of `DownloadError`, or `CacheUnwritable`.
    """
    expected = expected_sha256.strip().lower() if expected_sha256 else None
    order = _Order(
        web_address(address), expected, accept, page, largest, series, progress or _silent, patience or Patience()
    )
    entry = Entry(cache, series or order.address)
    if offline:
        return order.offline(entry)
    return order.settled(entry) or order.fetch(entry)


def _silent(done: int, total: int | None) -> None:
    """Tells nobody how far a transfer is."""


_Copy = tuple[Path, Origin]


@dataclass(frozen=True, slots=True)
class _Order:
    """One file as it is wanted."""

    address: str
    expected: str | None
    accept: str
    page: bool
    largest: int
    series: str | None
    advance: Advance
    patience: Patience

    def matching(self, copy: _Copy | None) -> _Copy | None:
        """The copy, if it is of this address and has the hash that is expected."""
        if copy is None or copy[1].address != self.address or self.expected not in (None, copy[1].sha256):
            return None
        return copy

    def settled(self, entry: Entry) -> Fetched | None:
        """What the cache has, if nobody need be asked whether it is still right."""
        copy = self.matching(entry.kept())
        return self.kept(copy) if copy is not None and self.expected else None

    def offline(self, entry: Entry) -> Fetched:
        """What the cache has: of a series whichever it is."""
        copy = entry.kept()
        own = replace(self, address=copy[1].address) if copy is not None and self.series else self
        if own.matching(copy) is None or copy is None:
            raise NotInCache(self.address)
        return own.kept(copy)

    def kept(self, copy: _Copy) -> Fetched:
        path, origin = copy
        return Fetched(path, origin.sha256, origin.size, self.address, True, self.expected is not None)

    def fetch(self, entry: Entry) -> Fetched:
        """Fetches the file, alone; what somebody else has fetched meanwhile is only asked about."""
        with entry.locked():
            return self._attempts(entry, self.matching(entry.kept()))

    def _attempts(self, entry: Entry, copy: _Copy | None) -> Fetched:
        """Attempts the transfer until it succeeds, or fails for good."""
        attempt = 1
        while True:
            try:
                return self._transfer(entry, copy)
            except Busy as busy:
                pause = busy.seconds
                if pause is None or pause > self.patience.longest_pause or attempt >= self.patience.attempts:
                    raise
            except CutShort:
                pause = _PAUSE * attempt
                if attempt >= self.patience.attempts:
                    raise
            except Unreachable as error:
                if copy is None:
                    raise
                raise type(error)(error.address, error.reason, FROM_CACHE) from error
            self.patience.pause(pause)
            attempt += 1

    def _transfer(self, entry: Entry, copy: _Copy | None) -> Fetched:
        with exchange(self.address, self._headers(copy), self.patience) as answer:
            if answer.status == 304 and copy is not None:
                return self.kept(copy)
            _judge(answer)
            with self._received(answer, entry) as draft:
                self._check(draft)
                path, origin = draft.keep(self.address, _token(answer, "ETag"), _token(answer, "Last-Modified"))
        return Fetched(path, origin.sha256, origin.size, self.address, False, self.expected is not None)

    def _headers(self, copy: _Copy | None) -> dict[str, str]:
        headers = {"User-Agent": user_agent(), "Accept": self.accept, "Accept-Encoding": "gzip"}
        if copy is not None and copy[1].etag:
            headers["If-None-Match"] = copy[1].etag
        if copy is not None and copy[1].modified:
            headers["If-Modified-Since"] = copy[1].modified
        return headers

    @contextmanager
    def _received(self, answer: Answer, entry: Entry) -> Iterator[Draft]:
        """The whole body as a draft in the cache."""
        if answer.length is not None and answer.length > self.largest:
            raise TooLarge(self.address, self.largest)
        with entry.draft() as draft:
            for chunk in answer.body(self.advance):
                draft.write(chunk)
                if draft.size > self.largest:
                    raise TooLarge(self.address, self.largest)
            yield draft

    def _check(self, draft: Draft) -> None:
        """Refuses what is not the file: nothing, a page in its place, other bytes than expected."""
        if not draft.size:
            raise NotTheFile(self.address, "the server answers with an empty file")
        if not self.page and draft.start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
            reason = "the server answers with a web page instead of the file (a log-in or a notice?)"
            raise NotTheFile(self.address, reason)
        if self.expected not in (None, draft.sha256):
            raise WrongHash(self.address, str(self.expected), draft.sha256)


def _judge(answer: Answer) -> None:
    """Raises what an answer of failure means."""
    if answer.status == 200:
        return
    reason = answer.reason.strip()
    if answer.status in (429, 503):
        raise Busy(answer.address, answer.status, reason, _seconds(answer.header("Retry-After")))
    if answer.status in (404, 410):
        advice = "the publisher may have moved it: look for the link on its page and build from it: seerule build URL"
        raise Refused(answer.address, answer.status, reason, advice)
    raise Refused(answer.address, answer.status, reason)


def _seconds(retry_after: str) -> float | None:
    """How long to wait by a Retry-After header, seconds or a date; None where it says nothing."""
    text = retry_after.strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        when = parsedate_to_datetime(text)
    except ValueError:
        return None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.now(UTC)).total_seconds())


def _token(answer: Answer, name: str) -> str:
    """A header that is to be sent back, if it can be."""
    value = answer.header(name)
    return value if value.isascii() and value.isprintable() else ""
