"""Knows the one kind of error that is an answer: the command line prints it as a message, never as a traceback."""

from __future__ import annotations


class SeeruleError(Exception):
    """What went wrong, where, and what to do next, in sentences meant for the person who asked."""
