"""Every edition is read whole: counted as others count it, and with no line lost or read twice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from ingest.document import read_rulebook
from ingest.source import UnreadableSource, read_text
from kb.number import RuleNumber
from kb.rulebook import GlossaryEntry, Paragraph, Rule, Rulebook, standard_label
from tests.official import DATA, EDITIONS, ODD, edition_file, known, manifest, needs_data, rulebook
from tests.tables import table

# Counted by hand where the independent count reads lines, not paragraphs, or takes no indented number for a rule:
# in wrapped files a line may begin with the number of a reference, the file of 1999 indents its subrules, and two
# others print "606. 8b" and four numbers after a space.
RECOUNTED = {
    "cr-19990423.txt": 347,
    "cr-20031001.txt": 686,
    "cr-20040201.txt": 691,
    "cr-20060201.txt": 917,
    "cr-20090711.txt": 1472,
}


def printed(book: Rulebook) -> Iterator[tuple[int, str]]:
    """Every value of a rulebook as the file prints it, with its line."""
    for rule in book.rules:
        yield from _rule(rule)
    for entry in book.glossary:
        yield entry.line, entry.heading
        yield from ((paragraph.line, paragraph.text) for paragraph in entry.paragraphs)
        yield from ((example.line, example.text) for example in entry.examples)
    for head in (*book.heads, *book.contents, *book.sections, *book.chapters):
        yield head.line, f"{head.number}. {head.title}" if head.number else head.title
    for group in (book.front, book.introduction, book.index, book.credits, book.ornaments):
        yield from ((paragraph.line, paragraph.text) for paragraph in group)


def _rule(rule: Rule) -> Iterator[tuple[int, str]]:
    first, *more = rule.paragraphs
    label = rule.label or standard_label(rule.number)
    glued = label.removesuffix(first.text.split(" ")[0]) if re.search(r"[A-Z]", label) else label
    yield first.line, f"{glued} {first.text}"
    yield from ((paragraph.line, paragraph.text) for paragraph in more)
    yield from ((example.line, example.text) for example in rule.examples)


def bare(text: str) -> str:
    """Text without space and without the word that marks an example."""
    return re.sub(r"(?i)(?:example:)+", "", re.sub(r"[\s\u2028\ufeff]+", "", text))


@needs_data
@pytest.mark.parametrize("name", EDITIONS)
def test_every_line_is_in_exactly_one_value(name: str) -> None:
    lines = read_text(edition_file(name).read_bytes(), name).lines
    values = sorted(printed(rulebook(name)), key=lambda value: value[0])
    assert bare("".join(text for _, text in values)) == bare("".join(lines))
    covered = {line for line, _ in values}
    assert len(covered) > 700


@needs_data
@pytest.mark.parametrize("name", EDITIONS)
def test_counts_and_dates_agree_with_an_independent_reader(name: str) -> None:
    book, row = rulebook(name), manifest()[name]
    assert book.edition.replace("-", "") == row["effective_date"]
    assert book.source.sha256 == row["sha256"]
    counted = known("counts.json").get(book.edition)
    assert len(book.rules) == RECOUNTED.get(
        name, counted["numbered_rules"] if counted else int(row["lines_that_look_like_rules"])
    )
    if counted:
        assert len(book.chapters) == counted["chapters"]


@needs_data
@pytest.mark.parametrize("name", EDITIONS)
def test_a_second_way_of_counting_rules(name: str) -> None:
    """A count that shares nothing with the reader: numbers at the start of a block between contents and glossary."""
    text = "\n".join(read_text(edition_file(name).read_bytes(), name).lines)
    body = text[: text.rindex("\nGlossary")]
    blocks = re.split(r"\n[\s\xa0-]*\n", body) if len(max(body.split("\n"), key=len)) < 200 else body.split("\n")
    starts = [block for block in blocks if re.match(r"\s*\d{3}\.\s?\d+[a-z]*[. ]", block)]
    assert len(rulebook(name).rules) == len(starts)


def test_all_editions_are_there() -> None:
    if EDITIONS:
        assert (len(EDITIONS), len(ODD)) == (40, 13)


@needs_data
def test_examples_are_attached_to_their_rule() -> None:
    book = rulebook("cr-20250919.txt")
    examples = {str(rule.number): len(rule.examples) for rule in book.rules if rule.examples}
    assert sum(examples.values()) == 275
    assert [examples[number] for number in ("613.6", "707.3", "800.4a")] == [4, 4, 4]
    assert sum(rule.text.count("Example:") for rule in book.rules) == 0


@needs_data
@pytest.mark.parametrize("name", ["cr-20250919.txt", "cr-20260925.txt"])
def test_continuation_paragraphs_belong_to_their_rule(name: str) -> None:
    several = {str(rule.number): len(rule.paragraphs) for rule in rulebook(name).rules if len(rule.paragraphs) > 1}
    assert several == {"205.4c": 2, "509.1b": 2}


@needs_data
def test_a_subrule_after_z_is_read() -> None:
    assert RuleNumber.parse("704.5aa") in rulebook("cr-20260925.txt")


@needs_data
def test_two_issues_of_one_edition_hold_the_same_words() -> None:
    one, other = rulebook("cr-20260807.txt"), rulebook("cr-20260807-c.txt")
    assert [(rule.key, rule.text) for rule in one.rules] == [(rule.key, rule.text) for rule in other.rules]
    assert [entry.heading for entry in one.glossary] == [entry.heading for entry in other.glossary]


@needs_data
def test_glossary_headings_terms_and_senses() -> None:
    book = rulebook("cr-20260925.txt")
    entries = {entry.heading: entry for entry in book.glossary}
    assert entries["Life, Life Total"].terms == ("Life", "Life Total")
    assert entries["Active Player, Nonactive Player Order"].terms == ("Active Player, Nonactive Player Order",)
    assert entries["Banding, “Bands with Other”"].terms == ("Banding", "Bands with Other")
    removed = entries["Remove from the Game, Removed, Removed-from-the-Game Zone (Obsolete)"]
    assert removed.terms == ("Remove from the Game", "Removed", "Removed-from-the-Game Zone")
    assert removed.obsolete
    assert len(entries["Ability"].senses) == 2
    assert len(entries["Absorb"].senses) == 1
    assert Counter(entry.obsolete for entry in book.glossary)[True] == 33


def test_senses_are_told_from_sentences_that_end_in_a_number() -> None:
    plainly = GlossaryEntry("Trap", (Paragraph("See rule 904. 2. A card type seen on few cards.", 2, 2),), 1)
    assert plainly.senses == (plainly.text,)
    numbered = GlossaryEntry("Trap", (Paragraph("1. A zone. See rule 904. 2. A card type.", 2, 2),), 1)
    assert numbered.senses == ("A zone. See rule 904.", "A card type.")


@needs_data
@pytest.mark.parametrize(("name", "outcome"), table("odd_files.txt", at_least=13))
def test_odd_files_are_read_right_or_refused_with_line_and_fault(name: str, outcome: str) -> None:
    data = (DATA / "cr-odd" / name).read_bytes()
    verdict, _, rest = outcome.partition(" ")
    if verdict == "refused":
        with pytest.raises(UnreadableSource) as refusal:
            read_rulebook(data, name)
        line, _, fault = rest.partition(" ")
        assert refusal.value.line == int(line)
        assert fault in str(refusal.value)
        return
    book = read_rulebook(data, name)
    assert verdict in ("as", "broken")
    twin = rulebook(rest) if rest.startswith("cr-") else None
    if twin is not None:
        assert [rule.number for rule in book.rules] == [rule.number for rule in twin.rules]
        assert [straight(rule.text) for rule in book.rules] == [straight(rule.text) for rule in twin.rules]
        assert [straight(entry.heading) for entry in book.glossary] == [
            straight(entry.heading) for entry in twin.glossary
        ]


NOT_WHOLE = [
    ("# Rules\n\n## 1. Game Concepts\n", 1, "a Markdown file"),
    ("Rules\n\n**702.7.** First Strike\n", 3, "a Markdown file"),
    ("Règles complètes\n\n" + "702.7a Un joueur peut lancer le sort si cela est permis.\n" * 9, 1, "a translation"),
    ("702.7. First Strike\n\n702.7a It is the case that a player does what the rule says.\n", 1, "chapter 702 alone"),
    ("A letter to a friend, about the game.\n", 1, 'no line "Contents"'),
]


@pytest.mark.parametrize(("text", "line", "fault"), NOT_WHOLE)
def test_what_is_no_whole_edition_is_called_what_it_is(text: str, line: int, fault: str) -> None:
    with pytest.raises(UnreadableSource, match=fault) as refusal:
        read_rulebook(text.encode(), "x.txt")
    assert refusal.value.line == line


def straight(text: str) -> str:
    """Text with straight quotation marks, hyphens for dashes and single spaces."""
    return " ".join(
        text.replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"').replace("–", "-").split()
    )
