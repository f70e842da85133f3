"""Knows every IRI of the graph: the terms of the ontology, of the vocabularies it builds on, and how things are named.

A misspelt term fails where it is typed: `SR.seees` raises AttributeError, instead of storing a predicate that no
query will ever ask for. No program writes an IRI anywhere else, and no term is here that none uses. `ontology.ttl`
beside this file says what each own term means, `shapes.ttl` what the graph of an edition must look like.
"""

from __future__ import annotations

import os
import re
import unicodedata
from urllib.parse import quote

from pyoxigraph import NamedNode

ONTOLOGY = "https://seerule.example/ontology#"
CHECKS = "https://seerule.example/checks#"
DEFAULT_BASE = "https://seerule.example/"


class Vocabulary:
    """A closed list of terms under one namespace IRI; each term is an attribute.

    >>> DCTERMS.title
    <NamedNode value=http://purl.org/dc/terms/title>
    >>> DCTERMS.titel
    Traceback (most recent call last):
    AttributeError: 'titel' is not a term of http://purl.org/dc/terms/
    """

    def __init__(self, namespace: str, terms: str) -> None:
        self.namespace = namespace
        self.terms = tuple(terms.split())
        for term in self.terms:
            setattr(self, term, NamedNode(namespace + term))

    def __getattr__(self, name: str) -> NamedNode:
        raise AttributeError(f"{name!r} is not a term of {self.namespace}")


SR = Vocabulary(
    ONTOLOGY,
    "Edition Section Chapter Rule Subrule Example GlossaryEntry Reference Passage Paragraph ContentsEntry Source "
    "text line textLine endLine order position part printedNumber occurrence heading illustrates continues inEdition "
    "kind first last givenTitle reaches fault sha256 encoding currentEdition outline likeness "
    # keywords
    "Keyword keyword keywordKind definedBy form suffix leading abilityKind cardType dashedLabel flavorWordRule "
    # cards: what their source says
    "Card Face Format name nameKey oracleId layout faceOf manaValue colorIdentity sourceKeyword manaCost typeLine "
    "power toughness loyalty defense color colorIndicator legalIn bannedIn restrictedIn notLegalIn legalityAsOf "
    # cards: what their text was found to say
    "KeywordUse flavorWord origin parameter condition recipient prints hasConditionally grants speaksOf "
    "Tag tag tagGroup field "
    # rulings
    "Ruling rulingOn givenBy mentions Method confidence restsOn asserted "
    # answers about boards
    "Answer Given Inference Round Absence Count Reckoning Optimum answer notEncoded obeyed optimum witness missed "
    "Board key value",
)
RDF = Vocabulary("http://www.w3.org/1999/02/22-rdf-syntax-ns#", "first langString nil rest type")
RDFS = Vocabulary("http://www.w3.org/2000/01/rdf-schema#", "label")
XSD = Vocabulary("http://www.w3.org/2001/XMLSchema#", "boolean date decimal double integer string")
OWL = Vocabulary("http://www.w3.org/2002/07/owl#", "deprecated")
ELI = Vocabulary("http://data.europa.eu/eli/ontology#", "number cites is_part_of realizes version_date")
SKOS = Vocabulary(
    "http://www.w3.org/2004/02/skos/core#", "ConceptScheme prefLabel altLabel definition inScheme broader"
)
DCTERMS = Vocabulary("http://purl.org/dc/terms/", "title description hasPart issued modified source")
OA = Vocabulary(
    "http://www.w3.org/ns/oa#",
    "hasSource exact start end Annotation hasTarget hasBody hasSelector TextQuoteSelector TextPositionSelector",
)
PROV = Vocabulary("http://www.w3.org/ns/prov#", "wasDerivedFrom wasGeneratedBy wasRevisionOf")
DCAT = Vocabulary(
    "http://www.w3.org/ns/dcat#",
    "DataService Dataset Distribution distribution servesDataset endpointURL endpointDescription downloadURL mediaType "
    "byteSize",
)
VOID = Vocabulary(
    "http://rdfs.org/ns/void#",
    "Dataset DatasetDescription triples sparqlEndpoint subset uriSpace exampleResource vocabulary dataDump",
)
SD = Vocabulary(
    "http://www.w3.org/ns/sparql-service-description#",
    "Service Dataset Graph NamedGraph endpoint supportedLanguage SPARQL11Query resultFormat defaultDataset "
    "defaultGraph namedGraph name graph",
)
FOAF = Vocabulary("http://xmlns.com/foaf/0.1/", "primaryTopic")
FORMATS = "http://www.w3.org/ns/formats/"
"""The W3C's names for file formats, such as `Turtle`."""
SCHEMA_ORG = "https://schema.org"
"""The vocabulary in which pages speak to search engines."""
SH = Vocabulary(
    "http://www.w3.org/ns/shacl#",
    "group focusNode value resultPath resultMessage sourceShape sourceConstraint",
)

PREFIXES = {
    "sr": ONTOLOGY,
    "rdf": RDF.namespace,
    "rdfs": RDFS.namespace,
    "xsd": XSD.namespace,
    "owl": OWL.namespace,
    "eli": ELI.namespace,
    "skos": SKOS.namespace,
    "dcterms": DCTERMS.namespace,
    "oa": OA.namespace,
    "prov": PROV.namespace,
    "dcat": DCAT.namespace,
    "void": VOID.namespace,
    "sd": SD.namespace,
    "foaf": FOAF.namespace,
    "sh": SH.namespace,
}
"""The prefixes that every query and every export may use."""


STATED = ("cards", "rulings", "keyword-uses", "tags")
"""The named graphs of cards and rulings that a query without FROM sees: what sources state, what texts say."""

