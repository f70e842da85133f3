"""Knows how plain data (from YAML, JSON or Turtle) becomes a board: names resolved, cards looked up, alike
objects counted out."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from query.predicate.ability_facts import PRINTED
from query.predicate.board import (
    Board,
    CardFacts,
    CardLookup,
    Choices,
    Division,
    Effect,
    Permanent,
    Spell,
)
from query.predicate.board_form import BoardError, board_schema, faults
from query.predicate.board_players import read_players
from query.predicate.card_targets import wants
from query.predicate.keyword import misspelt_keywords

Data = Mapping[str, Any]
_LASTING = ("loyalty", "defense")
"""Counters of which having none is said too: a planeswalker without loyalty is not one of unknown loyalty."""

MOST_OBJECTS = 20_000
"""How many permanents a board may have."""


def board(data: object, cards: CardLookup | None = None) -> Board:
    """The board that plain data describes; `cards` finds what a card's name brings.

    Raises `BoardError` with every fault, each with its path.

    >>> board({"players": ["ann", "bob"], "battlefield": [{"controller": "cat"}]})
    Traceback (most recent call last):
    query.predicate.board_form.BoardError: board.battlefield[0].controller: no player is named 'cat'; there are ann, bob
    """
    schema = board_schema()
    wrong = list(faults(data, schema, schema))
    if wrong:
        raise BoardError("\n".join(wrong[:20]))
    assert isinstance(data, dict)
    return _Reading(data, cards or (lambda name: None)).board()


class _Reading:
    """One board being read; faults are gathered."""

    def __init__(self, data: Data, cards: CardLookup) -> None:
        self._data, self._cards = data, cards
        self._faults: list[str] = []
        self._players = read_players(data["players"])
        self._names = [player.name for player in self._players]
        self._by_name: dict[str, list[str]] = {}
        self._ids: dict[str, None] = {}
        self._card_of: dict[str, CardFacts] = {}

    def board(self) -> Board:
        battlefield = self._battlefield(self._data.get("battlefield", []))
        stack = tuple(self._spell(one, f"board.stack[{at}]") for at, one in enumerate(self._data.get("stack", [])))
        battlefield = tuple(self._attachments(one, f"board.battlefield ({one.id})") for one in battlefield)
        said = self._data
        found = Board(
            players=self._players,
            active=self._player(said.get("active", self._names[0]), "board.active"),
            step=said.get("step", "declare attackers"),
            turn=said.get("turn", 0),
            title=said.get("title", ""),
            edition=said.get("edition", ""),
            variant=said.get("variant", ""),
            seats=tuple(self._player(one, "board.seats") for one in said.get("seats", [])),
            teams=tuple(tuple(self._player(p, "board.teams") for p in team) for team in said.get("teams", [])),
            defending=tuple(self._player(one, "board.defending") for one in said.get("defending", [])),
            battlefield=battlefield,
            attacks=self._attacks(),
            blocks=self._blocks(said.get("blocks", {})),
            bands=tuple(tuple(self._object(x, "board.bands") for x in band) for band in said.get("bands", [])),
            effects=tuple(self._effect(one, "board.effects") for one in said.get("effects", [])),
            choices=self._choices(said.get("choices", {})),
            stack=stack,
            facts=tuple(said.get("facts", [])),
            unknown=tuple(said.get("unknown", [])),
        )
        if self._faults:
            raise BoardError("\n".join(self._faults[:20]))
        return found

    # Names

    def _player(self, name: str, path: str) -> str:
        if name not in self._names:
            there = ", ".join(self._names)
            self._faults.append(f"{path}: no player is named {name!r}; there are {there}")
        return name

    def _object(self, name: str, path: str) -> str:
        """The id of an object said by its id, or by its name if only one bears it."""
        if name in self._ids:
            return name
        alike = self._by_name.get(name, [])
        if len(alike) == 1:
            return alike[0]
        if alike:
            self._faults.append(f"{path}: {name!r} may be any of {', '.join(alike)}; say which by its id")
        else:
            near = difflib.get_close_matches(name, [*self._ids, *self._by_name], n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            self._faults.append(f"{path}: no object is called {name!r}{hint}")
        return name

    def _thing(self, name: str, path: str) -> str:
        return name if name in self._names else self._object(name, path)

    # Permanents

    def _battlefield(self, said: Sequence[Data]) -> tuple[Permanent, ...]:
        if sum(int(one.get("count", 1)) for one in said) > MOST_OBJECTS:
            raise BoardError(f"board.battlefield: more than {MOST_OBJECTS:,} permanents")
        found = []
        for at, one in enumerate(said):
            path = f"board.battlefield[{at}]"
            card = self._card(one, path)
            for number in range(1, one.get("count", 1) + 1):
                found.append(self._permanent(one, card, number, path))
                self._card_of[found[-1].id] = card
        return tuple(found)

    def _card(self, said: Data, path: str) -> CardFacts:
        name = said.get("card", "")
        found = self._cards(name) if name else None
        if name and found is None and "types" not in said:
            self._faults.append(f"{path}.card: no card is named {name!r}; name one of the graph or give its 'types'")
        return found or CardFacts(said.get("name", name))

    def _permanent(self, said: Data, card: CardFacts, number: int, path: str) -> Permanent:
        name = said.get("name", card.name)
        self._faults += misspelt_keywords(said.get("keywords", ()), f"{path}.keywords") if number == 1 else ()
        counters = dict(said.get("counters", {}))
        for kind, printed in (("loyalty", card.loyalty), ("defense", card.defense)):
            value = said.get(kind, printed)
            if value is not None:
                counters.setdefault(kind, value)
        return Permanent(
            id=self._id(said, name, number, path),
            name=name,
            controller=self._player(said["controller"], f"{path}.controller"),
            owner=self._player(said["owner"], f"{path}.owner") if "owner" in said else said["controller"],
            **{key: self._words(said, card, key) for key in ("types", "subtypes", "supertypes", "colors")},
            power=said.get("power", card.power),
            toughness=said.get("toughness", card.toughness),
            mana_value=said.get("mana_value", card.mana_value),
            keywords=(*card.keywords, *said.get("keywords", ())),
            counters={kind: count for kind, count in counters.items() if count or kind in _LASTING},
            damage=said.get("damage", 0),
            deathtouched=said.get("deathtouched", False),
            tapped=said.get("tapped", False),
            token=said.get("token", False),
            summoning_sick=said.get("summoning_sick", False),
            attached_to=said.get("attached_to", ""),
            protector=said.get("protector", ""),
            effects=(
                *(Effect(sentence, source=PRINTED) for sentence in card.effects),
                *(self._effect(one, f"{path}.effects") for one in said.get("effects", [])),
            ),
            other=card.other,
            doubts=card.doubts,
        )

    def _words(self, said: Data, card: CardFacts, key: str) -> tuple[str, ...]:
        return tuple(word.lower() for word in said.get(key, getattr(card, key)))

    def _id(self, said: Data, name: str, number: int, path: str) -> str:
        """The id given, or one made of the name; alike objects are numbered."""
        many = said.get("count", 1) > 1
        given = said.get("id")
        stem = given or re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "object"
        made = f"{stem}{number}" if given and many else stem
        taken = 1
        while made in self._ids and not (given and not many):
            taken += 1
            made = f"{stem}_{taken}"
        if made in self._ids or made in self._names:
            self._faults.append(f"{path}.id: {made!r} is the name of another object or player")
        self._ids[made] = None
        if name and name != made:
            self._by_name.setdefault(name, []).append(made)
        return made

    def _attachments(self, one: Permanent, path: str) -> Permanent:
        """The permanent with what it names resolved; what it is attached to may be gone, which is a state to
        ask about."""
        from dataclasses import replace

        host = one.attached_to
        if host and (host in self._by_name and len(self._by_name[host]) == 1):
            host = self._by_name[host][0]
        protector = self._player(one.protector, f"{path}.protector") if one.protector else ""
        return replace(one, attached_to=host, protector=protector)

    # The rest

    def _effect(self, said: str | Data, path: str) -> Effect:
        if isinstance(said, str):
            return Effect(said)
        on = tuple(self._thing(name, f"{path}.on") for name in _list(said.get("on", ())))
        return Effect(said["effect"], on, said.get("from", ""), said.get("until", ""))

    def _attacks(self) -> tuple[tuple[str, str], ...]:
        pairs = self._data.get("attacks", {}).items()
        path = "board.attacks"
        found = tuple((self._object(one, path), self._thing(other, f"{path}.{one}")) for one, other in pairs)
        self._not_itself(found, path, "attack itself: it attacks a player, planeswalker or battle (rule 508.1b)")
        return found

    def _blocks(self, said: Data) -> tuple[tuple[str, str], ...]:
        found = self._pairs(said, "board.blocks")
        self._not_itself(found, "board.blocks", "block itself: it blocks a creature that attacks (rule 509.1a)")
        return found

    def _not_itself(self, pairs: Iterable[tuple[str, str]], path: str, why: str) -> None:
        self._faults += [f"{path}.{one}: {one} cannot {why}" for one, other in pairs if one == other]

    def _pairs(self, said: Data, path: str) -> tuple[tuple[str, str], ...]:
        return tuple(
            (self._object(one, path), self._object(other, f"{path}.{one}"))
            for one, others in said.items()
            for other in _list(others)
        )

    def _choices(self, said: Data) -> Choices:
        path = "board.choices"
        order = said.get("divide_in_order", ())
        everyone = tuple(self._ids) if order == "all" else tuple(self._object(x, path) for x in order)
        return Choices(
            pays=tuple(
                (self._object(x, path), cost) for x, costs in said.get("pays", {}).items() for cost in _list(costs)
            ),
            mentor=self._pairs(said.get("mentor", {}), f"{path}.mentor"),
            provoke=self._pairs(said.get("provoke", {}), f"{path}.provoke"),
            keep=tuple(
                (self._player(p, f"{path}.keep"), self._object(x, f"{path}.keep"))
                for p, kept in said.get("keep", {}).items()
                for x in _list(kept)
            ),
            divide_in_order=everyone,
            blocker_order=self._orders(said, "blocker_order"),
            attacker_order=self._orders(said, "attacker_order"),
            divisions=tuple(self._division(one, f"{path}.divisions") for one in said.get("divisions", [])),
        )

    def _orders(self, said: Data, key: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
        path = f"board.choices.{key}"
        return tuple(
            (self._object(one, path), tuple(self._object(other, f"{path}.{one}") for other in others))
            for one, others in said.get(key, {}).items()
        )

    def _division(self, said: Data, path: str) -> Division:
        damage = {self._thing(name, f"{path}.damage"): amount for name, amount in said["damage"].items()}
        return Division(self._object(said["from"], f"{path}.from"), damage, said.get("step", "combat damage"))

    def _spell(self, said: Data, path: str) -> Spell:
        if said["id"] in self._ids or said["id"] in self._names:
            self._faults.append(f"{path}.id: {said['id']!r} is the name of another object or player")
        card = self._card({"types": [], **said}, path)
        self._ids[said["id"]] = None
        return Spell(
            id=said["id"],
            controller=self._player(said["controller"], f"{path}.controller"),
            name=card.name,
            kind=said.get("kind", "spell"),
            source=self._object(said["source"], f"{path}.source") if "source" in said else "",
            types=self._words(said, card, "types"),
            subtypes=self._words(said, card, "subtypes"),
            colors=self._words(said, card, "colors"),
            mana_value=said.get("mana_value", card.mana_value),
            wants=wants(said, card, self._card_of.get(said.get("source", ""))),
            targets=tuple(self._thing(one, f"{path}.targets") for one in said.get("targets", ())),
        )


def _list(said: str | Iterable[str]) -> tuple[str, ...]:
    return (said,) if isinstance(said, str) else tuple(said)
