"""Knows how a rulebook is written as triples and read back from them, without loss.

Edition <- is_part_of - Section <- Chapter <- Rule <- Subrule        Example - illustrates -> Rule
Reference - hasSource -> Rule | Example | GlossaryEntry,  - reaches -> what it cites;   Rule - cites -> Rule
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pyoxigraph import Literal, NamedNode, Quad

from kb.resolution import Link
from kb.rulebook import Example, GlossaryEntry, Paragraph, Rule, Rulebook
from kb.vocabulary import DCAT, DCTERMS, ELI, OA, OWL, PROV, RDF, SKOS, SR, XSD, Names, slug

_KINDS = {"section": SR.Section, "chapter": SR.Chapter, "rule": SR.Rule, "subrule": SR.Subrule}
_PARTS = ("front", "introduction", "index", "credits", "ornaments")


class EditionGraph:
    """Writes one edition: every triple that `rulebook` and its `links` state, in the edition's own named graph."""

    def __init__(self, rulebook: Rulebook, links: Iterable[Link], names: Names) -> None:
        self.rulebook, self.links, self.names = rulebook, links, names
        self.edition = rulebook.edition
        self.graph = names.graph(self.edition)
        self.slugs = entry_slugs(rulebook.glossary)

    def quads(self) -> Iterator[Quad]:
        """Every quad, the edition first."""
        yield from self._edition()
        yield from self._headings()
        yield from self._rules()
        yield from self._glossary()
        yield from self._around()
        yield from self._references()

    def _add(
        self, subject: NamedNode, *pairs: tuple[NamedNode, NamedNode | Literal | str | int | None]
    ) -> Iterator[Quad]:
        """A quad a pair; text becomes a string, a whole number an integer, and None nothing."""
        for predicate, value in pairs:
            if value is not None:
                term = value if isinstance(value, (NamedNode, Literal)) else Literal(value)
                yield Quad(subject, predicate, term, self.graph)

    def _edition(self) -> Iterator[Quad]:
        book, names = self.rulebook, self.names
        edition, source = names.edition(self.edition), names.source(book.source.sha256)
        yield from self._add(
            edition,
            (RDF.type, SR.Edition),
            (DCTERMS.title, f"Magic: The Gathering Comprehensive Rules, {self.edition}"),
            (ELI.realizes, names.work),
            (ELI.version_date, Literal(self.edition, datatype=XSD.date)),
            (PROV.wasDerivedFrom, source),
            (SR.outline, Literal(True) if book.outline else None),
        )
        yield from self._add(
            source,
            (RDF.type, SR.Source),
            (DCTERMS.title, book.source.name),
            (SR.sha256, book.source.sha256),
            (SR.encoding, book.source.encoding),
            (DCAT.byteSize, book.source.size),
        )

    def _headings(self) -> Iterator[Quad]:
        for head in (*self.rulebook.sections, *self.rulebook.chapters):
            if head.number is None:
                continue
            above = head.number.parent
            yield from self._add(
                self.names.rule(self.edition, str(head.number)),
                (RDF.type, _KINDS[head.number.level]),
                (ELI.number, str(head.number)),
                (DCTERMS.title, head.title),
                (
                    ELI.is_part_of,
                    self.names.rule(self.edition, str(above)) if above else self.names.edition(self.edition),
                ),
                (SR.line, head.line),
            )

    def _rules(self) -> Iterator[Quad]:
        for order, rule in enumerate(self.rulebook.rules, 1):
            node = self.names.rule(self.edition, rule.key)
            yield from self._add(
                node,
                (RDF.type, _KINDS[rule.number.level]),
                (ELI.number, str(rule.number)),
                (ELI.is_part_of, self._parent(rule)),
                (SR.order, order),
                (DCTERMS.title, rule.heading),
                (SR.text, rule.text or None),
                (SR.occurrence, rule.occurrence if rule.occurrence > 1 else None),
                (SR.printedNumber, rule.label or None),
                *(_lines(rule.paragraphs[0]) if rule.paragraphs else ()),
            )
            yield from self._continued(node, rule.paragraphs)
            yield from self._examples(node, rule.examples)

    def _examples(self, node: NamedNode, examples: tuple[Example, ...]) -> Iterator[Quad]:
        for position, example in enumerate(examples, 1):
            yield from self._add(
                self.names.example(node, position),
                (RDF.type, SR.Example),
                (SR.illustrates, node),
                (SR.position, position),
                (SR.text, example.text or None),
                *_lines(example),
            )

    def _parent(self, rule: Rule) -> NamedNode:
        """The rule above a subrule; of two with one number, the one of the subrule's own occurrence."""
        above = rule.number.parent
        occurrences = self.rulebook.occurrences.get(above, ()) if above else ()
        key = occurrences[min(rule.occurrence, len(occurrences)) - 1].key if occurrences else str(above)
        return self.names.rule(self.edition, key)

    def _continued(self, node: NamedNode, paragraphs: tuple[Paragraph, ...]) -> Iterator[Quad]:
        """The paragraphs after the first; each is a node, since it has lines of its own."""
        for position, paragraph in enumerate(paragraphs[1:], 2):
            yield from self._add(
                NamedNode(f"{node.value}/paragraph/{position}"),
                (RDF.type, SR.Paragraph),
                (SR.continues, node),
                (SR.position, position),
                (SR.text, paragraph.text),
                *_lines(paragraph),
            )

    def _glossary(self) -> Iterator[Quad]:
        scheme = self.names.glossary(self.edition)
        yield from self._add(scheme, (RDF.type, SKOS.ConceptScheme), (ELI.is_part_of, self.names.edition(self.edition)))
        for order, entry in enumerate(self.rulebook.glossary, 1):
            node = self.names.term(self.edition, self.slugs[entry])
            yield from self._add(
                node,
                (RDF.type, SR.GlossaryEntry),
                (SKOS.inScheme, scheme),
                (SKOS.prefLabel, entry.terms[0]),
                *(
                    (SKOS.altLabel, term)
                    for term in dict.fromkeys((*entry.terms[1:], entry.name))
                    if term != entry.terms[0]
                ),
                (SR.heading, entry.heading),
                (SKOS.definition, entry.text or None),
                (OWL.deprecated, Literal(True) if entry.obsolete else None),
                (SR.order, order),
                (SR.line, entry.line),
                (SR.textLine, entry.paragraphs[0].line if entry.paragraphs else None),
                (SR.endLine, entry.paragraphs[0].end if entry.paragraphs else None),
            )
            yield from self._continued(node, entry.paragraphs)
            yield from self._examples(node, entry.examples)

    def _around(self) -> Iterator[Quad]:
        """Contents list, introduction, credits: kept, so that nothing of the file is lost."""
        for part in ("heads", "contents"):
            for position, head in enumerate(getattr(self.rulebook, part), 1):
                yield from self._add(
                    self.names.passage(self.edition, part, position),
                    (RDF.type, SR.ContentsEntry),
                    (SR.part, part),
                    (SR.position, position),
                    (ELI.number, str(head.number) if head.number else None),
                    (DCTERMS.title, head.title),
                    (SR.line, head.line),
                )
        for part in _PARTS:
            for position, paragraph in enumerate(getattr(self.rulebook, part), 1):
                yield from self._add(
                    self.names.passage(self.edition, part, position),
                    (RDF.type, SR.Passage),
                    (SR.part, part),
                    (SR.position, position),
                    (SR.text, paragraph.text),
                    *_lines(paragraph),
                )

    def _references(self) -> Iterator[Quad]:
        edges: set[tuple[NamedNode, NamedNode]] = set()
        counted: dict[NamedNode, int] = {}
        for link in self.links:
            source, passage, shift = self._passage(link)
            counted[source] = counted.get(source, 0) + 1
            targets = [self.names.rule(self.edition, key) for key in link.targets]
            targets += [self.names.term(self.edition, self.slugs[entry]) for entry in link.entries]
            edges.update((source, target) for target in targets)
            said = link.reference
            yield from self._add(
                NamedNode(f"{source.value}/reference/{counted[source]}"),
                (RDF.type, SR.Reference),
                (OA.hasSource, passage),
                (OA.exact, said.quote),
                (OA.start, said.start + shift),
                (OA.end, said.end + shift),
                (SR.kind, said.kind),
                (SR.first, str(said.first) if said.first else None),
                (SR.last, str(said.last) if said.last else None),
                (SR.givenTitle, said.title),
                (SR.fault, link.fault.message if link.fault else None),
                *((SR.reaches, target) for target in dict.fromkeys(targets)),
            )
        for source, target in sorted(edges, key=lambda edge: (edge[0].value, edge[1].value)):
            yield Quad(source, ELI.cites, target, self.graph)

    def _passage(self, link: Link) -> tuple[NamedNode, NamedNode, int]:
        """The rule or entry a reference belongs to, the text it stands in, where its paragraph begins there."""
        source = link.source
        if isinstance(source, Rule):
            node = self.names.rule(self.edition, source.key)
        else:
            node = self.names.term(self.edition, self.slugs[source])
        example, shift = link.passage
        return node, self.names.example(node, example) if example else node, shift


def entry_slugs(glossary: Iterable[GlossaryEntry]) -> dict[GlossaryEntry, str]:
    """The address of each entry, told apart where two headings make the same one."""
    counted: dict[str, int] = {}
    slugs: dict[GlossaryEntry, str] = {}
    for entry in glossary:
        plain = slug(entry.heading)
        counted[plain] = counted.get(plain, 0) + 1
        slugs[entry] = plain if counted[plain] == 1 else f"{plain}~{counted[plain]}"
    return slugs


def _lines(passage: Paragraph | Example) -> tuple[tuple[NamedNode, int | None], ...]:
    return ((SR.line, passage.line), (SR.endLine, passage.end if passage.end != passage.line else None))