COLLECTIONS = (*STATED, "mentions", "citations")
"""The named graphs of cards and rulings; the last two hold what was inferred, with its method and confidence."""


class Names:
    """How things are named under one base IRI; the base is configurable (`SEERULE_BASE`), the paths below it are not.

    >>> Names("https://rules.example/").rule("2026-09-25", "702.19b").value
    'https://rules.example/id/cr/2026-09-25/702.19b'
    """

    def __init__(self, base: str | None = None) -> None:
        given = base or os.environ.get("SEERULE_BASE") or DEFAULT_BASE
        self.base = given if given.endswith("/") else given + "/"

    @property
    def work(self) -> NamedNode:
        """The Comprehensive Rules as a work, whatever the edition."""
        return NamedNode(f"{self.base}id/cr")

    @property
    def catalogue(self) -> NamedNode:
        """The named graph that says what the store holds."""
        return NamedNode(f"{self.base}graph/catalogue")

    @property
    def revisions(self) -> NamedNode:
        """The named graph of what a rule is called in the edition before, inferred from its words."""
        return NamedNode(f"{self.base}graph/revisions")

    @property
    def answers(self) -> NamedNode:
        """The named graph of answers about boards that a query sees beside an edition."""
        return NamedNode(f"{self.base}graph/answers")

    def edition(self, edition: str) -> NamedNode:
        """One edition, by its date as YYYY-MM-DD."""
        return NamedNode(f"{self.base}id/cr/{edition}")

    def graph(self, edition: str) -> NamedNode:
        """The named graph that holds an edition."""
        return NamedNode(f"{self.base}graph/cr/{edition}")

    def rule(self, edition: str, key: str) -> NamedNode:
        """A section, chapter, rule or subrule of an edition, by its key (`702.19b`, `702.175~2`)."""
        return NamedNode(f"{self.base}id/cr/{edition}/{key}")

    def example(self, of: NamedNode, position: int) -> NamedNode:
        """The example of a rule or glossary entry at `position`, from 1."""
        return NamedNode(f"{of.value}/example/{position}")

    def glossary(self, edition: str) -> NamedNode:
        """The glossary of an edition."""
        return NamedNode(f"{self.base}id/cr/{edition}/glossary")

    def term(self, edition: str, slug: str) -> NamedNode:
        """A glossary entry, by the slug of its heading."""
        return NamedNode(f"{self.base}id/cr/{edition}/term/{slug}")

    def passage(self, edition: str, part: str, position: int) -> NamedNode:
        """A paragraph of a part that is no rule ("introduction"), from 1."""
        return NamedNode(f"{self.base}id/cr/{edition}/{part}/{position}")

    def source(self, sha256: str) -> NamedNode:
        """An official file, by the SHA-256 of its bytes."""
        return NamedNode(f"{self.base}id/source/{sha256}")

    def keyword(self, edition: str, key: str) -> NamedNode:
        """A keyword as an edition defines it, by its key (`first strike`)."""
        return NamedNode(f"{self.base}id/cr/{edition}/keyword/{slug(key)}")

    def collection(self, name: str) -> NamedNode:
        """The named graph of one kind of statement about cards and rulings: one of `COLLECTIONS`."""
        return NamedNode(f"{self.base}graph/{name}")

    def card(self, key: str) -> NamedNode:
        """A card, by its oracle id or the digest of its name (`Card.key`)."""
        return NamedNode(f"{self.base}id/card/{quote(key, safe='')}")

    def ruling(self, key: str) -> NamedNode:
        """A ruling, by its content (`Ruling.key`)."""
        return NamedNode(f"{self.base}id/ruling/{key}")

    def format(self, name: str) -> NamedNode:
        """A format that cards are legal or banned in."""
        return NamedNode(f"{self.base}id/format/{quote(name, safe='')}")

    def tag(self, group: str, label: str) -> NamedNode:
        """A tag of a group."""
        return NamedNode(f"{self.base}id/tag/{slug(group)}/{quote(label, safe='')}")

    def method(self, name: str) -> NamedNode:
        """A way in which links are inferred."""
        return NamedNode(f"{self.base}id/method/{slug(name)}")

    def key(self, node: NamedNode, edition: str) -> str | None:
        """The key of a rule's IRI in an edition: the inverse of `rule`; None for anything else.

        >>> names = Names(); names.key(names.rule("2026-09-25", "702.7"), "2026-09-25")
        '702.7'
        """
        prefix = f"{self.base}id/cr/{edition}/"
        rest = node.value.removeprefix(prefix)
        return rest if rest != node.value and "/" not in rest and rest[:1].isdigit() else None

    def short(self, iri: str) -> str:
        """An IRI as people read it: `dcterms:title`, `2026-09-25/702.7`; anything else as it is.

        >>> names = Names(); names.short(DCTERMS.title.value), names.short(names.rule("2026-09-25", "702.7").value)
        ('dcterms:title', '2026-09-25/702.7')
        """
        for prefix, namespace in PREFIXES.items():
            if iri.startswith(namespace):
                return f"{prefix}:{iri.removeprefix(namespace)}"
        return iri.removeprefix(f"{self.work.value}/")


def slug(text: str) -> str:
    """A heading as the last part of an address: lower case, words joined by hyphens.

    >>> slug("Life, Life Total"), slug("Æther Burst"), slug("Remove from the Game (Obsolete)")
    ('life-life-total', 'aether-burst', 'remove-from-the-game-obsolete')
    """
    plain = text.casefold().replace("æ", "ae").replace("'", "").replace("’", "")
    plain = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
    return "-".join(re.findall(r"[a-z0-9]+", plain)) or quote(text, safe="")
