"""Knows how every ruling of a store is cited: once a text, in as many processes as there are cores, as triples.

The graph `citations` holds what was inferred and nothing else: for each ruling the rules it rests on with method,
confidence and evidence, so that it can never be taken for what a source states.
"""

from __future__ import annotations

import gzip
import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path

import pyoxigraph as ox
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat

from kb.index import Index, IndexedRuling
from kb.quads import Writer
from kb.read_graph import read_rulebook
from kb.shipped import shipped
from kb.store import GraphStore
from kb.vocabulary import DCTERMS, ELI, OA, PROV, RDF, SR, XSD, Names
from kb.workers import end_with_parent
from query.cite import Cited, Citer, RuleCitation
from query.citing.book import Book
from query.citing.cards import CardFacts, CardsInMemory
from query.renumbering import Renumbering

METHOD = "citation ranking"
LEAST = 0.25
"""Citations less likely than this are not kept."""

_MOST, _EVIDENCE = 3, 2
_A_PART = 200
_DESCRIPTION = (
    "Rules ranked for the text by a weighted sum of signals: words, players' words, keywords, glossary terms, cards, "
    "headings and references. Asserted citations were right in four of five cases on texts not learned from."
)

Progress = Callable[[str], None]


def fingerprint() -> str:
    """A digest of all that decides which rules are cited: the weights, the phrases and this program."""
    here = Path(__file__).parent
    files = [*sorted(here.glob("citing/*.py")), here / "cite.py", Path(__file__), *sorted(shipped("citing").iterdir())]
    return sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def cite_rulings(
    store: GraphStore, index_path: Path, names: Names, edition: str, progress: Progress
) -> Iterator[bytes]:
    """The citations of every ruling in the store, as gzipped N-Quads; none where it holds no rulings."""
    index = Index(index_path)
    rulings = list(index.all_rulings())
    if not rulings:
        return
    by_text: dict[str, list[IndexedRuling]] = {}
    for ruling in rulings:
        by_text.setdefault(ruling.text, []).append(ruling)
    stated = _stated(store, names, edition)
    book = Book(read_rulebook(store.quads(graph=names.graph(edition))))
    cards = CardsInMemory(
        CardFacts(card.name, card.type_line, tuple(card.keywords.split("\n")), card.text) for card in index.all_cards()
    )
    index.close()
    write = Writer(names.collection("citations"))
    yield _packed(_method(names, write))
    tasks = [_task(text, same, stated) for text, same in by_text.items()]
    parts = [tasks[first : first + _A_PART] for first in range(0, len(tasks), _A_PART)]
    for at, part in enumerate(_cited(Citer(book, cards), parts), 1):
        yield _packed(quad for cited in part for quad in _quads(cited, by_text[cited.text], names, write))
        progress(f"cited the rules for {min(at * _A_PART, len(tasks)):,} of {len(tasks):,} ruling texts")


_Task = tuple[str, str, Mapping[str, str]]
"""A text, its card, and what today's rules call the numbers that it prints."""


def _stated(store: GraphStore, names: Names, edition: str) -> dict[str, dict[str, str]]:
    """By ruling, what `edition` calls the rules whose numbers the ruling prints.

    They were resolved in the edition of the ruling's day when it was read; a number that could not be is left out.
    """
    found: dict[str, dict[str, str]] = {}
    for quad in store.quads(None, ELI.cites, None, names.collection("rulings")):
        if isinstance(quad.subject, NamedNode) and isinstance(quad.object, NamedNode):
            then, _, key = quad.object.value.removeprefix(f"{names.work.value}/").partition("/")
            now = Renumbering(store, names, then, edition).now(key) if then <= edition else None
            if now is not None:
                found.setdefault(quad.subject.value.rpartition("/")[2], {})[key] = now
    return found


def _task(text: str, same: Sequence[IndexedRuling], stated: Mapping[str, dict[str, str]]) -> _Task:
    numbers: dict[str, str] = {}
    for ruling in same:
        numbers |= stated.get(ruling.key, {})
    return text, same[0].card, numbers


def _cited(citer: Citer, parts: Sequence[list[_Task]]) -> Iterator[list[Cited]]:
    """The citations of each part, in order; the workers share the citer's memory where processes can be forked."""
    one = partial(_cite_part, citer)
    if "fork" not in multiprocessing.get_all_start_methods() or len(parts) < 4:
        yield from map(one, parts)
        return
    citer.cite(*parts[0][0][:1])  # what is made on first use is made before the workers part
    _Worker.citer = citer
    with multiprocessing.get_context("fork").Pool(os.cpu_count() or 1, end_with_parent) as pool:
        yield from pool.imap(_Worker.cite, parts)


class _Worker:
    """What a forked worker finds in its memory."""

    citer: Citer

    @classmethod
    def cite(cls, part: list[_Task]) -> list[Cited]:
        return _cite_part(cls.citer, part)


def _cite_part(citer: Citer, part: list[_Task]) -> list[Cited]:
    return [citer.cite(text, cards=(card,), most=_MOST, renumbered=numbers.get) for text, card, numbers in part]


def _method(names: Names, write: Writer) -> Iterator[Quad]:
    return write.of(names.method(METHOD), (RDF.type, SR.Method), (SR.name, METHOD), (DCTERMS.description, _DESCRIPTION))


def _quads(cited: Cited, rulings: Iterable[IndexedRuling], names: Names, write: Writer) -> Iterator[Quad]:
    kept = [one for one in cited.citations if one.asserted or one.confidence >= LEAST]
    for ruling in rulings:
        node = names.ruling(ruling.key)
        for at, citation in enumerate(kept, 1):
            yield from _citation(NamedNode(f"{node.value}/citation/{at}"), node, citation, cited.edition, names, write)


def _citation(
    node: NamedNode, ruling: NamedNode, citation: RuleCitation, edition: str, names: Names, write: Writer
) -> Iterator[Quad]:
    rule = names.rule(edition, citation.rule)
    yield from write.of(
        node,
        (RDF.type, OA.Annotation),
        (OA.hasTarget, ruling),
        (OA.hasBody, rule),
        (SR.confidence, Literal(f"{citation.confidence:.3f}", datatype=XSD.decimal)),
        (SR.asserted, Literal(citation.asserted)),
        (PROV.wasGeneratedBy, names.method(METHOD)),
    )
    if citation.asserted:
        yield write.quad(ruling, SR.restsOn, rule)
    for at, one in enumerate(citation.evidence[:_EVIDENCE], 1):
        selector = NamedNode(f"{node.value}/evidence/{at}")
        yield write.quad(node, OA.hasSelector, selector)
        yield from write.of(
            selector,
            (RDF.type, OA.TextQuoteSelector),
            (RDF.type, OA.TextPositionSelector),
            (OA.exact, one.text),
            (OA.start, one.start),
            (OA.end, one.end),
            (DCTERMS.description, one.why),
        )


def _packed(quads: Iterable[Quad]) -> bytes:
    return gzip.compress(ox.serialize(quads, format=RdfFormat.N_QUADS) or b"", 1, mtime=0)
