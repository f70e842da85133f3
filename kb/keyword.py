"""Knows which keywords an edition has: abilities, actions and ability words, how each is written, and which is a
variant of which.

Everything is read from the edition's own headings, definitions, lists and glossary, so a new edition needs no new code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from kb.number import RuleNumber
from kb.rulebook import Rulebook
from kb.vocabulary import slug

Kind = Literal["ability", "action", "ability word"]

ABILITY_KINDS = ("static", "triggered", "activated", "spell")
"""What abilities a keyword can be or represent, in the order in which they are told."""

_CHAPTERS: dict[str, Kind] = {"keyword abilities": "ability", "keyword actions": "action"}
_ABILITY_WORDS = re.compile(r"The ability words are ([^.]+)\.")
_TYPES = re.compile(r"The (?:card types|supertypes) are ([^.]+)\.")
_VARIANT = re.compile(
    r"(?:^|[.”] )“?(?P<variant>[^“”.]+?)”? is a (?:(?:variant|special form) of|keyword ability that represents a)"
    r" (?:the )?(?P<family>[\w’' -]+?)(?= ability|[.,]| that)"
)
_LISTED = re.compile(r"The (?P<family>\w+) abilities are:? (?P<variants>[^.]+)\.")
_GENERIC = re.compile(r"“\[type\](?P<suffix>[a-z]{4,})", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\[[^\]]+\]|\b[NX]\b|—")


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword of one edition.

    `name` is written as the edition writes it in running text or its heading; `rule` the number that defines it;
    `broader` the key of the keyword that it is a variant of; `forms` what may follow the name, in the edition's
    notation (`N`, `[cost]`, `from [quality]`, `N—[cost]`); `suffix` the end of the words that a generic term stands
    for (`walk` for landwalk); `leading` whether the parameter comes before the name ("Goblin offering"); `abilities`
    what abilities the definition says that it is or represents (`static`, `triggered`, `activated`, `spell`).

    >>> Keyword("First Strike", "ability", RuleNumber.parse("702.7")).key
    'first strike'
    """

    name: str
    kind: Kind
    rule: RuleNumber
    broader: str | None = None
    forms: tuple[str, ...] = ()
    suffix: str = ""
    leading: bool = False
    abilities: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The name in lower case with straight apostrophes: what two spellings of one keyword have in common."""
        return keyword_key(self.name)

    @property
    def introduces_ability(self) -> bool:
        """Whether a whole ability follows the name and a dash ("Exhaust — {2}: Draw a card")."""
        return any(re.match(r"—.*\b(ability|effect)", form, re.IGNORECASE) for form in self.forms)


@dataclass(frozen=True)
class Keywords(Mapping[str, Keyword]):
    """The keywords of one edition by key.

    A name that a generic term covers ("desertwalk", "snow swampwalk") is found although no line of the edition
    lists it: `covered` makes the keyword for it. `types` are the card types and supertypes, which may stand before
    such a name; `labels` the words that the edition itself prints before a dash, as keys ("to solve"); `flavor_words`
    the number of the rule on flavor words.
    """

    edition: str
    listed: tuple[Keyword, ...]
    types: tuple[str, ...] = ()
    labels: frozenset[str] = frozenset()
    flavor_words: RuleNumber | None = None

    @cached_property
    def _by_key(self) -> dict[str, Keyword]:
        found: dict[str, Keyword] = {}
        for keyword in self.listed:
            found.setdefault(keyword.key, keyword)
        return found

    def __getitem__(self, key: str) -> Keyword:
        return self._by_key[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_key)

    def __len__(self) -> int:
        return len(self._by_key)

    @cached_property
    def generic(self) -> tuple[Keyword, ...]:
        """The generic terms: landwalk, typecycling."""
        return tuple(keyword for keyword in self._by_key.values() if keyword.suffix)

    def named(self, name: str) -> Keyword | None:
        """The keyword of that name, in any case, listed or covered by a generic term; None if the edition has none."""
        return self._by_key.get(keyword_key(name)) or self.covered(name)

    @cached_property
    def by_slug(self) -> dict[str, Keyword]:
        """The keywords by the last part of their address."""
        return {slug(key): keyword for key, keyword in self._by_key.items()}

    def covered(self, name: str) -> Keyword | None:
        """The keyword that a generic term of the edition makes of `name`, or None."""
        for family in self.generic:
            if re.search(rf"[a-z]{family.suffix}$", keyword_key(name)):
                return replace(family, name=name, broader=family.key, suffix="", forms=family.forms)
        return None

    def lineage(self, keyword: Keyword) -> tuple[Keyword, ...]:
        """The keyword and what it is a variant of, nearest first: basic landcycling, typecycling, cycling."""
        above = self._by_key.get(keyword.broader) if keyword.broader else None
        return (keyword,) if above is None else (keyword, *self.lineage(above))


def keyword_key(name: str) -> str:
    """A keyword's name in lower case with straight apostrophes.

    >>> keyword_key("Doctor’s Companion")
    "doctor's companion"
    """
    return name.replace("’", "'").casefold()


def keywords_of(rulebook: Rulebook) -> Keywords:
    """The keywords that the edition defines, names or lists, in the order of the book."""
    headed = [_with_suffix(keyword, rulebook) for keyword in _headed(rulebook)]
    known = {keyword.key: keyword for keyword in headed}
    for keyword in _variants(rulebook, headed):
        known.setdefault(keyword.key, keyword)
    for keyword in (*_glossary_variants(rulebook, known), *_ability_words(rulebook)):
        known.setdefault(keyword.key, keyword)
    types = tuple(dict.fromkeys(_types(rulebook)))
    return Keywords(rulebook.edition, tuple(known.values()), types, _labels(rulebook), _flavor_words(rulebook))


def _headed(rulebook: Rulebook) -> Iterator[Keyword]:
    """The headings of the chapters on keywords, each with the forms that its subrules write it in."""
    for chapter in rulebook.chapters:
        kind = _CHAPTERS.get(chapter.title.casefold())
        if kind is None or chapter.number is None:
            continue
        for number in rulebook.children.get(chapter.number, ()):
            heading = rulebook[number].heading
            for name in _names(heading, rulebook) if heading else ():
                definition = _definition(rulebook, number)
                forms = _forms(name, definition)
                leading = any(form.startswith("<") for form in forms)
                abilities = _abilities(definition) if kind == "ability" else ()
                yield Keyword(name, kind, number, None, forms, "", leading, abilities)


def _names(heading: str, rulebook: Rulebook) -> tuple[str, ...]:
    """The keywords that a heading names: two in "Daybound and Nightbound", the sign alone in "∞ (Infinity)"."""
    parts = heading.split(" and ")
    if len(parts) > 1:
        terms = {term.casefold() for entry in rulebook.glossary for term in entry.terms}
        if all(part.casefold() in terms for part in parts):
            return tuple(parts)
    return (re.sub(r" \([^)]*\)$", "", heading),)


def _definition(rulebook: Rulebook, number: RuleNumber) -> str:
    return "\n".join(rulebook[below].text for below in rulebook.children.get(number, ()))


def _forms(name: str, text: str) -> tuple[str, ...]:
    """What may follow `name` by the quoted and unquoted forms of its definition; `<` marks what comes before it."""
    written = re.escape(name)
    quoted = re.findall(rf"(?i)“{written}( ?[^“”]*[\[N—][^“”]*?)[.,]?”", text)
    plain = re.findall(rf"(?i)(?<!“)\b{written}( (?:\[[^\]]*\]|N)) means\b", text)
    before = re.findall(rf"(?i)“(\[[^\]]*\]) {written}\b[^”]*”", text)
    forms = [form.strip() for form in (*quoted, *plain) if _PLACEHOLDER.search(form)]
    forms = [re.sub(r"\s*—\s*", "—", form) for form in forms if not re.search(rf"(?i), {written}", form)]
    return tuple(dict.fromkeys((*forms, *(f"<{form}" for form in before))))


def _with_suffix(keyword: Keyword, rulebook: Rulebook) -> Keyword:
    """The keyword as a generic term, if its definition says that it is one ("[type]walk") and names no variant
    beside.
    """
    for number in rulebook.children.get(keyword.rule, ()):
        text = rulebook[number].text
        generic = _GENERIC.search(text)
        if generic is not None and not _VARIANT.search(text):
            return replace(keyword, suffix=generic["suffix"].casefold())
    return keyword


def _abilities(definition: str) -> tuple[str, ...]:
    """The kinds of ability that the first sentences of a definition name."""
    found = re.findall(r"(?<!its )\b(static|triggered|activated|spell|evasion) abilit", definition[:400])
    kinds = {"static" if kind == "evasion" else kind for kind in found}
    return tuple(kind for kind in ABILITY_KINDS if kind in kinds)


def _variants(rulebook: Rulebook, headed: list[Keyword]) -> Iterator[Keyword]:
    """The variants that the definitions of keyword abilities name, each with the subrule that does."""
    for family in headed:
        if family.kind != "ability":
            continue
        written: set[str] = {family.key}
        definition = _definition(rulebook, family.rule)
        for number in rulebook.children.get(family.rule, ()):
            text = rulebook[number].text
            for variant in _variants_in(text, family, number, definition):
                if variant.key not in written:
                    yield replace(variant, rule=_defining_subrule(variant, rulebook))
            written |= {_stem(form) for form in re.findall(r"“([^“”]+)”", text)}


def _variants_in(text: str, family: Keyword, number: RuleNumber, definition: str) -> Iterator[Keyword]:
    names = [said["variant"] for said in _VARIANT.finditer(text) if keyword_key(said["family"]) == family.key]
    for listed in _LISTED.finditer(text):
        if keyword_key(listed["family"]) == family.key:
            names += re.split(r",\s+(?:and\s+)?", listed["variants"])
    generic = _GENERIC.search(text)
    for name in names:
        stem = re.split(r"\s*(?:\[|—| [NX]$)", name)[0]
        suffix = generic["suffix"].casefold() if generic else ""
        forms = _forms(f"[Type]{suffix}" if suffix else stem, definition)
        yield Keyword(stem, "ability", number, family.key, forms, suffix, abilities=family.abilities)


def _defining_subrule(variant: Keyword, rulebook: Rulebook) -> RuleNumber:
    """Where the edition says what a variant that it names in a list means; the list itself if nowhere else."""
    family = variant.rule.parent
    for number in rulebook.children.get(family, ()) if family else ():
        text = rulebook[number].text
        if number != variant.rule and re.match(rf"(?i)“{re.escape(variant.name)}\b[^”]*” (?:means|represents)", text):
            return number
    return variant.rule


def _stem(form: str) -> str:
    """The words of a form before its first placeholder, as a key."""
    return keyword_key(_PLACEHOLDER.split(form)[0].strip(" ,."))


def _glossary_variants(rulebook: Rulebook, known: dict[str, Keyword]) -> Iterator[Keyword]:
    """The glossary's names for a keyword that it explains elsewhere: "Islandwalk: See Landwalk"."""
    for entry in rulebook.glossary:
        pointed = re.fullmatch(r"See ([^.,]+)\.", entry.text)
        family = known.get(keyword_key(pointed[1])) if pointed else None
        if family is not None and not entry.obsolete:
            yield Keyword(entry.name, family.kind, family.rule, family.key, family.forms, abilities=family.abilities)


def _ability_words(rulebook: Rulebook) -> Iterator[Keyword]:
    for rule in rulebook.rules:
        listed = _ABILITY_WORDS.search(rule.text)
        for name in re.split(r",\s+(?:and\s+)?", listed[1]) if listed else ():
            yield Keyword(name, "ability word", rule.number)


def _types(rulebook: Rulebook) -> Iterator[str]:
    for rule in rulebook.rules:
        listed = _TYPES.search(rule.text)
        yield from re.split(r",\s+(?:and\s+)?", listed[1]) if listed else ()


def _labels(rulebook: Rulebook) -> frozenset[str]:
    """What the edition's definitions print before a dash and a placeholder, and glossary terms that stand before
    one.
    """
    written = {label for rule in rulebook.rules for label in re.findall(r"“([^“”—\[\]]{1,30}?)\s*—\s*\[", rule.text)}
    dashed = {said for rule in rulebook.rules for said in re.findall(r"the word “(\w+)” and a long dash", rule.text)}
    return frozenset(map(keyword_key, written | dashed))


def _flavor_words(rulebook: Rulebook) -> RuleNumber | None:
    return next((rule.number for rule in rulebook.rules if re.search(r"(?i)\bflavor words appear\b", rule.text)), None)
