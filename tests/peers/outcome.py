"""Knows what a combat came to, in the words of the peers' cases: life lost, destroyed, and how each object ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from query.predicate.derive import Model

WANTED = (
    "life_lost", "life_gained", "poison_given", "put_into_graveyard", "survives", "marked", "counter", "returned",
    "taps_to_attack", "loses_game", "life_after", "poison_after", "tapped_after",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Outcome:
    """One way a combat may come out."""

    model: Model

    def differs(self, expected: Mapping[str, Any], defender: str) -> str:
        """Where this outcome and the expected one part; empty if nowhere."""
        faults = []
        for key, found in (
            ("damage_to_players", self._by_player("life_lost")),
            ("lifegain", self._by_player("life_gained")),
            ("poison", self._by_player("poison_given")),
        ):
            wanted = {defender if name == "defender" else name: n for name, n in expected[key].items() if n}
            if found != wanted:
                faults.append(f"{key}: {found}, expected {wanted}")
        lost = sorted({str(row[0]) for row in self.model.rows("loses_game")})
        if lost != sorted(expected["players_lost"]):
            faults.append(f"players lost: {lost}, expected {expected['players_lost']}")
        if self.destroyed() != sorted(expected["destroyed"]):
            faults.append(f"destroyed: {self.destroyed()}, expected {sorted(expected['destroyed'])}")
        surviving = {name: said for name, said in expected["after"].items() if name not in expected["destroyed"]}
        faults += [fault for name, wanted in surviving.items() if (fault := self._after(name, wanted))]
        return "; ".join(faults)

    def destroyed(self) -> list[str]:
        """What was put into a graveyard and is not back."""
        gone = {str(row[1]) for row in self.model.rows("put_into_graveyard")}
        return sorted(name for name in gone if not self.survives(name))

    def survives(self, name: str) -> bool:
        """Whether it is on the battlefield in the end."""
        return ("survives", (name,)) in self.model

    def life(self, player: str) -> int:
        """The player's life in the end."""
        return next(int(row[1]) for row in self.model.rows("life_after") if row[0] == player)

    def poison(self, player: str) -> int:
        """The player's poison counters in the end."""
        return next(int(row[1]) for row in self.model.rows("poison_after") if row[0] == player)

    def tapped(self, name: str) -> bool:
        """Whether it is tapped in the end."""
        return ("tapped_after", (name,)) in self.model

    def damage(self, name: str) -> int:
        """The damage marked on it when it was last on the battlefield."""
        return self._last("marked", name)

    def _by_player(self, predicate: str) -> dict[str, int]:
        found: dict[str, int] = {}
        for row in self.model.rows(predicate):
            found[str(row[1])] = found.get(str(row[1]), 0) + int(row[2])
        return {name: amount for name, amount in found.items() if amount}

    def _after(self, name: str, wanted: Mapping[str, Any]) -> str:
        found = {
            "damage": self.damage(name),
            "p1p1": self._last("counter", name, "+1/+1"),
            "m1m1": self._last("counter", name, "-1/-1"),
        }
        found["tapped"] = self.tapped(name)
        different = {key: value for key, value in found.items() if value != wanted[key]}
        return f"{name}: {different}, expected { {key: wanted[key] for key in different} }" if different else ""

    def _last(self, predicate: str, name: str, *more: str) -> int:
        """The value in the last stage in which the object was there."""
        stages = [int(row[0]) for row in self.model.rows("on") if row[1] == name]
        for row in self.model.rows(predicate):
            if stages and row[0] == max(stages) and row[1:-1] == (name, *more):
                return int(row[-1])
        return 0
