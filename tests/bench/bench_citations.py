"""Measures citations beside plain BM25 in one run, with the project's scorer; needs bm25s and PyStemmer.

usage: bench_citations.py [--base] [VECTORS_FOLDER]

Dev items are scored by rankers that have not seen their fold; the rules' examples with no example in any index and by
rankers that have not seen examples of the same chapter's rules.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from query.cite import Citer
from query.citing.book import Book
from query.citing.meaning import Model
from tests.bench import citation_sets as sets
from tests.bench import train_citations as training


def plain_bm25(book: Book, items: list[sets.Item]) -> list[dict]:
    """The baseline: bm25s over the rules' text alone, Snowball stems, English stop words."""
    import bm25s
    import Stemmer

    stemmer = Stemmer.Stemmer("english")

    def tokens(texts: list[str]) -> object:
        return bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False)

    index = bm25s.BM25()
    index.index(tokens([rule.text for rule in book.rules]), show_progress=False)
    found, _ = index.retrieve(tokens([f"{item.text} {item.answer}" for item in items]), k=20, show_progress=False)
    return [
        {
            "id": item.id,
            "citations": [{"rule": str(book.rules[at].number), "asserted": rank == 0} for rank, at in enumerate(row)],
        }
        for item, row in zip(items, found, strict=True)
    ]


def scored(title: str, items: list[sets.Item], predicted: list[dict]) -> None:
    """Prints the scorer's table."""
    with tempfile.TemporaryDirectory() as folder:
        gold, mine = Path(folder, "gold.jsonl"), Path(folder, "mine.jsonl")
        gold.write_text("\n".join(json.dumps({"id": i.id, "set": i.set, "citations": i.gold}) for i in items))
        mine.write_text("\n".join(map(json.dumps, predicted)))
        done = subprocess.run([sys.executable, sets.SCORER, gold, mine], capture_output=True, text=True, check=True)
    print(f"\n{title}\n{done.stdout}")


def held_out(
    own: list[training.Case], other: list[training.Case], without: tuple[str, ...], book: Book, *, asserting: bool
) -> list[dict]:
    """Rankings and assertions by rankers and curves that have not seen the item's fold, in today's numbers."""
    rankings = training.cross_validated(own, other, without)
    predicted = []
    for tested in range(training.FOLDS):
        seen = [case for case in own if training.fold(case.item) != tested]
        limit = training.calibrate(seen, rankings, book) if asserting else None
        for case in own:
            if training.fold(case.item) == tested:
                predicted.append({"id": case.item.id, "citations": _said(rankings[case.item.id], limit, book)})
    return predicted


def _said(ranking: list, limit: training.Calibration | None, book: Book) -> list[dict]:
    measured = training.measures(ranking)
    said = []
    for at, ranked in enumerate(ranking):
        sure = (
            limit is not None
            and at < training.TOP
            and limit.confidence(ranked.share, ranked.score, measured[at][3], first=at == 0) >= limit.asserted
        )
        said.append({"rule": str(book.rules[ranked.place].number), "asserted": sure})
    return said


def in_their_editions(items: list[sets.Item], predicted: list[dict]) -> list[dict]:
    """The same by the numbers of each item's own edition, without the rules that it did not have."""
    found, by_id = [], {item.id: item for item in items}
    for said in predicted:
        item = by_id[said["id"]]
        numbered = [citation | {"rule": item.numbered(citation["rule"])} for citation in said["citations"]]
        found.append(said | {"citations": [citation for citation in numbered if citation["rule"]]})
    return found


def speed(citer: Citer, items: list[sets.Item]) -> None:
    """Milliseconds a text, warm, and how that compares with the baseline's part of the work: reading the words."""
    for item in items[:5]:
        citer.cite(item.text, item.answer, item.cards)
    start = time.process_time()
    for item in items:
        citer.cite(item.text, item.answer, item.cards)
    print(f"{(time.process_time() - start) / len(items) * 1000:.1f} ms of processor time a text, warm")


def main() -> None:
    current, printed = sets.rulebook(sets.CURRENT), sets.rulebook(sets.WITH_EXAMPLES)
    book, bare, cards = Book(current), Book(printed, examples=False), sets.cards()
    dev, examples = sets.dev_items(current), sets.examples(printed)
    scored("plain BM25, dev items (the first is taken as asserted)", dev, plain_bm25(book, dev))
    scored("plain BM25, examples", examples, plain_bm25(bare, examples))
    for name, without in (("without the extra", training.SEMANTIC), ("with the extra `semantic`", ())):
        if not without and "--base" in sys.argv:
            continue
        model = None if without else Model()
        near, bare_near = (
            (None, None) if model is None else (training.kept("book", book, model), training.kept("bare", bare, model))
        )
        own, other = training.cases(dev, book, near, cards), training.cases(examples, bare, bare_near, cards)
        ranked = held_out(own, other, without, book, asserting=True)
        then = in_their_editions(dev, ranked)
        for numbers, predicted in (("numbers of 2026-08-07", ranked), ("numbers of the item's edition", then)):
            scored(f"cross-validated, {name}: dev items, {numbers}", dev, predicted)
            first = [
                {"id": p["id"], "citations": [c | {"asserted": not at} for at, c in enumerate(p["citations"])]}
                for p in predicted
            ]
            scored(f"cross-validated, {name}: dev items, {numbers}, the single best taken as asserted", dev, first)
        scored(f"cross-validated, {name}: examples", examples, held_out(other, [], without, bare, asserting=False))
        speed(Citer(book, cards, near), dev)


if __name__ == "__main__":
    main()
