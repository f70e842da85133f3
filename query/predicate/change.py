"""Knows which changes to a board are worth proposing, and which of them first: only what a board could state."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from query.predicate.keyword import STATIC
from query.predicate.syntax import Declaration, Fact, show_fact

_FRAME = frozenset((
    "player", "permanent", "owns", "name", "active", "seated_beside", "teammate", "defending", "variant",
    "just_declared", "protects", "on_stack", "ability_of", "targets", "targets_described", "description",
    "description_wants", "description_bounds", "mana_value", "ability_kind", "controls",
    "base_power", "base_toughness", "life", "poison", "blocker_order", "attacker_order",
))  # fmt: skip
"""What makes the board the one that is asked about: who plays, what lies there, how far the game is."""

_CONSEQUENCES = frozenset((
    "touched_by_deathtouch", "drew_from_empty_library", "gains", "loses", "division", "band", "attached", "damaged",
    "counters", "ability", "prevent_combat_damage", "protected_from", "hexproof_from", "landwalk",
    "landwalk_wants", "token", "keeps",
))  # fmt: skip
"""What is not stated by itself, or says later what a keyword says at once: never added."""

_DECLARED = frozenset(("attacks", "blocks"))
_TRAITS = frozenset(("type", "subtype", "supertype", "color"))
_KEYWORDS = frozenset((*STATIC, "persist", "undying"))
"""The keywords that are a whole statement without a number or a quality."""


@dataclass(frozen=True, slots=True, order=True)
class Change:
    """One fact added or taken away."""

    fact: Fact
    added: bool

    def __str__(self) -> str:
        return f"{'with' if self.added else 'without'} {show_fact(self.fact)}"


@dataclass(frozen=True, slots=True)
class Stated:
    """What a board states, as far as a change must fit to it."""

    facts: frozenset[Fact]
    declarations: Mapping[str, Declaration]
    _rows: dict[str, set[tuple[str | int, ...]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, row in self.facts:
            self._rows.setdefault(name, set()).add(row)

    def fits(self, change: Change) -> bool:
        """Whether the board with the change is one that could be stated."""
        name, row = change.fact
        if name in _FRAME:
            return False
        if not change.added:
            return True
        return name not in _CONSEQUENCES and self._kinds(name, row) and self._sensible(name, row)

    def _kinds(self, name: str, row: tuple[str | int, ...]) -> bool:
        if "permanent" not in self.declarations:
            return True
        players, objects = self._names("player", 0), self._names("permanent", 0) | self._names("on_stack", 0)
        places: dict[str, Collection[str | int]] = {"player": players, "object": objects, "thing": players | objects}
        kinds = [kind for _, kind in self.declarations[name].arguments]
        return all(term in places[kind] for term, kind in zip(row, kinds, strict=True) if kind in places)

    def _sensible(self, name: str, row: tuple[str | int, ...]) -> bool:
        if name == "has":
            return row[1] in _KEYWORDS
        if name == "attacks":
            return row[0] not in self._names("attacks", 0) and self._against(row[0], row[1])
        if name == "blocks":
            return row[1] in self._names("attacks", 0) and self._opposed(row[0], row[1])
        if name == "type":
            return row[1] in ("artifact", "creature", "enchantment")
        if name == "subtype":
            return row[1] not in ("aura", "equipment", "fortification", "siege", "saga")
        return len(set(row)) == len(row)

    def _against(self, attacker: str | int, attacked: str | int) -> bool:
        """Whether a creature may be said to attack this: a player or a permanent of somebody else, in its turn."""
        controller = self._controller(attacker)
        active = self._names("active", 0)
        mine = not active or controller in active
        others = self._names("player", 0) - {controller}
        hosts = {row[0] for row in self._rows.get("type", ()) if row[1] in ("planeswalker", "battle")}
        return mine and (attacked in others or (attacked in hosts and self._controller(attacked) != controller))

    def _opposed(self, blocker: str | int, attacker: str | int) -> bool:
        return self._controller(blocker) not in (None, self._controller(attacker))

    def _controller(self, thing: str | int) -> str | int | None:
        return next((row[0] for row in self._rows.get("controls", ()) if row[1] == thing), None)

    def _names(self, name: str, at: int) -> set[str | int]:
        return {row[at] for row in self._rows.get(name, ())}


VALUES = frozenset(("base_power", "base_toughness", "life", "poison", "damaged", "counters", "division"))
"""What says a number that could be another."""


def untried(change: Change) -> bool:
    """Whether a board could state this, or say it with another number, and it is not tried all the same."""
    name = change.fact[0]
    return name in VALUES or (change.added and name in _CONSEQUENCES)


def likely(change: Change) -> int:
    """How early a change is tried: what a declaration or an ability says, then effects, then what a thing is."""
    name = change.fact[0]
    if name in _TRAITS:
        return 3
    if name in _DECLARED or name == "has":
        return 0 if not change.added else 1
    return 1 if not change.added else 2
