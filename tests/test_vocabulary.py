"""The terms for programs and the ontology for readers are one list, and no IRI is written anywhere else."""

import ast
import re
from pathlib import Path

import pytest
from pyoxigraph import NamedNode, QuerySolutions, RdfFormat, Store

from kb import vocabulary
from kb.vocabulary import ONTOLOGY, PREFIXES, SR, Vocabulary

ROOT = Path(vocabulary.__file__).parents[1]
TURTLE = sorted((ROOT / "kb").glob("*.ttl"))
SOURCES = [path for room in ("kb", "ingest", "query") for path in sorted((ROOT / room).rglob("*.py"))]
QUERIES = [path for room in ("kb", "query") for path in sorted((ROOT / room).rglob("*.rq"))]
VOCABULARIES = {name: value for name, value in vars(vocabulary).items() if isinstance(value, Vocabulary)}


def ontology() -> Store:
    store = Store()
    store.load(path=str(ROOT / "kb/ontology.ttl"), format=RdfFormat.TURTLE)
    return store


def asked(query: str) -> list[tuple[str, ...]]:
    solutions = ontology().query(query, prefixes=PREFIXES)
    assert isinstance(solutions, QuerySolutions)
    return [tuple(str(term.value) for term in row) for row in solutions]


def own(query: str) -> set[str]:
    """The own terms, without namespace, that the one column of a query gives."""
    return {iri.removeprefix(ONTOLOGY) for (iri,) in asked(query) if iri.startswith(ONTOLOGY)}


def test_the_ontology_and_the_vocabulary_hold_the_same_terms() -> None:
    assert own("SELECT DISTINCT ?term { ?term rdfs:label ?label }") == set(SR.terms)
    mentioned = own("SELECT DISTINCT ?term { { ?term ?p ?o } UNION { ?s ?p ?term } FILTER ISIRI(?term) }")
    assert mentioned - {""} == set(SR.terms)
    assert len(SR.terms) >= 106


@pytest.mark.parametrize("term", SR.terms)
def test_a_term_says_what_it_means(term: str) -> None:
    said = dict(asked(f"SELECT ?p ?o {{ sr:{term} ?p ?o FILTER ISLITERAL(?o) }}"))
    assert said[f"{vocabulary.RDFS.namespace}label"]
    comment = said[f"{vocabulary.RDFS.namespace}comment"]
    assert comment.endswith(".")
    assert len(comment.split()) >= 7


def test_every_class_is_aligned_with_another_vocabulary() -> None:
    classes = own("SELECT ?term { ?term a owl:Class }")
    aligned = own(f"SELECT ?term {{ ?term rdfs:subClassOf ?other FILTER (!STRSTARTS(STR(?other), '{ONTOLOGY}')) }}")
    assert classes == aligned == {term for term in SR.terms if term[0].isupper()}


def test_every_property_has_a_domain_and_a_range() -> None:
    properties = {term for term in SR.terms if term[0].islower()}
    kinds = "owl:ObjectProperty, owl:DatatypeProperty, rdf:Property"
    assert own(f"SELECT ?term {{ ?term a ?kind FILTER (?kind IN ({kinds})) }}") == properties
    assert own("SELECT ?term { ?term rdfs:domain ?class }") == properties
    assert own("SELECT ?term { ?term rdfs:range ?class }") == properties


def test_the_ontology_says_what_it_is() -> None:
    said = {name for (name,) in asked("SELECT ?p { ?ontology a owl:Ontology ; ?p ?o }")}
    for term in ("dcterms:title", "dcterms:license", "dcterms:description", "owl:versionInfo", "owl:versionIRI"):
        prefix, _, name = term.partition(":")
        assert PREFIXES[prefix] + name in said, term


@pytest.mark.parametrize("name", VOCABULARIES)
def test_a_misspelt_term_fails_where_it_is_typed(name: str) -> None:
    held = VOCABULARIES[name]
    with pytest.raises(AttributeError, match="'seees' is not a term of"):
        _ = held.seees
    assert all(getattr(held, term) == NamedNode(held.namespace + term) for term in held.terms)


def test_no_term_is_unused() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)
    used = set(re.findall(r"\b([A-Z]+)\.([A-Za-z_]\w*)", text))
    unused = [
        f"{name}.{term}" for name, held in VOCABULARIES.items() for term in held.terms if (name, term) not in used
    ]
    assert unused == []


def test_no_program_writes_an_iri_of_its_own() -> None:
    written = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path in SOURCES
        if path.name != "vocabulary.py"
        for line, text in _strings(path)
        if re.search(r"(?:^|<)https?://(?!127\.0\.0\.1|localhost)\w|/id/(?:cr|source)/|/graph/cr/", text)
    ]
    assert written == [], "IRIs belong into kb/vocabulary.py"
    assert len(SOURCES) >= 30


def _strings(path: Path) -> list[tuple[int, str]]:
    """The string literals of a module with their lines, f-strings in pieces, docstrings left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        (node.lineno, node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said
    ]


@pytest.mark.parametrize("path", [*TURTLE, *QUERIES], ids=lambda path: path.name)
def test_a_shipped_file_asks_for_no_own_term_that_is_not_there(path: Path) -> None:
    text = re.sub(r'"[^"\n]*"|#[^\n]*', "", path.read_text(encoding="utf-8"))
    used = set(re.findall(r"(?<![\w:/-])sr:([A-Za-z]\w*)", text))
    assert used <= set(SR.terms)


def test_prefixes_mean_the_same_in_every_shipped_file() -> None:
    for path in [*TURTLE, *QUERIES]:
        declared = re.findall(r"(?im)^@?prefix\s+(\w+):\s*<([^>]*)>", path.read_text(encoding="utf-8"))
        for prefix, namespace in declared:
            assert PREFIXES.get(prefix, namespace) == namespace, f"{path.name}: {prefix}"
