"""A whole rulebook of one page, in words of our own, with every kind of thing that an official edition has.

It has what a test can ask for: front matter, introduction, contents list, two sections of two chapters, rules with
and without a title, subrules from a to aa, a rule of two paragraphs, examples, a reference of each kind, a glossary
with several terms in a heading, numbered senses, an obsolete term and "See", and credits. Change the text with
`with_changes` to make what an edition may suffer. Two lines are long, because a file whose lines are all short is
read as hard-wrapped, as the oldest editions are.
"""

from pyoxigraph import Quad

from ingest.document import read_rulebook
from kb.graph import EditionGraph
from kb.number import LETTERS
from kb.resolution import links
from kb.rulebook import Rulebook
from kb.vocabulary import Names

EDITION = "2020-02-03"

_SLOTS = "".join(
    f"201.2{letter} Slot number {place} takes the marbles that reach it.\n\n"
    for place, letter in enumerate((*LETTERS, "aa"), 1)
)

TEXT = f"""\
The Small Rulebook of Marbles

These rules are effective as of February 3, 2020.

Introduction

Two people roll marbles across a table. This page says how, in the manner of a book that is much longer, \
so that whatever reads that book can be tried on this page first.

Contents

1. Setting Out
100. The Table
101. The Marbles
2. Rolling
200. Turns
201. Slots
Glossary
Credits

1. Setting Out

100. The Table

100.1. Marbles is played on a table by two people. See section 2, “Rolling,” for how a turn goes.

100.1a A table that is not level is turned around after each turn.
Example: The table leans toward Ann. After her turn it leans toward Bob. See rule 200.2a.
Example: The table leans toward the door. Turning it around helps nobody.

100.1b A level table stays where it is. (See rule 101, “The Marbles.”)

100.2. The edge of the table is out of play. This is an exception to rules 200.2a–c.

101. The Marbles

101.1. Each player has five marbles of one color, as described in rules 100.1, 100.1b, and 200.2.

101.2. A cracked marble is replaced before it is rolled. Its owner picks the new one, shows it to \
the other player, and puts the cracked one back into the bag it came from.
A marble that cracks while it rolls counts where it stops.

2. Rolling

200. Turns

200.1. Players take turns. A turn has the steps of rule 200.2.

200.2. Steps of a Turn

200.2a The player picks a marble.

200.2b The player rolls it. Rules 201.2k–p say which slots count.

200.2c The player says where it stopped.

201. Slots

201.1. A slot is a hole in the table.

201.2. Slots are numbered from the left.

{_SLOTS}Glossary

Bank Shot (Obsolete)
Older versions of these rules let a marble touch the edge. See rule 100.2.

Hole
See Slot.

Marble, Ball
What is rolled. See rule 101, “The Marbles.”

Slot
1. A hole in the table. See rule 201.1.
2. The number of that hole.

Credits

Written for tests, by those who wrote the tests.
"""


def with_changes(*changes: tuple[str, str]) -> str:
    """The text with each first string replaced by the second; each must stand in it exactly once."""
    text = TEXT
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in the small rulebook"
        text = text.replace(old, new)
    return text


def small_rulebook(text: str = TEXT) -> Rulebook:
    """The rulebook that a text holds, read as any official file is."""
    return read_rulebook(text.encode(), "small-rulebook.txt")


def small_graph(text: str = TEXT, names: Names | None = None) -> list[Quad]:
    """The quads of a text's edition, references resolved."""
    rulebook = small_rulebook(text)
    return list(EditionGraph(rulebook, links(rulebook), names or Names()).quads())
