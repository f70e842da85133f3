"""Knows how a board is written in Turtle: every field of `board.schema.json` is a property of the same name.

A mapping is written as entries, each a node with `sr:key` and `sr:value`; a list as a collection or as
several values of one property. The board is the node of the class `sr:Board`.

    [] a sr:Board ; sr:players ("ann" "bob") ;
       sr:battlefield ([ sr:id "drake" ; sr:controller "ann" ; sr:types ("creature") ; sr:power 2 ; sr:toughness 2 ]) ;
       sr:attacks [ sr:key "drake" ; sr:value "bob" ] .
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, Triple, parse, serialize

from kb.vocabulary import ONTOLOGY, RDF, SR, XSD
from query.predicate.board_form import BoardError, board_schema

Node = NamedNode | BlankNode
DEEPEST = 30


def data_from_turtle(text: str, name: str = "board") -> dict[str, Any]:
    """The plain data of a board in Turtle. Raises `BoardError`."""
    try:
        triples = [quad.triple for quad in parse(text.encode(), format=RdfFormat.TURTLE)]
    except (SyntaxError, ValueError) as error:
        raise BoardError(f"{name}: not Turtle: {error}") from None
    boards = [triple.subject for triple in triples if triple.predicate == RDF.type and triple.object == SR.Board]
    if len(boards) != 1:
        raise BoardError(f"{name}: expected one node of the class sr:Board, found {len(boards)}")
    found = _Reading(triples, name).value([boards[0]], board_schema(), 0)
    assert isinstance(found, dict)
    return found


def data_to_turtle(data: Mapping[str, Any]) -> str:
    """The same data as Turtle: the inverse of `data_from_turtle`.

    >>> data = {"players": ["ann", "bob"], "attacks": {"drake": "bob"}}
    >>> data_from_turtle(data_to_turtle(data)) == data
    True
    """
    triples = [Triple(BlankNode("board"), RDF.type, SR.Board), *_triples(BlankNode("board"), data, board_schema())]
    prefixes = {"sr": ONTOLOGY, "xsd": XSD.namespace}
    return (serialize(triples, format=RdfFormat.TURTLE, prefixes=prefixes) or b"").decode()


class _Reading:
    """The triples of one file, by subject."""

    def __init__(self, triples: list[Triple], name: str) -> None:
        self._name = name
        self._root = board_schema()
        self._of: dict[object, dict[str, list[object]]] = {}
        for triple in triples:
            properties = self._of.setdefault(triple.subject, {})
            properties.setdefault(triple.predicate.value, []).append(triple.object)

    def value(self, nodes: list[object], schema: Mapping[str, Any], depth: int) -> Any:
        """The value that the objects of one property stand for, as the schema has it."""
        if depth > DEEPEST:
            raise BoardError(f"{self._name}: nested deeper than {DEEPEST}")
        schema = _resolved(schema, self._root)
        if "anyOf" in schema:
            schema = _resolved(self._fitting(nodes, schema["anyOf"]), self._root)
        if schema.get("type") == "array":
            return [self.value([node], schema["items"], depth + 1) for node in self._members(nodes)]
        if schema.get("type") == "object":
            return self._mapping(nodes, schema, depth)
        if len(nodes) != 1:
            raise BoardError(f"{self._name}: expected one value, found {len(nodes)}")
        return _plain(nodes[0])

    def _mapping(self, nodes: list[object], schema: Mapping[str, Any], depth: int) -> dict[str, Any]:
        if "properties" not in schema:
            return {str(key): self.value(values, schema["additionalProperties"], depth + 1)
                    for key, values in map(self._entry, self._members(nodes))}  # fmt: skip
        found: dict[str, Any] = {}
        for predicate, values in self._of.get(nodes[0], {}).items():
            if predicate != RDF.type.value:
                field = predicate.removeprefix(ONTOLOGY)
                known = schema["properties"].get(field, {"type": "string"})
                found[field] = self.value(values, known, depth + 1)
        return found

    def _entry(self, node: object) -> tuple[object, list[object]]:
        properties = self._of.get(node, {})
        keys, values = properties.get(SR.key.value, []), properties.get(SR.value.value, [])
        if len(keys) != 1 or not values:
            raise BoardError(f"{self._name}: an entry of a mapping needs one sr:key and an sr:value")
        return _plain(keys[0]), values

    def _members(self, nodes: list[object]) -> Iterator[object]:
        """The values of a property, those of collections one by one."""
        for node in nodes:
            seen: set[object] = set()
            while node == RDF.nil or RDF.first.value in self._of.get(node, {}):
                if node == RDF.nil or node in seen:
                    break
                seen.add(node)
                yield self._of[node][RDF.first.value][0]
                node = self._of[node].get(RDF.rest.value, [RDF.nil])[0]
            else:
                yield node

    def _fitting(self, nodes: list[object], choices: list[Mapping[str, Any]]) -> Mapping[str, Any]:
        """The choice that the nodes look like: text, a mapping or a list."""
        members = list(self._members(nodes))
        listed = members != nodes
        mapped = any(node in self._of for node in members)
        for choice in choices:
            schema = _resolved(choice, self._root)
            text = schema.get("type") == "string" or "enum" in schema
            wanted = "array" if listed else "object" if mapped else "string"
            if (wanted == "string" and text and len(nodes) == 1) or schema.get("type") == wanted:
                return schema
        return next((c for c in choices if _resolved(c, self._root).get("type") == "array"), choices[0])


def _triples(subject: Node, data: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[Triple]:
    for field, value in data.items():
        yield from _written(subject, NamedNode(ONTOLOGY + field), value, schema["properties"][field])


def _written(subject: Node, predicate: NamedNode, value: Any, schema: Mapping[str, Any]) -> Iterator[Triple]:
    root = board_schema()
    schema = _resolved(schema, root)
    for choice in schema.get("anyOf", ()):
        kind = {"array": list, "object": dict}.get(_resolved(choice, root).get("type", ""), (str, int))
        if isinstance(value, kind):
            schema = _resolved(choice, root)
            break
    if isinstance(value, list):
        yield from _list(subject, predicate, value, schema)
    elif isinstance(value, dict) and "properties" not in schema:
        yield from _entries(subject, predicate, value, schema)
    elif isinstance(value, dict):
        node = BlankNode()
        yield Triple(subject, predicate, node)
        yield from _triples(node, value, schema)
    else:
        yield Triple(subject, predicate, _literal(value))


def _list(subject: Node, predicate: NamedNode, value: list[Any], schema: Mapping[str, Any]) -> Iterator[Triple]:
    for part in value:
        node = BlankNode()
        yield Triple(subject, predicate, node)
        yield from _written(node, RDF.first, part, schema["items"])
        subject, predicate = node, RDF.rest
    yield Triple(subject, predicate, RDF.nil)


def _entries(
    subject: Node, predicate: NamedNode, value: Mapping[str, Any], schema: Mapping[str, Any]
) -> Iterator[Triple]:
    if not value:
        yield Triple(subject, predicate, RDF.nil)
    for key, part in value.items():
        node = BlankNode()
        yield Triple(subject, predicate, node)
        yield Triple(node, SR.key, Literal(key))
        yield from _written(node, SR.value, part, schema["additionalProperties"])


def _resolved(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = root["$defs"][schema["$ref"].rsplit("/", 1)[1]] if "$ref" in schema else schema
    return found


def _literal(value: object) -> Literal:
    if isinstance(value, bool):
        return Literal(str(value).lower(), datatype=XSD.boolean)
    return Literal(str(value), datatype=XSD.integer) if isinstance(value, int) else Literal(str(value))


def _plain(node: object) -> str | int | bool:
    if isinstance(node, Literal):
        if node.datatype == XSD.integer:
            return int(node.value)
        return node.value == "true" if node.datatype == XSD.boolean else node.value
    return node.value.rsplit("/", 1)[-1].rsplit("#", 1)[-1] if isinstance(node, NamedNode) else str(node)
