"""Knows how work is shared among processes: as many as there are cores, none outliving the one that started it.

A process that is killed cannot end its workers, and a forked worker holds the locks it was born with: one that waited
for work for ever would keep everybody out of the store.
"""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import parent_process
from multiprocessing.connection import wait
from threading import Thread


def workers(tasks: int) -> ProcessPoolExecutor:
    """Processes for a number of tasks, at most one a core."""
    return ProcessPoolExecutor(max(1, min(tasks, os.cpu_count() or 1)), initializer=end_with_parent)


def end_with_parent() -> None:
    """Ends this process as soon as the one that started it is gone, whatever it is doing then."""
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_after, args=(parent.sentinel,), daemon=True).start()


def _end_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
