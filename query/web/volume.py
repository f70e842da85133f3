"""Knows one build of the store as a server has it open: its editions, the pages made from it, the queries over it."""

from __future__ import annotations

import hashlib
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from pyoxigraph import Literal, NamedNode

from kb.build import BuildFolder, Description
from kb.catalogue import Holding
from kb.vocabulary import PROV, SR, VOID
from query.errors import UnknownEdition
from query.knowledge_base import KnowledgeBase
from query.web.aside import Aside
from query.web.clauses import LeadingClause, clauses_by_rule
from query.web.kept import Kept
from query.web.open_edition import OpenEdition
from query.web.query_pool import QueryPool
from query.web.setting import Setting

_KEPT_OPEN = 6
"""How many editions are kept open beside the current one; each takes some megabytes."""


@dataclass(frozen=True, slots=True)
class Shelved:
    """An edition in the store: its date, the hash of its official file, how many triples it has."""

    edition: str
    sha256: str
    triples: int


class Volume:
    """A store and what a server makes from it; `version` is the same on every machine that serves the same build.

    `clauses` are those of the predicates by the key of the rule that they rest on, once it is warm.
    """

    def __init__(self, setting: Setting) -> None:
        self._first = KnowledgeBase.open(setting.store)
        self.store, self.names, self.editions = self._first.store, self._first.names, self._first.editions
        self.current, self.site = self._first.edition, setting.address
        self.folder = _build_folder(self.store.location)
        self.pages = Kept(setting.kept_bytes)
        self.queries = QueryPool(self.store, setting)
        self.citing, self.judging = Aside(setting.aside_seconds), Aside(setting.aside_seconds)
        self.searching = ThreadPoolExecutor(1, thread_name_prefix="search")
        self.opened = datetime.now(UTC)
        self.readers = 0
        self.is_warm = False
        self.clauses: dict[str, tuple[LeadingClause, ...]] = {}
        self._open: dict[str, OpenEdition] = {}
        self._turn = threading.Lock()

    @cached_property
    def description(self) -> Description | None:
        """What the build says of itself; None for a remote engine or a store in memory."""
        return self.folder.description() if self.folder is not None else None

    @cached_property
    def version(self) -> str:
        """A short name for exactly this content."""
        from query.web.assets import fingerprint

        said = self.description.record_sha256 if self.description else repr(self.shelved)
        return hashlib.sha256(f"{said} {fingerprint()}".encode()).hexdigest()[:16]

    @cached_property
    def modified(self) -> datetime:
        """When the content last changed: when it was built, or else when it was opened."""
        return (
            datetime.fromisoformat(self.description.created) if self.description else self.opened.replace(microsecond=0)
        )

    @cached_property
    def holdings(self) -> tuple[Holding, ...]:
        """What the builder counted in each edition; empty where a remote engine does not tell."""
        said = self.description.about.get("holdings", ()) if self.description else ()
        return tuple(Holding.from_json(holding) for holding in said)

    @cached_property
    def shelved(self) -> tuple[Shelved, ...]:
        """The editions as the catalogue in the store has them, oldest first."""
        catalogue, found = self.names.catalogue, []
        for edition in self.editions:
            said = {
                quad.predicate: quad.object for quad in self.store.quads(self.names.graph(edition), graph=catalogue)
            }
            source, count = said.get(PROV.wasDerivedFrom), said.get(VOID.triples)
            sha256 = source.value.rpartition("/")[2] if isinstance(source, NamedNode) else ""
            found.append(Shelved(edition, sha256, int(count.value) if isinstance(count, Literal) else 0))
        return tuple(found)

    @cached_property
    def counts(self) -> tuple[tuple[NamedNode, int], ...]:
        """Every named graph with the number of its triples, sorted by name."""
        known = {self.names.graph(holding.edition): holding.quads for holding in self.holdings}
        cards = (self.description.about.get("cards") if self.description else None) or {}
        known |= {self.names.collection(name): count for name, count in cards.get("parts", ())}
        return tuple((graph, known.get(graph) or self._count(graph)) for graph in self.store.graphs())

    def _count(self, graph: NamedNode) -> int:
        found = next(iter(self.store.select(f"SELECT (COUNT(*) AS ?n) {{ GRAPH {graph} {{ ?s ?p ?o }} }}")))[0]
        return int(found.value) if isinstance(found, Literal) else 0

    def edition(self, named: str | None = None) -> OpenEdition:
        """An edition, by default the current one; raises `UnknownEdition`."""
        named = named or self.current
        if named not in self.editions:
            raise UnknownEdition(named, self.editions)
        with self._turn:
            if named not in self._open:
                self._forget_one()
                self._open[named] = OpenEdition(KnowledgeBase(self.store, named))
            return self._open[named]

    def _forget_one(self) -> None:
        others = [edition for edition in self._open if edition != self.current]
        if len(others) >= _KEPT_OPEN:
            del self._open[others[0]]

    def warm(self) -> None:
        """Reads the current edition ahead and makes what its pages need; until then they come from the disk, without
        what takes long to find.
        """
        self.edition().read_ahead()
        self.clauses = clauses_by_rule()
        self.is_warm = True

    @cached_property
    def has_cards(self) -> bool:
        """Whether cards and rulings are in the store."""
        return next(self.store.quads(None, SR.nameKey, None, self.names.collection("cards")), None) is not None

    @property
    def outline(self) -> bool:
        """Whether the current edition is the embedded outline, without the official text."""
        base = self._first
        return next(self.store.quads(base.names.edition(base.edition), SR.outline), None) is not None

    def close(self) -> None:
        """Ends the queries and lets go of the store."""
        self.queries.close()
        self.citing.close()
        self.judging.close()
        self.searching.shutdown(wait=False, cancel_futures=True)
        self._first.close()


def _build_folder(location: str) -> BuildFolder | None:
    """The build that a store at `location` belongs to."""
    folder = BuildFolder(Path(location).parent)
    return folder if folder.description_file.is_file() else None
