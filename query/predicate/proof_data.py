"""Knows how proofs and answers are written for programs: as JSON values, and as RDF joined to the graph of
the rules."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, Triple, serialize

from kb.vocabulary import PREFIXES, PROV, RDF, RDFS, SR, XSD, Names
from query.predicate.answer import Answer, Declaration
from query.predicate.proof import Proof
from query.predicate.proof_text import facts_text
from query.predicate.syntax import show_fact

KIND_TERMS = {
    "given": SR.Given,
    "rule": SR.Inference,
    "round": SR.Round,
    "absent": SR.Absence,
    "count": SR.Count,
    "arithmetic": SR.Reckoning,
    "optimum": SR.Optimum,
}
"""The class of each kind of step."""


def proof_json(proof: Proof, edition: str = "") -> list[dict[str, Any]]:
    """The steps of a proof, the conclusion first; `premises` are places in the list."""
    steps = list(proof.steps())
    place = {id(step): at for at, step in enumerate(steps)}
    return [
        {
            "says": step.text,
            "kind": step.kind,
            "rule": str(step.cites) if step.cites else None,
            "label": step.clause.label if step.clause else None,
            "edition": edition or None,
            "premises": [place[id(premise)] for premise in step.premises],
            "attempts": [
                {
                    "rule": str(one.clause.cites),
                    "label": one.clause.label,
                    "fails": one.text,
                    "because": place[id(one.because)] if one.because else None,
                }
                for one in step.attempts
            ],
        }
        for step in steps
    ]


def answer_json(answer: Answer, why: bool = False) -> dict[str, Any]:
    """An answer as plain values."""
    found: dict[str, Any] = {
        "question": answer.question,
        "answer": answer.value,
        "found": [show_fact(fact) for fact in answer.found],
        "citations": [str(number) for number in answer.citations],
        "edition": answer.edition or None,
        "missing": list(answer.missing),
        "not_encoded": list(answer.not_encoded),
        "branches": answer.branches,
    }
    if answer.declaration is not None:
        found["declaration"] = _declaration(answer.declaration)
        if why:
            found["declaration"]["proofs"] = [proof_json(proof, answer.edition) for proof in answer.proofs]
    if why and answer.proof is not None:
        found["proof"] = proof_json(answer.proof, answer.edition)
    return found


def answer_turtle(answer: Answer, names: Names | None = None) -> str:
    """An answer and its proof as Turtle: each step is derived from its premises and points to the rule's IRI."""
    triples = list(answer_triples(answer, names or Names()))
    prefixes = {name: PREFIXES[name] for name in ("sr", "rdfs", "prov", "xsd")}
    return (serialize(triples, format=RdfFormat.TURTLE, prefixes=prefixes) or b"").decode()


def answer_triples(answer: Answer, names: Names) -> Iterator[Triple]:
    """The triples of an answer; `sr:restsOn` leads to every rule, in the edition that the answer names."""
    node = NamedNode(f"{names.base}id/answer/{_digest(answer)}")
    yield Triple(node, RDF.type, SR.Answer)
    yield Triple(node, RDFS.label, Literal(answer.question))
    yield Triple(node, SR.answer, Literal(answer.value))
    for number in answer.citations:
        yield Triple(node, SR.restsOn, names.rule(answer.edition, str(number)))
    for text in answer.not_encoded:
        yield Triple(node, SR.notEncoded, Literal(text))
    if answer.declaration is not None:
        yield from _declared(answer.declaration, node)
    yield from _steps(answer, names, node)


def _declared(found: Declaration, node: NamedNode) -> Iterator[Triple]:
    """What a declaration obeys, the most that one could, one that does, and what this one misses."""
    yield Triple(node, SR.obeyed, Literal(str(found.obeyed), datatype=XSD.integer))
    if found.proven:
        yield Triple(node, SR.optimum, Literal(str(found.optimum), datatype=XSD.integer))
    for term, facts in ((SR.witness, found.witness), (SR.missed, found.missed)):
        for fact in facts:
            yield Triple(node, term, Literal(show_fact(fact)))


def _steps(answer: Answer, names: Names, node: NamedNode) -> Iterator[Triple]:
    steps = list(dict.fromkeys(step for proof in answer.proofs for step in proof.steps()))
    nodes = {id(step): BlankNode() for step in steps}
    for proof in answer.proofs:
        yield Triple(node, PROV.wasDerivedFrom, nodes[id(proof)])
    for at, step in enumerate(steps):
        here = nodes[id(step)]
        yield Triple(here, RDF.type, KIND_TERMS[step.kind])
        yield Triple(here, RDFS.label, Literal(step.text))
        yield Triple(here, SR.position, Literal(str(at + 1), datatype=XSD.integer))
        if step.cites:
            yield Triple(here, SR.restsOn, names.rule(answer.edition, str(step.cites)))
        for premise in step.premises:
            yield Triple(here, PROV.wasDerivedFrom, nodes[id(premise)])
        for one in step.attempts:
            if one.because is not None:
                yield Triple(here, PROV.wasDerivedFrom, nodes[id(one.because)])


def _digest(answer: Answer) -> str:
    said = [answer.question, answer.value, answer.edition, *(step.text for step in _all(answer))]
    return hashlib.sha256("\n".join(said).encode()).hexdigest()[:16]


def _all(answer: Answer) -> Iterator[Proof]:
    for proof in answer.proofs:
        yield from proof.steps()


def _declaration(found: Declaration) -> dict[str, Any]:
    return {
        "made": [show_fact(fact) for fact in found.made],
        "unlawful": [{"says": proof.text, "rule": str(proof.cites)} for proof in found.unlawful],
        "obeyed": found.obeyed,
        "optimum": found.optimum,
        "proven": found.proven,
        "witness": [show_fact(fact) for fact in found.witness],
        "missed": [show_fact(fact) for fact in found.missed],
        "legal": [facts_text(one) for one in found.legal],
        "more": found.more,
    }
