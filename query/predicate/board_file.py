"""Knows the notations of a board file: YAML, JSON and Turtle, all read into the same plain data and none trusted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from query.predicate.board import Board, CardLookup
from query.predicate.board_facts import board_facts
from query.predicate.board_form import BoardError
from query.predicate.board_lines import line_of_words, with_lines
from query.predicate.board_read import board
from query.predicate.effect import UnknownEffectError

LARGEST = 20_000_000
"""How many bytes a board file may have."""

DEEPEST = 30
"""How deep a board file may nest."""


def read_board(path: Path, cards: CardLookup | None = None) -> Board:
    """The board in a file; the name's ending tells the notation (`.yaml`, `.yml`, `.json`, `.ttl`).

    Raises `BoardError`.
    """
    if path.suffix.lower() not in _READERS:
        raise BoardError(f"{path}: a board file ends in {', '.join(_READERS)}")
    try:
        if path.stat().st_size > LARGEST:
            raise BoardError(f"{path}: a board file may have at most {LARGEST:,} bytes")
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BoardError(f"{path}: cannot be read ({error})") from None
    return parse_board(text, path.suffix.lower(), str(path), cards)


def parse_board(text: str, notation: str, name: str = "board", cards: CardLookup | None = None) -> Board:
    """The board written as `text`; `notation` is one of the endings that `read_board` knows.

    >>> parse_board('{"players": ["ann", "bob"]}', ".json").active
    'ann'
    """
    data = _READERS[notation](text, name)
    try:
        found = board(data, cards)
        if found.effects or any(one.effects for one in found.battlefield):
            board_facts(found)  # so that a sentence that is none is told with its line
        return found
    except UnknownEffectError as error:
        raise BoardError(line_of_words(str(error), text, name)) from None
    except BoardError as error:
        raise BoardError(with_lines(str(error), text, name) if notation != ".ttl" else f"{name}: {error}") from None
    except RecursionError:
        raise BoardError(f"{name}: nested deeper than {DEEPEST}") from None


def _json(text: str, name: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=lambda pairs: _once(pairs, name))
    except ValueError as error:
        raise BoardError(f"{name}: not JSON: {error}") from None
    except RecursionError:
        raise BoardError(f"{name}: nested deeper than {DEEPEST}") from None


def _once(pairs: list[tuple[str, Any]], name: str) -> dict[str, Any]:
    """A mapping, unless a key stands in it twice: the second would silently replace the first."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise BoardError(f"{name}: {key!r} is said twice in one mapping")
        found[key] = value
    return found


def _yaml(text: str, name: str) -> Any:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        _refuse(yaml.parse(text, Loader=loader), name)
        node = yaml.compose(text, Loader=loader)
        return _plain(node, name) if node is not None else {}
    except yaml.YAMLError as error:
        raise BoardError(f"{name}: not YAML: {' '.join(str(error).split())}") from None


def _refuse(events: Iterator[Any], name: str) -> None:
    """Refuses what a board has no need of and an attack has: aliases, tags, deep nesting."""
    import yaml

    depth = 0
    for event in events:
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise BoardError(f"{name}:{line}: a board uses no anchors or aliases")
        if getattr(event, "tag", None) not in (None, "!"):
            raise BoardError(f"{name}:{line}: a board uses no tags, found {event.tag}")
        if isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            depth += 1
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            depth -= 1
        if depth > DEEPEST:
            raise BoardError(f"{name}:{line}: nested deeper than {DEEPEST}")


_BOOLEANS = {"true": True, "false": False, "yes": True, "no": False}


def _plain(node: Any, name: str) -> Any:
    """The value of a YAML node. Names stay text, whatever they look like: `no` may be a player."""
    import yaml

    if isinstance(node, yaml.MappingNode):
        keys = [str(key.value) for key, _ in node.value]
        for at, (key, _) in enumerate(node.value):
            if str(key.value) in keys[:at]:
                raise BoardError(f"{name}:{key.start_mark.line + 1}: {key.value!r} is said twice in one mapping")
        return {key: _plain(value, name) for key, (_, value) in zip(keys, node.value, strict=True)}
    if isinstance(node, yaml.SequenceNode):
        return [_plain(value, name) for value in node.value]
    if not node.style and node.tag.endswith(":int"):
        return int(node.value.replace("_", ""), 0) if len(node.value) < 12 else node.value
    if not node.style and node.tag.endswith(":bool"):
        return _BOOLEANS.get(node.value.lower(), node.value)
    return node.value


def _turtle(text: str, name: str) -> Any:
    from query.predicate.board_turtle import data_from_turtle

    return data_from_turtle(text, name)


_READERS = {".yaml": _yaml, ".yml": _yaml, ".json": _json, ".ttl": _turtle}
