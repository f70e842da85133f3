"""Knows what rules of the newest edition were called in an older one, and the other way round, step by step.

Whoever cites for an old text wants the numbers of its day, found by today's rules: what players and cards say is bound
to those. An alignment of neighbouring editions (`kb.edition`) leads from the one to the other.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pyoxigraph import NamedNode

from kb.store import GraphStore
from kb.vocabulary import PROV, Names

if TYPE_CHECKING:
    from query.cite import Cited


class Renumbering:
    """The numbers of an older edition for those of the newest one."""

    def __init__(self, store: GraphStore, names: Names, older: str, newest: str) -> None:
        self._store, self._names, self.older, self.newest = store, names, older, newest

    def then(self, key: str) -> str | None:
        """What the rule that is `key` in the newest edition was called in the older one; None where it had none."""
        node = self._names.rule(self.newest, key)
        while self._edition(node) > self.older:
            before = next(self._store.quads(node, PROV.wasRevisionOf, None, self._names.revisions), None)
            if before is None or not isinstance(before.object, NamedNode):
                return None
            node = before.object
        return self._key(node)

    def now(self, key: str) -> str | None:
        """What the rule that was `key` in the older edition is called in the newest one; None where it is gone."""
        node = self._names.rule(self.older, key)
        while self._edition(node) < self.newest:
            after = next(self._store.quads(None, PROV.wasRevisionOf, node, self._names.revisions), None)
            if after is None or not isinstance(after.subject, NamedNode):
                return None
            node = after.subject
        return self._key(node)

    def of(self, cited: Cited) -> Cited:
        """Citations of the newest edition by the numbers of the older one, without the rules that it did not have."""
        from query.cite import Cited  # what citing needs is read when something is cited

        numbered = [(self.then(one.rule), one) for one in cited.citations]
        kept = tuple(replace(one, rule=number) for number, one in numbered if number is not None)
        return Cited(cited.text, self.older, kept)

    def _edition(self, node: NamedNode) -> str:
        return node.value.removeprefix(f"{self._names.work.value}/").partition("/")[0]

    def _key(self, node: NamedNode) -> str:
        return node.value.removeprefix(f"{self._names.work.value}/").partition("/")[2]
