"""The store of triples: one interface, kept by Oxigraph in memory or on disk or by any SPARQL 1.1 endpoint.

setting -> GraphStore -> Solutions | Triples | bool
"""

from kb.store.graph_store import Dataset as Dataset
from kb.store.graph_store import GraphStore as GraphStore
from kb.store.location import open_store as open_store
from kb.store.oxigraph import OxigraphStore as OxigraphStore
from kb.store.results import Answer as Answer
from kb.store.results import Solutions as Solutions
from kb.store.results import Term as Term
from kb.store.results import Triples as Triples
