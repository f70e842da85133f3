"""A data set that is asked for beside the query is what the query sees, whatever its FROM says, with every engine."""

from collections.abc import Iterator

import pytest
from pyoxigraph import NamedNode

from kb.store import Dataset, GraphStore, open_store
from query.sparql.errors import QueryRefused
from query.sparql.evaluate import Evaluator
from tests.servers import oxigraph_server

A, B = NamedNode("urn:graph:a"), NamedNode("urn:graph:b")
RECORD = b'<urn:s> <urn:number> "1" <urn:graph:a> .\n<urn:s> <urn:number> "2" <urn:graph:b> .\n'
BOTH = "{ { ?s ?p ?n BIND('default' AS ?where) } UNION { GRAPH ?g { ?s ?p ?n } BIND('named' AS ?where) } }"


@pytest.fixture(params=["memory", "endpoint"], scope="module")
def evaluator(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evaluator]:
    if request.param == "memory":
        with open_store("memory:") as store:
            yield from evaluating(store)
        return
    with oxigraph_server(tmp_path_factory.mktemp("served")) as address, open_store(address) as store:
        yield from evaluating(store)


def evaluating(store: GraphStore) -> Iterator[Evaluator]:
    store.load(RECORD)
    with Evaluator(store) as opened:
        yield opened


@pytest.mark.parametrize(
    ("only", "seen"),
    [
        (Dataset(default=(A,)), ["1 default"]),
        (Dataset(default=(A, B)), ["1 default", "2 default"]),
        (Dataset(named=(B,)), ["2 named"]),
        (Dataset((A,), (B,)), ["1 default", "2 named"]),
    ],
)
@pytest.mark.parametrize("dataset", ["", "FROM <urn:graph:b> FROM NAMED <urn:graph:b>"])
def test_the_data_set_beside_the_query_wins(evaluator: Evaluator, only: Dataset, seen: list[str], dataset: str) -> None:
    found = evaluator.written(f"SELECT ?n ?where {dataset} {BOTH} ORDER BY ?n ?where", "csv", only=only)
    assert [line.replace(",", " ") for line in found.body.decode().split()[1:]] == seen


def test_a_graph_that_is_not_there_is_refused(evaluator: Evaluator) -> None:
    with pytest.raises(QueryRefused, match=r"the graph <urn:graph:z> is refused.*<urn:graph:a>"):
        evaluator.written("ASK {}", "json", only=Dataset(default=(NamedNode("urn:graph:z"),)))
