"""Questions: look up, follow, prove, cite. `from query import KnowledgeBase` is all that a library user needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from query.knowledge_base import KnowledgeBase as KnowledgeBase

__all__ = ["KnowledgeBase"]


def __getattr__(name: str) -> Any:
    """`KnowledgeBase`, imported when it is asked for: the commands that do not need it start without it."""
    if name == "KnowledgeBase":
        from query.knowledge_base import KnowledgeBase

        return KnowledgeBase
    raise AttributeError(f"module 'query' has no attribute {name!r}")
