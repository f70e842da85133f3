"""Knows how a peers' case is written and turns it into a board: their names for keywords, players, attacks
and blocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from query.predicate.board import CardFacts

Case = Mapping[str, Any]
Cards = Mapping[str, CardFacts]

COLORS = {"w": "white", "u": "blue", "b": "black", "r": "red", "g": "green"}
EFFECTS = {
    "can_block_only_flying": "can block only creatures with flying",
    "cant_be_blocked_source": "can't be blocked",
    "cant_block": "can't block",
    "cant_attack": "can't attack",
    "daunt": "can't be blocked by creatures with power 2 or less",
    "unblockable": "can't be blocked",
    "can't be blocked": "can't be blocked",
}
PERMANENT = ("artifact", "battle", "creature", "enchantment", "kindred", "land", "planeswalker")


class Unclear(Exception):
    """The case leaves out a fact that its question needs; the message names the fact."""


def board_data(case: Case, cards: Cards) -> dict[str, Any]:
    """The board of a case, in the form of `board.schema.json`; what it leaves out, a card of that name brings.

    Raises `Unclear`.
    """
    players = _players(case)
    state = case.get("state") or {}
    battlefield = [one for thing in case["objects"] for one in _permanents(thing, cards)]
    attackers = _attacks(case, battlefield, players)
    blocks = _blocks(case, battlefield)
    active = _active(case, battlefield, attackers, players)
    ordered = [active, *(name for name in players if name != active)]
    _defended(case, attackers, ordered)
    return {
        "players": {name: _player(state, name) for name in ordered},
        "active": active,
        "step": "declare attackers",
        "battlefield": battlefield,
        "attacks": attackers,
        "blocks": blocks,
        "choices": _choices(state, battlefield),
    }


def _players(case: Case) -> list[str]:
    named = [thing["controller"] for thing in case["objects"]]
    for attack in case.get("attacks") or []:
        named += [attack[key] for key in ("player", "defender") if attack.get(key)]
    named += list((case.get("state") or {}).get("players", {}))
    expected = case["expect"] if isinstance(case["expect"], dict) else {}
    if case["ask"] == "turn result":
        named += [said["args"][0] for said in case["expect"] if said["kind"] in ("assertLife", "assertGraveyardCount")]
    named += [name for name in expected.get("damage_to_players", {}) if name != "defender"]
    named += [case["player"]] if "player" in case else []
    ids = {thing.get("id") for thing in case["objects"]}
    players = list(dict.fromkeys(name for name in named if name not in ids))
    return players if len(players) > 1 else [*players, "opponent" if players != ["opponent"] else "player"]


def _player(state: Mapping[str, Any], name: str) -> dict[str, int]:
    said = state.get("players", {}).get(name, {})
    return {"life": said.get("life", 20), "poison": said.get("poison", 0)}


def _permanents(thing: Case, cards: Cards) -> Iterator[dict[str, Any]]:
    count = thing.get("count", 1)
    stem = thing.get("id") or f"{thing['controller']} {thing['name']}"
    for number in range(count):
        yield {**_permanent(thing, cards), "id": f"{stem}:{number}" if count > 1 or "id" not in thing else stem}


def _permanent(thing: Case, cards: Cards) -> dict[str, Any]:
    keywords, effects = [], [EFFECTS.get(text, text) for text in thing.get("effects", [])]
    for text in thing.get("keywords", []):
        if text in EFFECTS:
            effects.append(EFFECTS[text])
        else:
            keywords.append(_keyword(text))
    said = thing["name"].split() if thing["types"] == ["?"] else thing["types"]
    types = [word.lower() for word in said if word.lower() in PERMANENT]
    card = cards.get(thing["name"])
    if card is not None and not thing.keys() & {"keywords", "effects"}:
        keywords, effects = list(card.keywords), list(card.effects)
    found: dict[str, Any] = {
        "name": thing["name"],
        "controller": thing["controller"],
        "types": types,
        "subtypes": thing.get("subtypes", []),
        "supertypes": [word.lower() for word in thing.get("supertypes", card.supertypes if card else ())],
        "colors": _colors(thing),
        "keywords": keywords,
        "effects": effects,
        "counters": thing.get("counters", {}),
        "damage": thing.get("damage", 0),
        "tapped": bool(thing.get("tapped")),
        "summoning_sick": bool(thing.get("summoning_sick")),
    }
    if thing.get("attached_to"):
        found["attached_to"] = str(thing["attached_to"])
    for key in ("power", "toughness", "loyalty", "defense"):
        if isinstance(thing.get(key), int):
            found[key] = thing[key]
    return found


def _keyword(text: str) -> str:
    words = text.replace("_", " ").lower()
    for keyword in ("protection", "hexproof"):
        words = words.replace(f"{keyword}:", f"{keyword} from ")
    return words


def _colors(thing: Case) -> list[str]:
    said = [word.lower() for word in (*thing.get("colors", []), *(thing.get("color") or []))]
    return [COLORS.get(word, word) for word in dict.fromkeys(said) if word != "colorless"]


def resolve(name: str, battlefield: list[dict[str, Any]], controller: str = "") -> str:
    """The id of the object that a case means by a name, an id, or `name:number`."""
    stem, _, number = name.partition(":")
    ids = [one["id"] for one in battlefield if not controller or one["controller"] == controller]
    if name in ids:
        return name
    named = [one["id"] for one in battlefield if one["name"] == stem and one["id"] in ids]
    if not named:
        raise Unclear(f"no object is called {name!r}")
    return named[int(number or 0)]


def _attacks(case: Case, battlefield: list[dict[str, Any]], players: list[str]) -> dict[str, str]:
    found = {}
    for attack in case.get("attacks") or []:
        attacker = resolve(attack["attacker"], battlefield, _owner(attack, battlefield))
        controller = next(one["controller"] for one in battlefield if one["id"] == attacker)
        said = attack.get("defender") or (attack.get("player") if attack.get("player") != controller else None)
        found[attacker] = said or next(name for name in players if name != controller)
    return found


def _owner(attack: Mapping[str, Any], battlefield: list[dict[str, Any]]) -> str:
    """The attacking player, where the case names one and not the player attacked."""
    player = attack.get("player", "")
    stem = attack["attacker"].partition(":")[0]
    return player if any(one["name"] == stem and one["controller"] == player for one in battlefield) else ""


def _blocks(case: Case, battlefield: list[dict[str, Any]]) -> dict[str, list[str]]:
    said = case.get("blocks") or {}
    pairs = [(b["blocker"], b["attacker"]) for b in said] if isinstance(said, list) else [
        (blocker, attacker) for attacker, blockers in said.items() for blocker in blockers
    ]  # fmt: skip
    owners = {b["blocker"]: b["player"] for b in said if "player" in b} if isinstance(said, list) else {}
    found: dict[str, list[str]] = {}
    for blocker, attacker in pairs:
        mine = resolve(blocker, battlefield, owners.get(blocker, ""))
        theirs = [one for one in battlefield if one["controller"] != owners.get(blocker)] if owners else battlefield
        found.setdefault(mine, []).append(resolve(attacker, theirs))
    return found


def _active(case: Case, battlefield: list[dict[str, Any]], attackers: Mapping[str, str], players: list[str]) -> str:
    """The player who controls the attackers."""
    names = [*attackers, *(resolve(x, battlefield) for x in _asked_attackers(case))]
    controllers = Counter(one["controller"] for one in battlefield if one["id"] in names)
    return (
        controllers.most_common(1)[0][0] if controllers else battlefield[0]["controller"] if battlefield else players[0]
    )


def _asked_attackers(case: Case) -> list[str]:
    found = [case["attacker"]] if "attacker" in case else []
    for step in case.get("steps", []):
        found.extend(step.get("attackers", []))
    return found


def _defended(case: Case, attackers: dict[str, str], players: list[str]) -> None:
    """An unnamed defender is the next player; a case about a planeswalker names none, and that is not clear."""
    for attacker, defender in attackers.items():
        if defender not in players and defender not in {thing.get("id") for thing in case["objects"]}:
            attackers[attacker] = players[1]
    walkers = any("Planeswalker" in thing["types"] for thing in case["objects"])
    if attackers and walkers and not any(attack.get("defender") or attack.get("player") for attack in case["attacks"]):
        raise Unclear("which player or planeswalker is attacked")


def _choices(state: Mapping[str, Any], battlefield: list[dict[str, Any]]) -> dict[str, Any]:
    ids = {one["id"] for one in battlefield}
    provoked = state.get("provoke_map", {})
    for attacker, target in provoked.items():
        if attacker not in ids or target not in ids:
            raise Unclear(f"which creature {attacker} provokes")
    return {"provoke": provoked, "mentor": state.get("mentor_map", {})}
