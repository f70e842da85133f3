"""Knows how a rulebook is read back from the triples of its named graph: the inverse of `kb.graph`."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from pyoxigraph import Literal, NamedNode, Quad

from kb.number import RuleNumber
from kb.rulebook import Example, GlossaryEntry, Heading, Paragraph, Rule, Rulebook, Source
from kb.vocabulary import DCAT, DCTERMS, ELI, PROV, RDF, SKOS, SR

_Node = dict[NamedNode, list[str]]


def read_rulebook(quads: Iterable[Quad]) -> Rulebook:
    """The rulebook whose named graph consists of `quads`, equal to the one that was written.

    Raises `ValueError` where the graph holds no edition.
    """
    return _Reader(quads).rulebook()


class _Reader:
    """The nodes of one named graph by subject, and the classes they belong to."""

    def __init__(self, quads: Iterable[Quad]) -> None:
        self.nodes: dict[str, _Node] = {}
        self.by_type: dict[str, list[str]] = {}
        for quad in quads:
            subject, value = _value(quad.subject), _value(quad.object)
            self.nodes.setdefault(subject, {}).setdefault(quad.predicate, []).append(value)
            if quad.predicate == RDF.type:
                self.by_type.setdefault(value, []).append(subject)

    def all(self, kind: NamedNode, order: NamedNode) -> list[tuple[str, _Node]]:
        """The nodes of a class in the order that a numeric property gives them."""
        found = [(subject, self.nodes[subject]) for subject in self.by_type.get(kind.value, ())]
        return sorted(found, key=lambda pair: int(pair[1][order][0]))

    def under(self, kind: NamedNode, link: NamedNode) -> dict[str, list[_Node]]:
        """The nodes of a class by the node they hang on, in their order."""
        found: dict[str, list[_Node]] = {}
        for _, node in self.all(kind, SR.position):
            found.setdefault(node[link][0], []).append(node)
        return found

    def rulebook(self) -> Rulebook:
        """Every value, put together."""
        editions = self.by_type.get(SR.Edition.value)
        if not editions:
            raise ValueError("the graph holds no edition of the rules")
        edition = self.nodes[editions[0]]
        self.examples, self.continued = (
            self.under(SR.Example, SR.illustrates),
            self.under(SR.Paragraph, SR.continues),
        )
        around = {
            part: tuple(self._passages(part)) for part in ("front", "introduction", "index", "credits", "ornaments")
        }
        return Rulebook(
            effective=date.fromisoformat(edition[ELI.version_date][0]),
            source=self._source(self.nodes[edition[PROV.wasDerivedFrom][0]]),
            heads=tuple(self._contents("heads")),
            contents=tuple(self._contents("contents")),
            sections=tuple(self._headings(SR.Section)),
            chapters=tuple(self._headings(SR.Chapter)),
            rules=tuple(self._rules()),
            glossary=tuple(self._glossary()),
            **around,
        )

    def _source(self, node: _Node) -> Source:
        return Source(node[DCTERMS.title][0], int(node[DCAT.byteSize][0]), node[SR.sha256][0], node[SR.encoding][0])

    def _headings(self, kind: NamedNode) -> Iterable[Heading]:
        for _, node in self.all(kind, SR.line):
            yield Heading(RuleNumber.parse(node[ELI.number][0]), node[DCTERMS.title][0], int(node[SR.line][0]))

    def _contents(self, part: str) -> Iterable[Heading]:
        for _, node in self.all(SR.ContentsEntry, SR.position):
            if node[SR.part][0] == part:
                number = node.get(ELI.number)
                yield Heading(
                    RuleNumber.parse(number[0]) if number else None,
                    node[DCTERMS.title][0],
                    int(node[SR.line][0]),
                )

    def _passages(self, part: str) -> Iterable[Paragraph]:
        for _, node in self.all(SR.Passage, SR.position):
            if node[SR.part][0] == part:
                yield _paragraph(node, node[SR.text][0])

    def _rules(self) -> Iterable[Rule]:
        found = [*self.all(SR.Rule, SR.order), *self.all(SR.Subrule, SR.order)]
        for subject, node in sorted(found, key=lambda pair: int(pair[1][SR.order][0])):
            yield Rule(
                number=RuleNumber.parse(node[ELI.number][0]),
                paragraphs=self._paragraphs(subject, node, SR.text, SR.line),
                examples=self._examples(subject),
                occurrence=int(node.get(SR.occurrence, ["1"])[0]),
                label=node.get(SR.printedNumber, [""])[0],
            )

    def _glossary(self) -> Iterable[GlossaryEntry]:
        for subject, node in self.all(SR.GlossaryEntry, SR.order):
            paragraphs = self._paragraphs(subject, node, SKOS.definition, SR.textLine)
            yield GlossaryEntry(node[SR.heading][0], paragraphs, int(node[SR.line][0]), self._examples(subject))

    def _paragraphs(self, subject: str, node: _Node, text: NamedNode, line: NamedNode) -> tuple[Paragraph, ...]:
        """The paragraphs of a text: the nodes of those after the first say what part of it the first one is."""
        if text not in node:
            return ()
        later = [_paragraph(more, more[SR.text][0]) for more in self.continued.get(subject, ())]
        first = node[text][0].removesuffix("".join("\n" + paragraph.text for paragraph in later))
        at = int(node[line][0])
        return (Paragraph(first, at, int(node.get(SR.endLine, [str(at)])[0])), *later)

    def _examples(self, subject: str) -> tuple[Example, ...]:
        return tuple(_example(node) for node in self.examples.get(subject, ()))


def _value(term: object) -> str:
    if isinstance(term, (NamedNode, Literal)):
        return term.value
    raise ValueError(f"unexpected term in the graph of an edition: {term}")


def _paragraph(node: _Node, text: str) -> Paragraph:
    line = int(node[SR.line][0])
    return Paragraph(text, line, int(node.get(SR.endLine, [str(line)])[0]))


def _example(node: _Node) -> Example:
    paragraph = _paragraph(node, node.get(SR.text, [""])[0])
    return Example(paragraph.text, paragraph.line, paragraph.end)
