"""Knows where the files that the project wrote and ships lie: in the wheel beside `kb`, in a checkout at its top."""

from __future__ import annotations

from pathlib import Path


def shipped(*parts: str) -> Path:
    """The path of a shipped file or folder under `data/`.

    >>> shipped("rules").name
    'rules'
    """
    here = Path(__file__).resolve().parent
    installed = here / "_data"
    return (installed if installed.is_dir() else here.parent / "data").joinpath(*parts)
