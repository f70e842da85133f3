"""Knows the one kind of fault that is told to the user as a sentence instead of a traceback."""


class SeeruleError(Exception):
    """A fault that the user can act on: its message says what, where, and what to do next.

    The command line prints it alone and ends with exit status 2.
    """
