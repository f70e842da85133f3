"""Imports point one way: kb knows neither of the others, ingest and query do not know each other."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAY_IMPORT = {"kb": {"kb"}, "ingest": {"ingest", "kb"}, "query": {"query", "kb"}}
MEETING_PLACE = Path("query/commands/build.py")
FILES = sorted(path.relative_to(ROOT) for room in MAY_IMPORT for path in (ROOT / room).rglob("*.py"))
HEAVY = ("rdflib", "networkx", "pyparsing", "httpx", "rich", "pyshacl")


def test_files_are_found() -> None:
    assert len(FILES) > 40


@pytest.mark.parametrize("path", FILES, ids=str)
def test_imports_point_one_way(path: Path) -> None:
    nodes = list(ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))))
    named = {node.module.split(".")[0] for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    named |= {alias.name.split(".")[0] for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    allowed = MAY_IMPORT[path.parts[0]] | ({"ingest"} if path == MEETING_PLACE else set())
    assert named & set(MAY_IMPORT) <= allowed


@pytest.mark.parametrize("path", FILES, ids=str)
def test_files_and_functions_are_short_enough_to_read(path: Path) -> None:
    text = (ROOT / path).read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 300
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            documented = ast.get_docstring(node, clean=False) or ""
            length = (node.end_lineno or node.lineno) - node.lineno + 1 - documented.count("\n")
            assert length <= 40, f"{node.name} has {length} lines"


def test_a_look_up_imports_nothing_heavy(tmp_path: Path) -> None:
    program = (
        "import sys; from query.cli import main\n"
        "try: main(['--home', sys.argv[1], 'show', '702.7'])\n"
        f"finally: print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)\n"
    )
    run = [sys.executable, "-c", program, str(tmp_path)]
    first = subprocess.run(run, capture_output=True, text=True, cwd=ROOT, check=False)
    again = subprocess.run(run, capture_output=True, text=True, cwd=ROOT, check=False)
    assert "702.7 First Strike" in first.stdout
    assert again.stderr.strip() == "[]"
