"""Knows on which line of a YAML or JSON file a path of a board stands."""

from __future__ import annotations

import re
from typing import Any

_FAULT = re.compile(r"board(?P<path>[^:]*): ")
_PART = re.compile(r"\.([^.\[]+)|\[(\d+)\]")
_FIELD = re.compile(r"no field '([^']*)'")


def with_lines(message: str, text: str, name: str) -> str:
    """The faults of a board, each with file and line where its path can be followed.

    >>> text = "players: [ann, bob]\\nbattlefield:\\n  - {id: bear}\\n"
    >>> with_lines("board.battlefield[0]: the field 'controller' is missing", text, "b.yaml")
    "b.yaml:3: board.battlefield[0]: the field 'controller' is missing"
    """
    root = _tree(text)
    return "\n".join(_with_line(line, root, name) for line in message.split("\n"))


def line_of_words(message: str, text: str, name: str) -> str:
    """A fault that quotes words of the file, with the file and the line on which they first stand."""
    quoted = re.search(r'"([^"]+)"', message)
    lines = text.splitlines()
    at = next((at for at, line in enumerate(lines, 1) if quoted and quoted[1] in line), 0)
    return f"{name}:{at}: {message}" if at else f"{name}: {message}"


def _tree(text: str) -> Any:
    """The nodes of a file, None if it has no such form: JSON is YAML but for its tabs."""
    import yaml

    try:
        return yaml.compose(text.replace("\t", " "), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, RecursionError):
        return None


def _with_line(fault: str, root: Any, name: str) -> str:
    found = _FAULT.match(fault)
    if not found:
        return fault
    steps = [key or int(at) for key, at in _PART.findall(found["path"])]
    if field := _FIELD.search(fault):
        steps.append(field[1])
    line = _line(root, steps)
    return f"{name}:{line}: {fault}" if line else f"{name}: {fault}"


def _line(node: Any, steps: list[str | int]) -> int:
    """The line of the last step that can be followed, from 1; 0 without nodes."""
    import yaml

    line = node.start_mark.line + 1 if node is not None else 0
    for step in steps:
        if isinstance(node, yaml.MappingNode):
            entry = next(((key, value) for key, value in node.value if str(key.value) == step), None)
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            entry = (node.value[step], node.value[step])
        else:
            entry = None
        if entry is None:
            break
        line, node = entry[0].start_mark.line + 1, entry[1]
    return line
