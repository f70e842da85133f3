"""Knows how the keywords of a face are recognised: labels and lists first, then sentence by sentence, quoted
abilities within.

text -> lines -> label | keyword list | sentences -> KeywordUse
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from kb.card import Face, KeywordUse, Origin
from kb.clause import Context, Sense, ability_sense, action_sense, self_names
from kb.clause_subject import owner_of_quoted, says_quoted
from kb.keyword import Keywords, keyword_key
from kb.keyword_list import Item, keyword_list, lists_in_sentence
from kb.lexicon import Lexicon, Token, is_whole
from kb.parameter import Parameter
from kb.rules_text import Line, anchor_words, lines, masked, quotations, reminders, sentences

_NAMED = re.compile(r"\bnamed ([A-Z][\w'’-]*(?:,? (?:[A-Z][\w'’-]*|of|the|and|for|in|to|a))*)")
_SHORTHAND = re.compile(r"(?<=\S) and (?=from )|, (?:and )?(?=from )")
_BEGINNING = re.compile(r"(?:^|[:;—•\"'“\x00.!?(|,] ?)$")
_OWN_NAME = "\x01"


@dataclass(frozen=True, slots=True)
class _Passage:
    """A stretch of text to be read as rules, reminder text and names blanked out.

    `offset` is where it begins in `original`, the face's text; `quoted` says whether it is an ability in quotation
    marks, and then `given_to` who has it.
    """

    text: str
    offset: int
    context: Context
    original: str
    quoted: bool = False
    given_to: str | None = None


class Recogniser:
    """Recognises the keywords of one edition in the texts of cards; built once for all cards.

    >>> from kb.keyword import Keyword
    >>> from kb.number import RuleNumber
    >>> ward = Keyword("Ward", "ability", RuleNumber.parse("702.21"), forms=("[cost]",))
    >>> flying = Keyword("Flying", "ability", RuleNumber.parse("702.9"))
    >>> recogniser = Recogniser(Keywords("", (ward, flying)))
    >>> for use in recogniser.uses(Face("Ann", text="Flying, ward {2}\\nOther Elves you control have flying.")):
    ...     print(use.keyword, use.parameter, use.origin, use.recipient)
    Flying None printed None
    Ward {2} printed None
    Flying None granted Other Elves you control
    """

    def __init__(self, keywords: Keywords) -> None:
        self.keywords = keywords
        self._lexicon = Lexicon(keywords)

    def uses(self, face: Face) -> tuple[KeywordUse, ...]:
        """Every use of a keyword in the text of `face`, in order."""
        text = masked(face.text, _card_names(face), _OWN_NAME)
        anchors = anchor_words(face.text)
        selves = self_names(face.name, face.type_line) | {_OWN_NAME * len(face.name)}
        found: list[KeywordUse] = []
        for line in lines(text):
            found += self._label(line, anchors)
            found += self._passage(self._after_label(line, selves, face.text))
        return tuple(sorted(found, key=lambda use: (use.start, use.end)))

    def _label(self, line: Line, anchors: frozenset[str]) -> Iterator[KeywordUse]:
        """The words before a dash: an ability word, a keyword that an ability follows, or a flavor word."""
        if not line.label or line.label in anchors or self._takes_rest(line):
            return
        start, end = line.label_start, line.label_start + len(line.label)
        keyword = self.keywords.named(line.label)
        if keyword is not None and keyword.kind == "ability word":
            yield KeywordUse(start, end, keyword.name, keyword.rule, "ability word")
        elif keyword is not None and keyword.introduces_ability:
            origin: Origin = "conditional" if line.threshold else "printed"
            yield KeywordUse(start, end, keyword.name, keyword.rule, origin, condition=line.threshold or None)
        elif keyword_key(line.label) not in self.keywords.labels and self.keywords.flavor_words is not None:
            yield KeywordUse(start, end, line.label, self.keywords.flavor_words, "flavor word")

    def _takes_rest(self, line: Line) -> bool:
        """Whether the label is a keyword that the rest of the line is the parameter of ("Companion — Your deck
        ...").
        """
        keyword = self.keywords.named(line.label)
        if keyword is not None and (keyword.introduces_ability or keyword.kind != "ability"):
            return False
        if keyword is not None:
            return any(form.startswith("—") for form in keyword.forms)
        whole = f"{line.label} — {line.text}"
        return keyword_list(masked(whole, reminders(whole), " "), self._lexicon.tokens(whole)) is not None

    def _after_label(self, line: Line, selves: frozenset[str], original: str) -> _Passage:
        """What is to be read of a line: what follows its label, or all of it where that is a keyword's parameter."""
        threshold = line.threshold
        keyword = self.keywords.named(line.label) if line.label else None
        if keyword is not None and keyword.kind == "ability" and keyword.introduces_ability:
            threshold = threshold or line.label
        elif line.label and self._takes_rest(line):
            return _Passage(f"{line.label} — {line.text}", line.label_start, Context(selves, threshold), original)
        return _Passage(line.text, line.start, Context(selves, threshold), original)

    def _passage(self, passage: _Passage) -> Iterator[KeywordUse]:
        hidden = reminders(passage.text)
        yield from self._open_text(replace(passage, text=masked(passage.text, hidden, " ")))
        for start, end in hidden:
            inside = passage.text[start + 1 : end].removesuffix(")")
            for use in self._open_text(replace(passage, text=inside, offset=passage.offset + start + 1)):
                yield replace(use, origin="reminder", condition=None, recipient=None)

    def _open_text(self, passage: _Passage) -> Iterator[KeywordUse]:
        """The uses outside parentheses: a list of keywords, a list and sentences after it ("Crew 1. Activate only
        ..."), or sentences.
        """
        text = passage.text
        tokens = self._lexicon.tokens(text)
        if not tokens:
            return
        stop = len(text)
        listed = keyword_list(text, tokens)
        if listed is None and (stop := text.find(". ")) > 0:
            listed = keyword_list(text[:stop], [token for token in tokens if token.end <= stop])
        if listed is not None:
            yield from self._listed(listed, tokens, passage)
            hidden = [(0, min(stop + 2, len(text)))]
            passage = replace(passage, text=masked(text, hidden, " "))
            tokens = [token for token in tokens if token.start > stop]
        yield from self._sentences(passage, tokens)

    def _listed(self, items: list[Item], tokens: list[Token], passage: _Passage) -> Iterator[KeywordUse]:
        """The uses of a keyword list; a parameter that is a keyword itself is one too ("Modular—Sunburst")."""
        threshold = passage.context.threshold
        sense = Sense("conditional", threshold) if threshold else Sense("printed")
        for item in items:
            yield from _uses(item, passage, sense)
        for token in tokens:
            if token.keyword.kind == "ability" and passage.text[: token.start].endswith("—"):
                yield from _uses(Item(token, Parameter("", 0), token.start, token.end), passage, sense)

    def _sentences(self, passage: _Passage, tokens: list[Token]) -> Iterator[KeywordUse]:
        """The uses of each sentence, then those of the abilities in quotation marks."""
        quoted = quotations(passage.text) if tokens else []
        plain = masked(passage.text, [(start - 1, end + 1) for start, end in quoted], "\x00")
        for _, end in quoted:  # a sentence may end inside quotation marks
            if passage.text[end - 1] == "." and re.match(r" [A-Z]", passage.text[end + 1 :]):
                plain = f"{plain[:end]}.{plain[end + 1 :]}"
        tokens = [token for token in tokens if plain[token.start] != "\x00"]
        before: Sense | None = None
        for offset, sentence in sentences(plain) if tokens else ():
            end = offset + len(sentence)
            inside = [token.moved(-offset) for token in tokens if offset <= token.start < end]
            if not inside:
                continue
            context = Context(passage.context.selves, passage.context.threshold, plain[end:])
            inner = replace(passage, text=sentence, offset=passage.offset + offset, context=context)
            for items, sense in _senses(inner, inside, before):
                before = sense if sense.origin in ("conditional", "granted") else before
                for item in items:
                    yield from _uses(item, inner, sense)
        for start, end in quoted:
            yield from self._quoted(passage, plain, start, end)

    def _quoted(self, passage: _Passage, plain: str, start: int, end: int) -> Iterator[KeywordUse]:
        """The uses inside an ability in quotation marks, which is given to whoever the sentence says."""
        head = plain[plain.rfind(". ", 0, start) + 1 : start - 1]
        if says_quoted(head):
            return
        given_to = owner_of_quoted(head)
        context = Context(passage.context.selves | {"this creature", "this token", "this permanent"})
        said = _printed(given_to, head, passage, start - 1 - len(head))
        yield from self._passage(
            replace(
                passage,
                text=passage.text[start:end],
                offset=passage.offset + start,
                context=context,
                quoted=True,
                given_to=said,
            )
        )


def _senses(passage: _Passage, tokens: list[Token], before: Sense | None) -> Iterator[tuple[list[Item], Sense]]:
    """The keywords of one sentence, those of a list together, with what the sentence does with them."""
    sentence = passage.text
    for group in lists_in_sentence(sentence, [token for token in tokens if not _is_proper_name(token, sentence)]):
        first = group[0].token
        if first.keyword.kind == "action":
            sense = action_sense(sentence, first.start, first.end, first.keyword.key, first.form)
        else:
            sense = ability_sense(sentence, first.start, group[-1].end, passage.context, before)
        if sense is not None:
            if sense is not before:
                condition, recipient = (
                    _printed(said, sentence, passage) for said in (sense.condition, sense.recipient)
                )
                if before is not None and sense.recipient == before.recipient:
                    recipient = before.recipient  # as an earlier sentence said
                sense = Sense(sense.origin, condition, recipient)
            before = sense if sense.origin in ("conditional", "granted") else before
            yield group, sense


def _uses(item: Item, passage: _Passage, sense: Sense) -> Iterator[KeywordUse]:
    """The use that an item is; several where its parameter is shorthand for several abilities ("from black and
    from red").
    """
    keyword = item.token.keyword
    if passage.quoted and sense.origin in ("printed", "conditional"):
        sense = Sense("granted", sense.condition, passage.given_to)
    parameter = item.parameter.text or None
    if parameter and _OWN_NAME in parameter:
        parameter = _printed(parameter, passage.text, passage)
    use = KeywordUse(
        passage.offset + item.start,
        passage.offset + item.end,
        keyword.name,
        keyword.rule,
        sense.origin,
        parameter,
        sense.condition,
        sense.recipient,
    )
    shorthand = any("[quality A] and from" in form for form in keyword.forms)
    yield from _each_quality(use, parameter) if shorthand and parameter else (use,)


def _each_quality(use: KeywordUse, parameter: str) -> Iterator[KeywordUse]:
    cuts = [0, *(cut.end() for cut in _SHORTHAND.finditer(parameter)), len(parameter)]
    offset = use.end - len(parameter)
    for first, last in pairwise(cuts):
        said = re.sub(r",?(?: and)? $", "", parameter[first:last])
        start = use.start if first == 0 else offset + first
        yield replace(use, start=start, end=offset + first + len(said), parameter=said or None)


def _printed(said: str | None, blanked: str, passage: _Passage, at: int = 0) -> str | None:
    """A part of a text in which names and quotations are blanked out, as the face prints it.

    `at` is where that text begins in the passage.
    """
    start = blanked.find(said) if said else -1
    if said is None or start < 0:
        return None
    start += passage.offset + at
    return passage.original[start : start + len(said)]


def _is_proper_name(token: Token, sentence: str) -> bool:
    """Whether the word is capitalised where no sentence or instruction begins: a name, a creature type, a token's
    kind.
    """
    if not sentence[token.start].isupper() or token.keyword.name[:1] == "∞":
        return False
    return not _BEGINNING.search(sentence[max(token.start - 2, 0) : token.start])


def _card_names(face: Face) -> list[tuple[int, int]]:
    """The spans of the face's own name and of other cards' names, which may contain keywords ("a card named Storm
    Crow").
    """
    found = {named.span(1) for named in _NAMED.finditer(face.text)}
    at = face.text.find(face.name) if face.name else -1
    while at >= 0:
        end = at + len(face.name)
        if is_whole(face.text, at, end):
            found.add((at, end))
        at = face.text.find(face.name, end)
    return sorted(found)
