"""Knows how the terms of the graph are published at their namespace: as the ontology's file, or as a list to read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pyoxigraph as ox
from pyoxigraph import Literal, NamedNode, RdfFormat
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

import kb
from kb.store import Triples
from kb.vocabulary import ONTOLOGY, PREFIXES, RDF, RDFS
from query.sparql.formats import write
from query.web.addresses import FORMS
from query.web.answers import kept, volume_of, wanted
from query.web.problem import BadRequest
from query.web.rendering import page

_FILE = Path(kb.__file__ or "").parent / "ontology.ttl"
_RDF = {"ttl": "turtle", "nt": "ntriples", "jsonld": "jsonld"}


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the ontology: its name, what it is (`Class`, `ObjectProperty`, ...), its label and what it means."""

    name: str
    kind: str
    label: str
    comment: str


@cache
def terms() -> tuple[Term, ...]:
    """Every own term, classes first, then by name.

    >>> [term.kind for term in terms() if term.name == "Rule"]
    ['Class']
    """
    said: dict[str, dict[NamedNode, str]] = {}
    for quad in ox.parse(_FILE.read_bytes(), RdfFormat.TURTLE):
        if isinstance(quad.subject, NamedNode) and quad.subject.value.startswith(ONTOLOGY):
            value = quad.object.value if isinstance(quad.object, (NamedNode, Literal)) else ""
            said.setdefault(quad.subject.value.removeprefix(ONTOLOGY), {}).setdefault(quad.predicate, value)
    comment = NamedNode(RDFS.label.value.replace("label", "comment"))
    found = [
        Term(name, of.get(RDF.type, "").rpartition("#")[2], of.get(RDFS.label, name), of.get(comment, ""))
        for name, of in said.items()
    ]
    return tuple(sorted(found, key=lambda term: (term.kind != "Class", term.name)))


async def ontology(request: Request) -> Response:
    """The ontology in the form that is asked for: a list of its terms, or RDF."""
    offered = {form: FORMS[form] for form in ("html", *_RDF)}
    form = request.path_params.get("form") or wanted(request, offered)
    if form not in offered:
        raise BadRequest(f"the ontology has no form {form!r}; there are: {', '.join(offered)}", 404)

    def make() -> bytes:
        if form == "html":
            return page("ontology.html", volume_of(request), terms=terms(), namespace=ONTOLOGY, forms=[*_RDF])
        if form == "ttl":
            return _FILE.read_bytes()
        triples = Triples(tuple(quad.triple for quad in ox.parse(_FILE.read_bytes(), RdfFormat.TURTLE)))
        return write(triples, _RDF[form], PREFIXES).body

    headers = {"Content-Location": f"/ontology.{form}"}
    return await kept(request, ("ontology", form), FORMS[form], make, headers)


async def version(request: Request) -> Response:
    """A version of the ontology; the one that there is."""
    return RedirectResponse("/ontology", 303)
