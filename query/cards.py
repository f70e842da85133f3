"""Knows how a card is looked up: by a name as people type it, with its faces, keywords, tags, legalities and
rulings.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property
from itertools import islice

from pyoxigraph import Literal, NamedNode

from kb.card_graph import search_key
from kb.tag import GROUPS
from kb.vocabulary import OA, SR
from query.card_edition import CardEdition
from query.card_entry import CardEntry, FaceEntry, FoundTag, FoundUse, KeywordRule
from query.errors import AmbiguousCard, NoCards, UnknownCard, did_you_mean
from query.keywords import KeywordLookup, is_text
from query.lookup import Lookup
from query.nodes import Nodes, Said, first
from query.rulings import Rulings

_STATUSES = (
    (SR.legalIn, "legal"),
    (SR.bannedIn, "banned"),
    (SR.restrictedIn, "restricted"),
    (SR.notLegalIn, "not legal"),
)
_CANDIDATES = 400  # names that hold what is wanted, looked at for the beginnings of words
_COMPARED = 30  # names that are compared letter by letter
_OFFERED = 4
_TOO_SHORT = 3  # what is shorter stands in too many names
_SHORT = 8
_ALIKE, _ALIKE_SHORT = 0.6, 0.7  # a short name with as many other letters is another name


class CardLookup:
    """Look-ups of cards in one store, their keywords resolved in one edition."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._nodes = Nodes(lookup.store, lookup.names)
        self.reading = CardEdition(lookup)
        self.rulings = Rulings(lookup, self._nodes, self.reading)
        self.keywords = KeywordLookup(lookup, self._nodes, self.rulings, self.reading)
        self._known_tags: dict[str, FoundTag] = {}

    def entry(self, name: str) -> CardEntry:
        """The card of that name, whole or of one face, in any case, accents and punctuation.

        Raises `UnknownEntry` with what was perhaps meant, `AmbiguousCard`, and `NoCards` where the store has none.
        """
        node = self.find(name)
        said = self._nodes.said(node, "cards")
        faces = tuple(self._faces(node))
        return CardEntry(
            name=said[SR.name][0],
            key=node.value.rpartition("/")[2],
            iri=node.value,
            edition=self._lookup.edition,
            layout=said[SR.layout][0],
            mana_value=first(said, SR.manaValue),
            color_identity=first(said, SR.colorIdentity),
            faces=faces,
            rules=self._rules(faces),
            tags=self._tags(node),
            legalities=tuple(sorted(self._legalities(said))),
            legalities_as_of=first(said, SR.legalityAsOf),
            rulings=self.rulings.on_card(node),
            read_by=self.reading.date,
        )

    def find(self, name: str) -> NamedNode:
        """The card that `name` names; raises as `entry` does."""
        if not is_text(name):
            raise UnknownCard(f"no card is called {name!r}: that is not text, some of its bytes are no UTF-8.")
        found = list(self._nodes.pointing(SR.nameKey, Literal(search_key(name)), "cards"))
        if len(found) > 1:
            whole = {node: self._name(node) for node in found}
            exact = [node for node, said in whole.items() if said.casefold() == name.strip().casefold()]
            full = exact or [node for node, said in whole.items() if search_key(said) == search_key(name)]
            if len(full) != 1:
                raise AmbiguousCard(name, sorted(whole.values()))
            found = full
        if not found:
            raise self._unknown(name)
        return found[0]

    def _unknown(self, name: str) -> UnknownCard | NoCards:
        names = self._keys
        if not names:
            return NoCards()
        wanted = search_key(name)
        close = self._holding(wanted) or [self._shortest(key) for key in _closest(wanted, names)]
        close = list(dict.fromkeys(close))[:_OFFERED]
        return UnknownCard(f"no card is called {name!r}.{did_you_mean(close)}", close)

    @cached_property
    def _keys(self) -> frozenset[str]:
        """The keys of all names of cards, read at once; kept, since a store never changes while it is open."""
        query = f"SELECT DISTINCT ?key {{ GRAPH {self._nodes.graph('cards')} {{ ?card {SR.nameKey} ?key }} }}"
        return frozenset(
            key.value for key in self._lookup.store.select(query).column("key") if isinstance(key, Literal)
        )

    def _shortest(self, key: str) -> str:
        return min((self._name(node) for node in self._nodes.pointing(SR.nameKey, Literal(key), "cards")), key=len)

    def _holding(self, wanted: str) -> list[str]:
        """Names in which a word, or several, begin as what is wanted does: those that begin with it first."""
        if len(wanted) < _TOO_SHORT:
            return []
        keys = sorted(
            (key for key in self._keys if wanted in key), key=lambda key: (not key.startswith(wanted), len(key), key)
        )
        names = (self._shortest(key) for key in keys[:_CANDIDATES])
        return list(islice((name for name in names if _begins_word(wanted, name)), _OFFERED))

    def _name(self, card: NamedNode) -> str:
        return self._nodes.said(card, "cards")[SR.name][0]

    def _faces(self, card: NamedNode) -> Iterator[FaceEntry]:
        nodes = [(self._nodes.said(node, "cards"), node) for node in self._nodes.pointing(SR.faceOf, card, "cards")]
        for said, node in sorted(nodes, key=lambda pair: int(pair[0][SR.position][0])):
            text = first(said, SR.text) or ""
            yield FaceEntry(
                name=said[SR.name][0],
                mana_cost=first(said, SR.manaCost),
                type_line=first(said, SR.typeLine),
                text=text or None,
                power=first(said, SR.power),
                toughness=first(said, SR.toughness),
                loyalty=first(said, SR.loyalty),
                defense=first(said, SR.defense),
                colors=first(said, SR.color),
                uses=tuple(sorted(self._uses(node, text), key=lambda use: (use.start, use.end))),
            )

    def _uses(self, face: NamedNode, text: str) -> Iterator[FoundUse]:
        for node in self._nodes.pointing(OA.hasSource, face, "keyword-uses"):
            said = self._nodes.said(node, "keyword-uses")
            start, end = int(said[OA.start][0]), int(said[OA.end][0])
            keyword = first(said, SR.keyword)
            if keyword is not None:
                concept = NamedNode(keyword)
                rule, family = self.keywords.rule(concept), self.keywords.family(concept)
            else:
                key = self.reading.key(NamedNode(said[SR.definedBy][0]))
                rule, family = KeywordRule(said[SR.flavorWord][0], key, "flavor word", ()), ()
            yield FoundUse(
                keyword=rule.keyword,
                number=rule.number,
                title=rule.title,
                origin=said[SR.origin][0],
                quote=text[start:end],
                start=start,
                end=end,
                parameter=first(said, SR.parameter),
                condition=first(said, SR.condition),
                recipient=first(said, SR.recipient),
                family=family,
            )

    def _rules(self, faces: tuple[FaceEntry, ...]) -> tuple[KeywordRule, ...]:
        """The rules of the keywords on the faces, each once, in order of appearance; not of actions that are only
        named.
        """
        found: dict[str, KeywordRule] = {}
        for face in faces:
            for use in face.uses:
                if use.origin not in ("flavor word", "reminder") and use.number not in found:
                    found[use.number] = self.keywords.rule_numbered(use.keyword, use.number)
        return tuple(found.values())

    def _tags(self, card: NamedNode) -> tuple[FoundTag, ...]:
        nodes = (quad.object for quad in self._lookup.store.quads(card, SR.tag, None, self._nodes.graph("tags")))
        found = [self._tag(node) for node in nodes if isinstance(node, NamedNode)]
        return tuple(sorted(found, key=_tag_order))

    def _tag(self, node: NamedNode) -> FoundTag:
        if node.value not in self._known_tags:
            said = self._nodes.said(node, "tags")
            rule = first(said, SR.definedBy)
            number = self.reading.key(NamedNode(rule)) if rule else None
            tag = FoundTag(said[SR.tagGroup][0], said[SR.name][0], number, first(said, SR.field))
            self._known_tags[node.value] = tag
        return self._known_tags[node.value]

    def _legalities(self, said: Said) -> Iterator[tuple[str, str]]:
        prefix = self._lookup.names.format("").value
        for predicate, status in _STATUSES:
            yield from ((iri.removeprefix(prefix), status) for iri in said.get(predicate, ()))


