"""Knows how the application is put on the network: processes, limits of connections, a stop that finishes answers."""

from __future__ import annotations

import os
import tempfile
from contextlib import ExitStack
from dataclasses import replace

import click
import uvicorn

from query.knowledge_base import KnowledgeBase
from query.web.connection import Connection
from query.web.journal import log_config
from query.web.memory import free_memory, share_freed_memory
from query.web.metrics import SHARED
from query.web.setting import Setting

_MOST_CONNECTIONS = 1000
_BACKLOG = 512
_ENOUGH_TO_CITE = 2 << 30


def run(setting: Setting, host: str, port: int, workers: int) -> None:
    """Serves until told to stop by SIGINT or SIGTERM; what has been begun is finished.

    Raises what opening the store raises, before anything is served.
    """
    share_freed_memory()
    KnowledgeBase.open(setting.store).close()  # a store that is not there is told here, once, and not by every process
    if workers == 1 and free_memory() > _ENOUGH_TO_CITE:  # each process would keep one ready
        setting = replace(setting, warm_citing=True)
    setting.to_environment()
    click.echo(f"seerule: serving at {setting.address} (stop with Ctrl+C)", err=True)
    with ExitStack() as until_stopped:
        if workers > 1:
            os.environ[SHARED] = until_stopped.enter_context(tempfile.TemporaryDirectory(prefix="seerule-metrics-"))
        uvicorn.run(
            "query.web.application:from_environment",
            factory=True,
            host=host,
            port=port,
            workers=workers,
            http=Connection,
            ws="none",
            log_config=log_config(),
            access_log=False,
            server_header=False,
            backlog=_BACKLOG,
            limit_concurrency=_MOST_CONNECTIONS,
            timeout_keep_alive=15,
            timeout_graceful_shutdown=setting.grace_seconds,
        )
