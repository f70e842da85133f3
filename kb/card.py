"""Knows what a card is: its faces with what is printed on them, its legalities, and the uses of keywords found in
its text.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Literal

from kb.number import RuleNumber

Origin = Literal["printed", "conditional", "granted", "reminder", "named", "ability word", "flavor word"]
ORIGINS: tuple[Origin, ...] = (
    "printed",
    "conditional",
    "granted",
    "named",
    "reminder",
    "ability word",
    "flavor word",
)
"""How a text can have a keyword.

printed: the face has it, on a line or list of its own, or instructs it (a keyword action). conditional: the face has
it only while or if something holds. granted: the face gives it, to itself for a while or to others. named: the text
only speaks of it ("creatures with flying"). reminder: it stands in parentheses. ability word, flavor word: it stands
before a dash and has no rules meaning of its own.
"""


@dataclass(frozen=True, slots=True)
class Face:
    """One face of a card, as its source prints it; what the source does not give is empty or None.

    `power`, `toughness`, `loyalty` and `defense` are text ("1+*", "X"); `colors` are letters of WUBRG, None where the
    source is silent.

    >>> face = Face("Dryad Arbor", type_line="Land Creature — Forest Dryad")
    >>> face.supertypes_and_types, face.subtypes
    (('Land', 'Creature'), ('Forest', 'Dryad'))
    """

    name: str
    mana_cost: str = ""
    type_line: str = ""
    text: str = ""
    power: str | None = None
    toughness: str | None = None
    loyalty: str | None = None
    defense: str | None = None
    colors: tuple[str, ...] | None = None
    color_indicator: tuple[str, ...] = ()

    @property
    def supertypes_and_types(self) -> tuple[str, ...]:
        """The words of the type line before the dash."""
        return tuple(re.split(r"\s+[—–-]\s+", self.type_line)[0].split())

    @property
    def subtypes(self) -> tuple[str, ...]:
        """The words of the type line after the dash; a plane's is one name of several words."""
        _, _, after = re.sub(r"\s+[—–-]\s+", "\0", self.type_line).partition("\0")
        return (after,) if after and "Plane" in self.supertypes_and_types else tuple(after.split())


@dataclass(frozen=True, slots=True)
class Legality:
    """What a format says of a card: `format` in lower case; `status` legal, banned, restricted or not_legal."""

    format: str
    status: str


@dataclass(frozen=True, slots=True)
class Card:
    """A card as its source gives it, whatever was printed when.

    `oracle_id` is the source's own identity, None where it has none; `mana_value` as text ("2", "0.5"); `keywords`
    the source's field of that name; `as_of` the date (YYYY-MM-DD) that the source gives for its legalities.

    >>> card = Card("Fire // Ice", (Face("Fire"), Face("Ice")))
    >>> card.key, card.face_names
    ('name-7a320876e9eb0aff', ('Fire', 'Ice'))
    """

    name: str
    faces: tuple[Face, ...]
    oracle_id: str | None = None
    layout: str = "normal"
    mana_value: str | None = None
    color_identity: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    legalities: tuple[Legality, ...] = ()
    as_of: str | None = None

    @property
    def key(self) -> str:
        """The identity of the card: its oracle id, or a digest of its name where the source has none."""
        return self.oracle_id or name_key(self.name)

    @property
    def face_names(self) -> tuple[str, ...]:
        """The names of the faces, in order."""
        return tuple(face.name for face in self.faces)


@dataclass(frozen=True, slots=True)
class KeywordUse:
    """One use of a keyword in the text of a face.

    `start` and `end` are character offsets in the face's text and span the keyword with its parameter; `keyword` is
    its name as the edition has it, `rule` the number that defines it there; `parameter` what it is printed with
    ("from white", "{2}"); `condition` and `recipient` are quoted from the text.
    """

    start: int
    end: int
    keyword: str
    rule: RuleNumber
    origin: Origin
    parameter: str | None = None
    condition: str | None = None
    recipient: str | None = None


def name_key(name: str) -> str:
    """The identity of a card whose source gives no oracle id: the same for the same name, wherever it is read.

    >>> name_key("Forest") == name_key("Forest"), name_key("Forest") == name_key("Island")
    (True, False)
    """
    return f"name-{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:16]}"