def _tag_order(tag: FoundTag) -> tuple[int, bool, str]:
    """By group; a whole mana cost before its symbols."""
    whole = tag.group == "mana cost" and tag.label.count("{") > 1
    return GROUPS.index(tag.group), not whole, tag.label


def _begins_word(wanted: str, name: str) -> bool:
    words = name.split()
    return any(search_key(" ".join(words[at:])).startswith(wanted) for at in range(len(words)))


def _closest(wanted: str, names: Collection[str]) -> list[str]:
    """The keys of names most like `wanted`; few are compared letter by letter, those of about its length that share
    most pairs of letters with it.
    """
    from difflib import get_close_matches
    from heapq import nlargest

    pairs = {wanted[at : at + 2] for at in range(len(wanted) - 1)}
    reach = max(2, len(wanted) // 4)
    near = [key for key in names if -reach <= len(key) - len(wanted) <= reach]
    least = _ALIKE if len(wanted) > _SHORT else _ALIKE_SHORT
    for begin in (wanted[:1], ""):  # most typing errors leave the first letter as it was
        begun = (key for key in near if key.startswith(begin))
        ranked = nlargest(_COMPARED, begun, key=lambda key: (len([pair for pair in pairs if pair in key]), key))
        if close := get_close_matches(wanted, ranked, _OFFERED, least):
            return close
    return []
