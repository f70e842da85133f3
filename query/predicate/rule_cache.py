"""Knows how a checked program is kept on disk between runs: as JSON under the hash of its text, read back
without a grammar."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from kb.number import RuleNumber
from query.predicate import strata, syntax
from query.predicate.program import Program

FORM = "1"
"""The form of what is kept; a change of `syntax` or of a check makes a new one."""

_TYPES: dict[str, type] = {
    kind.__name__: kind
    for kind in (
        syntax.Place, syntax.Variable, syntax.Next, syntax.Operation, syntax.Atom, syntax.Literal, syntax.Comparison,
        syntax.Aggregate, syntax.Example, syntax.Declaration, syntax.Clause, syntax.Choice, syntax.Requirement,
        syntax.Objective, strata.Stratum,
    )
}  # fmt: skip


def kept(folder: Path | None, texts: Sequence[tuple[str, str]]) -> Program | None:
    """The program kept for exactly these files and texts, or None; what cannot be read counts as not kept."""
    if folder is None:
        return None
    try:
        found = json.loads((folder / _name(texts)).read_text(encoding="utf-8"))
        statements, parts = _value(found["statements"]), _value(found["strata"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return Program.checked(statements, parts)


def keep(folder: Path | None, texts: Sequence[tuple[str, str]], program: Program) -> None:
    """Keeps a program for its texts; a folder that cannot be written is no error."""
    if folder is None:
        return
    content = json.dumps(
        {"statements": _form(program.statements), "strata": _form(program.strata)}, separators=(",", ":")
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        fresh = folder / f"{_name(texts)}.{os.getpid()}"
        fresh.write_text(content, encoding="utf-8")
        fresh.replace(folder / _name(texts))
    except OSError:
        return


def _name(texts: Sequence[tuple[str, str]]) -> str:
    content = json.dumps([FORM, *texts]).encode()
    return f"rules-{hashlib.sha256(content).hexdigest()}.json"


def _form(value: object) -> Any:
    """A value as JSON: a dataclass is `{"": its type, ...}`; a tuple a list."""
    if isinstance(value, RuleNumber):
        return {"": "RuleNumber", "n": str(value)}
    if isinstance(value, syntax.Variable):  # where it stands serves the checks, and these were passed
        return [type(value).__name__, value.name]
    if is_dataclass(value) and not isinstance(value, type):
        return [type(value).__name__, *(_form(getattr(value, part.name)) for part in fields(value))]
    return {"t": [_form(part) for part in value]} if isinstance(value, tuple) else value


def _value(form: Any) -> Any:
    if isinstance(form, list):
        return _TYPES[form[0]](*map(_value, form[1:]))
    if isinstance(form, dict):
        return tuple(map(_value, form["t"])) if "t" in form else RuleNumber.parse(form["n"])
    return form
