"""Knows how a table of cases is written: a case a line, `left -> right`, `#` begins a comment line."""

from pathlib import Path

TABLES = Path(__file__).parent / "tables"


def table(name: str, at_least: int) -> list[tuple[str, str]]:
    """The cases of a table; fails where the table has lost rows."""
    lines = [line for line in (TABLES / name).read_text().splitlines() if line.strip()]
    cases = [line.partition("->") for line in lines if not line.startswith("#")]
    assert len(cases) >= at_least, f"{name} lost rows: {len(cases)} < {at_least}"
    return [(left.strip(), right.strip()) for left, _, right in cases]
