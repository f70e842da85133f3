"""Knows which answers are kept, packed, because a store that is open never changes."""

from __future__ import annotations

import gzip
import threading
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass

_LEVEL = 4


@dataclass(frozen=True, slots=True)
class Packed:
    """The body of an answer, gzipped, and its media type."""

    media_type: str
    gzipped: bytes

    @classmethod
    def of(cls, media_type: str, body: bytes) -> Packed:
        """A body, packed."""
        return cls(media_type, gzip.compress(body, _LEVEL, mtime=0))

    @property
    def body(self) -> bytes:
        """The body, unpacked.

        >>> Packed.of("text/plain", b"702.7").body
        b'702.7'
        """
        return gzip.decompress(self.gzipped)


class Kept:
    """Answers by what they answer, at most `largest` bytes of them; those not asked for longest go first."""

    def __init__(self, largest: int) -> None:
        self.largest = largest
        self.held = 0
        self._answers: OrderedDict[Hashable, Packed] = OrderedDict()
        self._turn = threading.Lock()

    def get(self, key: Hashable) -> Packed | None:
        """The answer kept under `key`."""
        with self._turn:
            found = self._answers.get(key)
            if found is not None:
                self._answers.move_to_end(key)
            return found

    def put(self, key: Hashable, answer: Packed) -> None:
        """Keeps an answer; an older one under the same key is the same answer."""
        with self._turn:
            if key in self._answers or len(answer.gzipped) > self.largest:
                return
            self._answers[key] = answer
            self.held += len(answer.gzipped)
            while self.held > self.largest:
                self.held -= len(self._answers.popitem(last=False)[1].gzipped)
