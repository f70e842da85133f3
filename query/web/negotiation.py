"""Knows which form of an answer a client wants most, from its Accept header (RFC 9110, section 12.5.1)."""

from __future__ import annotations

import re
from collections.abc import Sequence

_MOST_RANGES = 50


def best(accept: str, offered: Sequence[str]) -> str | None:
    """The media type of `offered` that the client likes best, the earlier one where it does not care; None for none.

    >>> best("text/turtle;q=0.5, application/*;q=0.8", ["text/html", "text/turtle", "application/json"])
    'application/json'
    >>> best("", ["text/html"]), best("image/png", ["text/html"])
    ('text/html', None)
    """
    if not accept.strip():
        return offered[0]
    ranges = [_range(part) for part in accept.split(",")[:_MOST_RANGES]]
    liked = [(_quality(ranges, kind), -place, kind) for place, kind in enumerate(offered)]
    quality, _, kind = max(liked)
    return kind if quality > 0 else None


def _range(part: str) -> tuple[str, float]:
    """A media range and how much it is liked; one that cannot be read is not liked at all."""
    kind, *parameters = (piece.strip().lower() for piece in part.split(";"))
    quality = next((piece[2:] for piece in parameters if piece.startswith("q=")), "1")
    return kind, float(quality) if re.fullmatch(r"[01](\.\d{0,3})?", quality) else 0.0


def _quality(ranges: Sequence[tuple[str, float]], kind: str) -> float:
    """How much a type is liked: the most specific range that holds it decides."""
    family = kind.partition("/")[0]
    for name in (kind, f"{family}/*", "*/*"):
        found = [quality for asked, quality in ranges if asked == name]
        if found:
            return max(found)
    return 0.0
