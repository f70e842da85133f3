"""Knows how two processes hand each other messages over a pipe: a JSON head and a body of bytes, with
lengths.
"""

from __future__ import annotations

import json
import os
import select
import struct
import time
from typing import Any, BinaryIO

_LENGTHS = struct.Struct(">II")


class Closed(Exception):
    """The other side has gone."""


def send(pipe: BinaryIO, head: dict[str, Any], body: bytes = b"") -> None:
    """Sends one message."""
    text = json.dumps(head, default=str).encode()
    pipe.write(_LENGTHS.pack(len(text), len(body)) + text + body)
    pipe.flush()


def receive(pipe: BinaryIO, seconds: float | None = None) -> tuple[dict[str, Any], bytes]:
    """The next message; raises `Closed` at the end, and `TimeoutError` when it is not whole within
    `seconds`.
    """
    ends = None if seconds is None else time.monotonic() + seconds
    head_length, body_length = _LENGTHS.unpack(_exactly(pipe, _LENGTHS.size, ends))
    head = json.loads(_exactly(pipe, head_length, ends))
    return head, _exactly(pipe, body_length, ends)


def _exactly(pipe: BinaryIO, count: int, ends: float | None) -> bytes:
    """`count` bytes from an unbuffered pipe."""
    read = bytearray()
    while len(read) < count:
        if ends is not None:
            left = ends - time.monotonic()
            if left <= 0 or not select.select([pipe], [], [], left)[0]:
                raise TimeoutError
        chunk = os.read(pipe.fileno(), count - len(read))
        if not chunk:
            raise Closed
        read += chunk
    return bytes(read)
