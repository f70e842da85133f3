"""Knows how many small faults the tests notice: `python -m tests.bench.mutate MODULE.py [COUNT] -- TESTS...`.

A fault is one operator, constant or condition changed. The module is changed in a copy of the checkout, never in place.
"""

from __future__ import annotations

import ast
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parents[2]
OPERATORS: dict[type, type] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Add: ast.Sub, ast.Sub: ast.Add,
    ast.And: ast.Or, ast.Or: ast.And, ast.Mult: ast.Add,
}  # fmt: skip


def faults(source: str) -> Iterator[str]:
    """The source with one fault, for every place that can bear one; docstrings and annotations are left alone."""
    places = [node for node in ast.walk(ast.parse(source)) if _bears(node)]
    for at in range(len(places)):
        tree = ast.parse(source)
        node = [one for one in ast.walk(tree) if _bears(one)][at]
        _spoil(node)
        yield ast.unparse(ast.fix_missing_locations(tree))


def _bears(node: ast.AST) -> bool:
    if isinstance(node, ast.Compare):
        return type(node.ops[0]) in OPERATORS
    if isinstance(node, (ast.BoolOp, ast.BinOp)):
        return type(node.op) in OPERATORS
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (bool, int)) and node.value is not None
    return isinstance(node, (ast.UnaryOp, ast.IfExp, ast.Return)) and (
        not isinstance(node, ast.UnaryOp) or isinstance(node.op, ast.Not)
    )


def _spoil(node: ast.AST) -> None:
    if isinstance(node, ast.Compare):
        node.ops[0] = OPERATORS[type(node.ops[0])]()
    elif isinstance(node, (ast.BoolOp, ast.BinOp)):
        node.op = OPERATORS[type(node.op)]()
    elif isinstance(node, ast.Constant):
        node.value = not node.value if isinstance(node.value, bool) else int(node.value) + 1  # type: ignore[arg-type]
    elif isinstance(node, ast.UnaryOp):
        node.operand = ast.UnaryOp(ast.Not(), node.operand)
    elif isinstance(node, ast.IfExp):
        node.body, node.orelse = node.orelse, node.body
    elif isinstance(node, ast.Return):
        node.value = ast.Constant(None)


def main(arguments: list[str]) -> int:
    """Prints which faults the tests let pass, and how many of how many they noticed."""
    split = arguments.index("--")
    module, tests = arguments[0], arguments[split + 1 :]
    count = int(arguments[1]) if split > 1 else 40
    source = (HERE / module).read_text(encoding="utf-8")
    chosen = list(faults(source))
    random.Random(7).shuffle(chosen)
    noticed = tried = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(HERE, copy, ignore=shutil.ignore_patterns(".git", ".hypothesis", "*_cache", "__pycache__"))
        for spoilt in chosen[:count]:
            (copy / module).write_text(spoilt, encoding="utf-8")
            command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
            try:
                killed = subprocess.run(command, cwd=copy, capture_output=True, timeout=90).returncode != 0
            except subprocess.TimeoutExpired:
                killed = True
            noticed, tried = noticed + killed, tried + 1
            print(f"{noticed} of {tried}", end="\r", flush=True)
            if not killed:
                before, after = ast.unparse(ast.parse(source)).splitlines(), spoilt.splitlines()
                told = [
                    f"{b.strip()}  (line {at}: {a.strip()})"
                    for at, (a, b) in enumerate(zip(before, after, strict=False))
                    if a != b
                ]
                print("let pass:", *told[:1])
    print(f"{module}: {noticed} of {min(count, len(chosen))} faults noticed (of {len(chosen)} possible)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
