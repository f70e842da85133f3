"""Knows how the embedded outline is made: `python -m ingest.outline FILE` writes an edition's facts to `data/`.

The file holds no sentence of the official text; the test suite compares it with what this module makes of the edition.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ingest.document import read_rulebook
from kb.outline import write_outline
from kb.resolution import links
from kb.shipped import shipped


def outline_of(path: Path) -> tuple[str, str]:
    """The edition of an official file and its outline."""
    rulebook = read_rulebook(path.read_bytes(), path.name)
    return rulebook.edition, write_outline(rulebook, links(rulebook))


def main(arguments: list[str]) -> None:
    """Writes the outline of the official file that the one argument names."""
    edition, outline = outline_of(Path(arguments[0]))
    target = shipped("outline", f"{edition}.tsv")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(outline, encoding="utf-8")
    print(target)


if __name__ == "__main__":
    main(sys.argv[1:])
