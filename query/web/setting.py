"""Knows what can be set on a server, and how the setting reaches the processes that serve."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, replace

_VARIABLE = "SEERULE_WEB"


@dataclass(frozen=True, slots=True)
class Setting:
    """How a server behaves.

    `store` is a home, or the address of a SPARQL endpoint (as for `KnowledgeBase.open`); `address` the public address
    of the site, by which it names itself, without a path. Times are in seconds, sizes in bytes: `query_seconds`,
    `query_bytes`, `query_rows` and `query_memory` limit a SPARQL query, `queries` how many each process runs at once,
    `wait_seconds` how long one waits for its turn. `aside_seconds` limits citing and judging. `body_bytes` caps a
    request's body, `patience` the time a client may take to send its request or to take the next part of an answer.
    `look_seconds` is how often a process looks for a rebuilt store, `grace_seconds` how long a stopping one finishes
    what it has begun. `kept_bytes` caps the pages kept. With `wait_until_warm` nothing is served before everything is
    read; with `warm_citing` the process that cites is made ready after the start, which takes some hundred megabytes.
    """

    store: str | None = None
    address: str = "http://127.0.0.1:8000"
    query_seconds: float = 10.0
    query_bytes: int = 16 << 20
    query_memory: int = 1 << 30
    query_rows: int = 200_000
    queries: int = 2
    wait_seconds: float = 5.0
    body_bytes: int = 256 << 10
    patience: float = 10.0
    aside_seconds: float = 20.0
    look_seconds: float = 1.0
    grace_seconds: int = 10
    kept_bytes: int = 32 << 20
    wait_until_warm: bool = False
    warm_citing: bool = False

    def to_environment(self) -> None:
        """Puts the setting where processes started from this one find it."""
        os.environ[_VARIABLE] = json.dumps(asdict(self))

    @classmethod
    def from_environment(cls) -> Setting:
        """The setting that `to_environment` left, or the default one.

        >>> Setting(queries=3).to_environment(); Setting.from_environment().queries
        3
        """
        return replace(cls(), **json.loads(os.environ.get(_VARIABLE, "{}")))
