"""Knows what users hold: one store and one edition of it, with every question as a method of two or three lines."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from pyoxigraph import Literal, NamedNode, RdfFormat

from kb.home import Home
from kb.rulebook import Rulebook
from kb.store import Answer, GraphStore, open_store
from kb.vocabulary import COLLECTIONS, PREFIXES, SR, Names
from query.entry import Entry
from query.errors import UnknownEdition
from query.follow import Direction, Follow, Hop, Hub, Reached
from query.lookup import Lookup

if TYPE_CHECKING:
    from rdflib import Graph

    from kb.index import Index
    from query.card_entry import CardEntry, KeywordEntry
    from query.cards import CardLookup
    from query.citation import Citation
    from query.cite import Cited, Citer
    from query.history import Version
    from query.predicate.answer import Answer as BoardAnswer
    from query.predicate.board import Board
    from query.predicate.judge import Judge
    from query.search import Filters, Found, Search


class KnowledgeBase:
    """The rules as a graph, and the questions it answers; every answer is of `edition`.

    Open one with `KnowledgeBase.open()`; it is a context manager.
    """

    semantic: bool | None = None
    """Whether citing uses the embedding of the extra `semantic`; None: where a build has read the rules for it."""

    def __init__(self, store: GraphStore, edition: str | None = None) -> None:
        self.store = store
        self.names = _names(store)
        if edition is not None and edition not in self.editions:
            raise UnknownEdition(edition, self.editions)
        self.edition = edition or self.editions[-1]

    @classmethod
    def open(cls, location: str | os.PathLike[str] | None = None, edition: str | None = None) -> KnowledgeBase:
        """The knowledge base at `location`: a home folder, the address of a SPARQL endpoint, or None for the setting
        `SEERULE_STORE` and else the user's home, where the embedded outline stands in until something is built.

        `edition` is a date as YYYY-MM-DD, by default the newest in the store. Raises `UnknownEdition` and what
        opening a store raises.
        """
        return cls(_open(location), edition)

    @cached_property
    def editions(self) -> tuple[str, ...]:
        """The editions in the store, oldest first."""
        held = self.store.quads(None, SR.inEdition, None, self.names.catalogue)
        dates = (quad.object.value.rpartition("/")[2] for quad in held if isinstance(quad.object, NamedNode))
        return tuple(sorted(dates))

    @cached_property
    def lookup(self) -> Lookup:
        """Look-ups in the edition."""
        return Lookup(self.store, self.names, self.edition)

    @cached_property
    def follow(self) -> Follow:
        """Walks along the edition's references."""
        return Follow(self.lookup)

    @cached_property
    def cards(self) -> CardLookup:
        """Look-ups of cards, keywords and rulings; imported when first asked for."""
        from query.cards import CardLookup

        return CardLookup(self.lookup)

    def card(self, name: str) -> CardEntry:
        """The card of that name, as people type it; raises `UnknownEntry`, `AmbiguousCard`, `NoCards`."""
        return self.cards.entry(name)

    def card_name(self, name: str) -> str:
        """A card's name as it is printed; as it was given where the store has no cards. Raises as `card` does."""
        from query.errors import NoCards

        try:
            return self.newest.searching.card_name(name)
        except NoCards:
            return name

    def keyword(self, name: str, samples: int = 5, rulings: int = 5) -> KeywordEntry:
        """The keyword of that name with its family, cards and rulings; raises `UnknownEntry`."""
        return self.cards.keywords.entry(name, samples, rulings)

    def of_edition(self, edition: str) -> KnowledgeBase:
        """The same store, asked by another of its editions; closed with this one."""
        if edition == self.newest.edition:
            return self.newest
        other = type(self)(self.store, edition)
        other.newest, other.semantic = self.newest, self.semantic
        return other

    @cached_property
    def newest(self) -> KnowledgeBase:
        """The same store, asked by its newest edition; closed with this one."""
        if self.edition == self.editions[-1]:
            return self
        newest = type(self)(self.store)
        newest.semantic = self.semantic
        return newest

    @cached_property
    def index(self) -> Index:
        """The full-text index of the store."""
        from query.open_index import open_index

        return open_index(self.store)

    @cached_property
    def searching(self) -> Search:
        """Searches in the edition."""
        from query.search import Search

        return Search(self.index, self.lookup)

    def search(self, text: str, filters: Filters | None = None) -> Found:
        """What is found for `text`: a number, a name, words, "phrases", -without; raises `NoIndex`."""
        from query.search import Filters

        return self.searching.search(text, filters or Filters())

    @cached_property
    def citer(self) -> Citer:
        """Cites rules of the edition; the first use reads the whole book."""
        from query.citing.open import open_citer
        from query.open_index import vectors_folder

        return open_citer(self.rulebook(), self.index, vectors_folder(self.store), semantic=self.semantic)

    def cite(self, text: str, answer: str = "", cards: Collection[str] = ()) -> Cited:
        """The rules that govern a ruling, question or answer, best first; `cards` are names of cards it is about.

        They are found among the newest edition's and numbered as this one numbers them.
        """
        if self.newest is self:
            return self.citer.cite(text, answer, cards)
        from query.renumbering import Renumbering

        numbers = Renumbering(self.store, self.names, self.edition, self.newest.edition)
        return numbers.of(self.newest.citer.cite(text, answer, cards, renumbered=numbers.now))

    def citation(self, number: str) -> Citation:
        """How a rule is cited; raises `UnknownEntry`."""
        from query.citation import Citation

        entry = self.show(number)
        title = entry.title or next((named.title for named in reversed(entry.above) if named.title), "")
        return Citation(entry.key, self.edition, title or "", entry.text or "", entry.iri)

    def show(self, asked: str) -> Entry:
        """The rule, chapter, section or glossary entry that `asked` means; raises `UnknownEntry`, `AmbiguousName`."""
        return self.lookup.show(asked)

    def links(self, asked: str, direction: Direction, depth: int = 1) -> Iterator[Reached]:
        """The references that lead out of an entry or into it, up to `depth` steps away."""
        return self.follow.reached(self.lookup.find(asked)[0], direction, depth)

    def path(self, start: str, end: str) -> tuple[Hop, ...]:
        """The shortest chain of references between two entries; raises `NoPath`."""
        return self.follow.path(self.lookup.find(start)[0], self.lookup.find(end)[0])

    def hubs(self, count: int = 20) -> tuple[Hub, ...]:
        """The most cited entries."""
        return self.follow.hubs(count)

    def references(self) -> tuple[tuple[str, str], ...]:
        """Every reference of the rules and their examples as source and target, in the order of the book.

        Ranges are expanded; a target that does not exist is given as the text has it; sections are left out.
        """
        from query.follow import reference_pairs

        return reference_pairs(self.lookup)

    def history(self, asked: str) -> tuple[Version, ...]:
        """The rule or chapter that `asked` means in every edition of the store that has it, oldest first."""
        from query.history import versions

        return versions(self.store, self.names, self.edition, self.lookup.find(asked)[0])

    def rulebook(self) -> Rulebook:
        """The whole edition as values, read back from the graph."""
        from kb.read_graph import read_rulebook

        return read_rulebook(self.store.quads(graph=self.names.graph(self.edition)))

    def ask(self, board: Board | str | os.PathLike[str], question: str) -> BoardAnswer:
        """The answer to a question about a board (a value, or a file in YAML, JSON or Turtle), with its proof.

        Raises `BoardError` or `QuestionError`, both `SeeruleError`.
        """
        from query.predicate.board import Board

        return self.judge.ask(board if isinstance(board, Board) else self.board(board), question)

    def board(self, path: str | os.PathLike[str]) -> Board:
        """The board in a file; the cards it names bring what the graph says of them. Raises `BoardError`."""
        from query.predicate.board_file import read_board
        from query.predicate.graph_cards import card_lookup

        return read_board(Path(path), card_lookup(self.card))

    @cached_property
    def judge(self) -> Judge:
        """Who answers questions about boards: the shipped rule files, read and compiled once."""
        from query.predicate.judge import judge

        return judge(edition=self.edition)

    def sparql(self, query: str, values: Mapping[str, NamedNode | Literal] | None = None) -> Answer:
        """The answer to a SPARQL query of one's own, which sees the edition, cards and rulings; no time limit, no
        refusals.

        Queries of strangers go through `query.sparql.evaluate`, which refuses what reaches out and ends what is slow.
        """
        collections = {self.names.collection(name) for name in COLLECTIONS}
        beside = [graph for graph in self.store.default_graphs if graph in collections]
        return self.store.query(query, values or {}, default_graphs=[self.names.graph(self.edition), *beside])

    def graph(self) -> Graph:
        """The edition as rdflib's `Graph` over the same store, for those who know rdflib; needs the extra `rdflib`."""
        from rdflib import URIRef

        return self.store.rdflib_graph().graph(URIRef(self.names.graph(self.edition).value))

    def export(self, format: RdfFormat) -> Iterator[bytes]:
        """The edition's named graph in an RDF format, piece by piece."""
        return self.store.dump(format, [self.names.graph(self.edition)], prefixes=PREFIXES)

    def close(self) -> None:
        """Lets go of the store and of the index."""
        for base in {id(one): one for one in (self, self.__dict__.get("newest", self))}.values():
            if "index" in base.__dict__:
                base.index.close()
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _open(location: str | os.PathLike[str] | None) -> GraphStore:
    """The store; a home goes through the embedded outline, which fills it where it is empty."""
    named = os.fspath(location) if location is not None else os.environ.get("SEERULE_STORE", "")
    if ":" in named.partition("/")[0] or (named and (Path(named) / "CURRENT").is_file()):
        return open_store(named)
    from kb.embedded import open_home

    return open_home(Home(Path(named).expanduser()) if named else Home.default())


def _names(store: GraphStore) -> Names:
    """How things are named in a store: its catalogue tells the base IRI."""
    found = next(store.quads(None, SR.currentEdition, None, None), None)
    if found is None or not isinstance(found.subject, NamedNode):
        raise UnknownEdition("current", ["nothing that seerule built"])
    return Names(found.subject.value.removesuffix("graph/catalogue"))
