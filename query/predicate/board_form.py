"""Knows whether a board file has the form of its JSON Schema, and says where it does not: path, found,
allowed, nearest.

Only the words of JSON Schema that `data/boards/board.schema.json` uses are understood; a test holds this reading
against the `jsonschema` package.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from kb.errors import SeeruleError
from kb.shipped import shipped

_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "boolean": bool,
    "number": (int, float),
}
_NAMES = {dict: "a mapping", list: "a list", str: "text", int: "a whole number", bool: "true or false"}


class BoardError(SeeruleError):
    """A board that cannot be read; one line a fault, each with its path in the file."""


def board_schema() -> dict[str, Any]:
    """The JSON Schema of a board."""
    found: dict[str, Any] = json.loads(shipped("boards", "board.schema.json").read_text(encoding="utf-8"))
    return found


def faults(value: object, schema: Mapping[str, Any], root: Mapping[str, Any], path: str = "board") -> Iterator[str]:
    """What does not fit the schema, each with its path.

    >>> schema = {"type": "object", "additionalProperties": False, "properties": {"step": {"enum": ["main"]}}}
    >>> list(faults({"stop": 1, "step": "mane"}, schema, schema))  # doctest: +NORMALIZE_WHITESPACE
    ["board: no field 'stop' is known; did you mean 'step'?",
     "board.step: expected one of main, found 'mane'; did you mean 'main'?"]
    """
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    if "anyOf" in schema:
        yield from _any_of(value, schema["anyOf"], root, path)
    elif "enum" in schema:
        if not isinstance(value, str) or value not in schema["enum"]:
            yield f"{path}: expected one of {', '.join(schema['enum'])}, found {value!r}{_near(value, schema['enum'])}"
    elif not _is(value, schema["type"]):
        yield f"{path}: expected {_NAMES[_TYPES[schema['type']]]}, found {_said(value)}"  # type: ignore[index]
    elif isinstance(value, dict):
        yield from _mapping(value, schema, root, path)
    elif isinstance(value, list):
        yield from _list(value, schema, root, path)
    elif isinstance(value, int) and value < schema.get("minimum", value):
        yield f"{path}: expected at least {schema['minimum']}, found {value}"


def _any_of(value: object, choices: list[Mapping[str, Any]], root: Mapping[str, Any], path: str) -> Iterator[str]:
    """Nothing if one choice fits; else the faults of the choice whose type fits, or all types."""
    found = [list(faults(value, choice, root, path)) for choice in choices]
    if all(found):
        typed = [each for each in found if not each[0].startswith(f"{path}: expected a ")]
        yield from min(typed or found, key=len)


def _mapping(
    value: dict[object, object], schema: Mapping[str, Any], root: Mapping[str, Any], path: str
) -> Iterator[str]:
    known, more = schema.get("properties", {}), schema.get("additionalProperties", True)
    if len(value) < schema.get("minProperties", 0):
        yield f"{path}: expected at least {schema['minProperties']} entries"
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{path}: the field {name!r} is missing"
    for key, part in value.items():
        if not isinstance(key, str):
            yield f"{path}: a name must be text, found {key!r}; put it in quotes"
        elif key in known:
            yield from faults(part, known[key], root, f"{path}.{key}")
        elif more is False:
            yield f"{path}: no field {key!r} is known{_near(key, known)}"
        elif isinstance(more, dict):
            yield from faults(part, more, root, f"{path}.{key}")


def _list(value: list[object], schema: Mapping[str, Any], root: Mapping[str, Any], path: str) -> Iterator[str]:
    if len(value) < schema.get("minItems", 0):
        yield f"{path}: expected at least {schema['minItems']} entries"
    for at, part in enumerate(value):
        yield from faults(part, schema["items"], root, f"{path}[{at}]")


def _is(value: object, kind: str) -> bool:
    return isinstance(value, _TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _said(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}..."


def _near(value: object, known: object) -> str:
    found = difflib.get_close_matches(str(value), [str(one) for one in known], n=1)  # type: ignore[attr-defined]
    return f"; did you mean {found[0]!r}?" if found else ""
