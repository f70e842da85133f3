"""Knows how the progress of a transfer is shown: as a bar on a terminal, not at all elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar(title: str) -> Iterator[Callable[[int, int | None], None] | None]:
    """Within the block, a function to be told how far a transfer is: bytes received, and in all where known.

    None where the standard error output is no terminal, so that nothing is shown and nothing imported.

    >>> with progress_bar("rules") as advance:
    ...     if advance is not None:
    ...         advance(512, 1024)
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn, TransferSpeedColumn

    columns = ("{task.description}", BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as shown:
        task = shown.add_task(escape(title), total=None)

        def advance(done: int, total: int | None) -> None:
            shown.update(task, completed=done, total=total)

        yield advance
