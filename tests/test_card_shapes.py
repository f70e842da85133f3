"""The terms and shapes of cards: every term is explained, real cards conform, and corrupt ones do not."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyoxigraph import RdfFormat, serialize
from pyshacl import validate
from rdflib import Graph

from kb.card_graph import card_quads
from kb.keyword_graph import keyword_quads
from kb.ruling_graph import ruling_quads
from kb.tag import Tagger
from kb.tag_graph import tag_quads
from kb.use_graph import UseGraph
from kb.vocabulary import Names
from tests.card_files import CURRENT, SCRYFALL, SCRYFALL_RULINGS, collection, keywords, needs_cards, recogniser
from tests.official import rulebook
from tests.tables import table

KB = Path(__file__).parents[1] / "kb"
PREFIXES = """
@prefix sr: <https://seerule.example/ontology#> . @prefix oa: <http://www.w3.org/ns/oa#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""


def shapes() -> Graph:
    return Graph().parse(KB / "shapes_cards.ttl")


@needs_cards
def test_real_cards_conform() -> None:
    names = Names()
    held = collection(SCRYFALL, rulings=(SCRYFALL_RULINGS,))
    cards = list(held.cards.values())[:60]
    uses = [(card, tuple(recogniser().uses(face) for face in card.faces)) for card in cards]
    tagger = Tagger(rulebook(CURRENT), keywords())
    keys = {card.key for card in cards}
    rulings = [ruling for ruling in held.rulings.values() if ruling.card in keys]
    quads = [
        *card_quads(cards, names),
        *UseGraph(keywords(), names).quads(uses),
        *tag_quads([(card, tagger.tags(card, found)) for card, found in uses], "2026-09-25", names),
        *ruling_quads(rulings, names, lambda reference, date: ([], None)),
        *keyword_quads(keywords(), names),
    ]
    triples = serialize((quad.triple for quad in quads), format=RdfFormat.N_TRIPLES)
    conforms, _, report = validate(Graph().parse(data=triples, format="nt"), shacl_graph=shapes(), advanced=False)
    assert conforms, report


@pytest.mark.parametrize(("corrupt", "fault"), table("corrupt_cards.txt", at_least=9))
def test_a_corrupt_card_does_not_conform(corrupt: str, fault: str) -> None:
    conforms, _, report = validate(Graph().parse(data=PREFIXES + corrupt, format="turtle"), shacl_graph=shapes())
    assert not conforms
    assert fault in report
