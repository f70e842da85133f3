"""Binds the lines of `data/citing/players-words.txt` to the texts that their rules have in the given editions.

usage: stamp_players_words.py BASE.txt [OTHER.txt]...     BASE is the edition whose numbers the lines bear
"""

from __future__ import annotations

import sys
from pathlib import Path

from ingest.document import read_rulebook
from kb.number import RuleNumber
from kb.players import digest, lines
from kb.rulebook import Rulebook
from kb.shipped import shipped
from kb.words import stems

SAME = 0.7


def counterpart(text: str, rulebook: Rulebook, near: str) -> str | None:
    """The text in another edition that says the same: equal, or sharing most of its words and the number."""
    if any(digest(rule.text) == digest(text) for rule in rulebook.rules):
        return None
    said = set(stems(text))
    best = max(rulebook.rules, key=lambda rule: len(said & set(stems(rule.text))) / len(said | set(stems(rule.text))))
    other = set(stems(best.text))
    return best.text if len(said & other) >= SAME * len(said | other) else None


def main() -> None:
    """Rewrites the file in place."""
    books = [read_rulebook(Path(name).read_bytes(), Path(name).name) for name in sys.argv[1:]]
    path = shipped("citing", "players-words.txt")
    comments = [line for line in path.read_text().splitlines() if line.startswith("#")]
    rows = []
    for number, _, phrases in lines():
        text = books[0][RuleNumber.parse(number)].text
        texts = [text, *(found for book in books[1:] if (found := counterpart(text, book, number)))]
        rows.append(f"{number} {' '.join(dict.fromkeys(map(digest, texts)))}: {phrases}")
    path.write_text("\n".join([*comments, *rows]) + "\n")


if __name__ == "__main__":
    main()
