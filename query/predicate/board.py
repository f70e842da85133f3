"""Knows what a board is: players, permanents, declarations, effects, choices and the stack, as one value for
every notation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class CardFacts:
    """What the graph says of a card: characteristics and keywords in the game's words.

    `effects` are sentences of `query.predicate.effect`. `other` names the abilities that its text has beyond those: no
    rule file speaks of them; `doubts` are those of them that may restrict combat or targets, each with the predicate
    it may state. `targets` says in words what it targets as a spell, `ability_targets` what its one
    ability on the stack does; None: not known.
    """

    name: str
    types: tuple[str, ...] = ()
    subtypes: tuple[str, ...] = ()
    supertypes: tuple[str, ...] = ()
    colors: tuple[str, ...] = ()
    power: int | None = None
    toughness: int | None = None
    loyalty: int | None = None
    defense: int | None = None
    mana_value: int | None = None
    keywords: tuple[str, ...] = ()
    effects: tuple[str, ...] = ()
    other: tuple[str, ...] = ()
    doubts: tuple[tuple[str, str], ...] = ()
    targets: tuple[str, ...] | None = None
    ability_targets: tuple[str, ...] | None = None


CardLookup = Callable[[str], CardFacts | None]
"""The card of a name, or None."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player. `life` None: no rule about life applies; `life_said`: the board says it, it is not assumed."""

    name: str
    life: int | None = 20
    poison: int = 0
    keywords: tuple[str, ...] = ()
    drew_from_empty_library: bool = False
    life_said: bool = True


@dataclass(frozen=True, slots=True)
class Effect:
    """A sentence of `query.predicate.effect`, the objects it is on (none: the whole game), and how long it lasts."""

    sentence: str
    on: tuple[str, ...] = ()
    source: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True)
class Permanent:
    """A permanent; power and toughness are those before counters."""

    id: str
    controller: str
    name: str = ""
    owner: str = ""
    types: tuple[str, ...] = ()
    subtypes: tuple[str, ...] = ()
    supertypes: tuple[str, ...] = ()
    colors: tuple[str, ...] = ()
    power: int | None = None
    toughness: int | None = None
    mana_value: int | None = None
    keywords: tuple[str, ...] = ()
    counters: Mapping[str, int] = field(default_factory=dict)
    damage: int = 0
    deathtouched: bool = False
    tapped: bool = False
    token: bool = False
    summoning_sick: bool = False
    attached_to: str = ""
    protector: str = ""
    effects: tuple[Effect, ...] = ()
    other: tuple[str, ...] = ()
    doubts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Spell:
    """A spell or ability on the stack; `source` is the permanent whose ability it is.

    `wants` says in words what each of its targets must be; None: the board does not say, and any permanent or player
    will do; empty: it has no targets.
    """

    id: str
    controller: str
    name: str = ""
    kind: str = "spell"
    source: str = ""
    types: tuple[str, ...] = ()
    subtypes: tuple[str, ...] = ()
    colors: tuple[str, ...] = ()
    mana_value: int | None = None
    wants: tuple[str, ...] | None = None
    targets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Division:
    """How a player divides the combat damage of one creature in one step."""

    source: str
    damage: Mapping[str, int]
    step: str = "combat damage"


@dataclass(frozen=True, slots=True)
class Choices:
    """What players have chosen where the rules leave it to them."""

    pays: tuple[tuple[str, str], ...] = ()
    mentor: tuple[tuple[str, str], ...] = ()
    provoke: tuple[tuple[str, str], ...] = ()
    keep: tuple[tuple[str, str], ...] = ()
    divide_in_order: tuple[str, ...] = ()
    blocker_order: tuple[tuple[str, tuple[str, ...]], ...] = ()
    attacker_order: tuple[tuple[str, tuple[str, ...]], ...] = ()
    divisions: tuple[Division, ...] = ()


@dataclass(frozen=True, slots=True)
class Board:
    """Everything a question may ask about. `unknown` are facts that may or may not hold."""

    players: tuple[Player, ...]
    active: str
    step: str = "declare attackers"
    turn: int = 0
    title: str = ""
    edition: str = ""
    variant: str = ""
    seats: tuple[str, ...] = ()
    teams: tuple[tuple[str, ...], ...] = ()
    defending: tuple[str, ...] = ()
    battlefield: tuple[Permanent, ...] = ()
    attacks: tuple[tuple[str, str], ...] = ()
    blocks: tuple[tuple[str, str], ...] = ()
    bands: tuple[tuple[str, ...], ...] = ()
    effects: tuple[Effect, ...] = ()
    choices: Choices = Choices()
    stack: tuple[Spell, ...] = ()
    facts: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def not_encoded(self) -> tuple[str, ...]:
        """The abilities on the board that no fact states: answers are relative to the rest."""
        return tuple(f"{one.id}: {text}" for one in self.battlefield for text in one.other)
