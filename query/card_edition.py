"""Knows by which edition the texts of cards and rulings were read, and what its rules, keywords and terms are in
another one that is asked about.

Cards are read once, by the newest edition of a build; whoever asks with an older edition is answered with its rules.
"""

from __future__ import annotations

from functools import cached_property

from pyoxigraph import NamedNode

from kb.vocabulary import SR
from query.lookup import Lookup
from query.nodes import Said
from query.renumbering import Renumbering


class CardEdition:
    """The edition that cards and rulings were read by, seen from the edition of a `Lookup`."""

    def __init__(self, asked: Lookup) -> None:
        self._asked = asked

    @cached_property
    def lookup(self) -> Lookup:
        """Look-ups in the edition that cards were read by: the newest in the store, since a build reads them again."""
        held = self._asked.store.quads(None, SR.inEdition, None, self._asked.names.catalogue)
        dates = [quad.object.value.rpartition("/")[2] for quad in held if isinstance(quad.object, NamedNode)]
        newest = max(dates, default=self._asked.edition)
        return self._asked if newest == self._asked.edition else Lookup(self._asked.store, self._asked.names, newest)

    @property
    def date(self) -> str:
        """The edition's date as YYYY-MM-DD."""
        return self.lookup.edition

    @cached_property
    def _renumbering(self) -> Renumbering:
        return Renumbering(self._asked.store, self._asked.names, self._asked.edition, self.date)

    def holds(self, node: NamedNode) -> bool:
        """Whether an IRI is one of this edition and not of the one asked about."""
        return self.lookup is not self._asked and node.value.startswith(f"{self.lookup.node('').value}")

    def here(self, node: NamedNode) -> NamedNode:
        """A keyword or term of this edition as the edition asked about has it, by its name; itself if it has none."""
        if not self.holds(node):
            return node
        same = self._asked.node(self.lookup.key(node))
        return same if self._asked.properties(same) else node

    def there(self, node: NamedNode) -> NamedNode:
        """A keyword or term of the edition asked about by its name in this edition: what uses and mentions lead to."""
        return node if self.holds(node) else self.lookup.node(self._asked.key(node))

    def said(self, node: NamedNode) -> Said:
        """What is known of a keyword or term, of whichever of the two editions it is."""
        return (self.lookup if self.holds(node) else self._asked).properties(node)

    def key(self, rule: NamedNode) -> str:
        """The number of a rule of this edition in the one asked about; where that lacks it, `2026-09-25/702.193`."""
        if not self.holds(rule):
            return self._asked.key(rule)
        key = self.lookup.key(rule)
        return self._renumbering.then(key) or self.dated(key)

    def dated(self, key: str) -> str:
        """The key of an entry of this edition, told apart from keys of the edition asked about."""
        return key if self.lookup is self._asked else f"{self.date}/{key}"

    def of(self, key: str) -> tuple[Lookup, str]:
        """Where the entry of a key that `key` or `dated` gave is looked up, and its key there."""
        own = f"{self.date}/"
        return (self.lookup, key.removeprefix(own)) if key.startswith(own) else (self._asked, key)
