"""Knows whom a clause of a card's text is about: the subject of a verb of having, the token that is made."""

from __future__ import annotations

import re

TOKEN = re.compile(
    r"(?:.*\b(?:creates?|puts?)\b(?P<what>.*\btokens?\b.*)$|.*?\btokens? (?:that's|that are|enters?))", re.IGNORECASE
)
_MAIN_VERB = re.compile(
    r"(?<!that )(?<!who )(?<!which )"
    r"\b(?:gets?|gains?|has|have|is|are|isn't|aren't|becomes?|loses?|creates|can't|can|enters?|phases? out"
    r"|each (?:get|gain|have))\b"
)
_ADVERB = re.compile(r" (?:perpetually|also|each|both|still|instead|permanently) $")
_CLAUSE_START = re.compile(r"[:;] |, |— |\bthen |\bexcept |\"|^")
CAUSE = re.compile(r"^(?:When|Whenever|At)\b")
_IMPERATIVE = re.compile(
    r"^(?:(?:and|then|instead|also|you may|may) )*(?:put|untap|tap|sacrifice|gain|remove|exile|attach|create|conjure"
    r"|return|choose|prevent|destroy|draw|discard|goad|regenerate|transform|convert|exchange|double|reveal|turn)\b",
    re.IGNORECASE,
)
_OWN_SUBJECT = re.compile(
    r"^(?P<before>.+?),? and (?P<subject>it|they|you|he|she|(?:that|those|this) [\w'’-]+(?: [\w'’-]+)?"
    r"|each of (?:them|those [\w'’-]+))(?P<rest> .*)$",
    re.IGNORECASE,
)
_LETTING = re.compile(
    r"^(?:(?:and|then) )?(?:you|they|he or she|that player|its controller) (?:may|can) have ", re.IGNORECASE
)
_JOINING = re.compile(r"^(?:(?:and|or|then|both|instead)(?: |$))+", re.IGNORECASE)
_CONTRACTED = re.compile(r"^(it|they|he|she|you)['’](?:s|re)\b.*$", re.IGNORECASE)
_GIVING = re.compile(r"\b(?:gains?|has|have)\b(?!.*\b(?:gains?|has|have)\b)")
_COSTING = re.compile(r" costs? an additional $")
SUBORDINATE = re.compile(r"\b(?:as long as|while|unless|if|when(?:ever)?|until|where)\b", re.IGNORECASE)


def recipient_of(head: str) -> str:
    """Who is given what follows `head`, the sentence up to a verb of having or to "with".

    It is the subject of the last clause that has one: "gets +1/+0, gains flying" has one subject, "put a counter on
    that creature and it gains flying" has its own, "you may have it gain flying" gives to what you may have.

    >>> recipient_of("{1}{R}: Target creature gets +1/+0 and ")
    'Target creature'
    >>> recipient_of("until then, your score can't change and you "), recipient_of("you may have this land ")
    ('you', 'this land')
    """
    subject = _subject(head[subject_start(head) :])
    return _CONTRACTED.sub(r"\1", subject)


def subject_start(head: str) -> int:
    """Where the last clause of `head` that has a subject begins."""
    start = _clause_start(head)
    while start > 0 and not _subject(head[start:]) and head[:start].endswith(", "):
        start = _clause_start(head[: start - 2])
    return start


def _subject(clause: str) -> str:
    clause = _LETTING.sub("", clause)
    own = _OWN_SUBJECT.match(clause)
    while own is not None and (_MAIN_VERB.search(own["before"]) or _IMPERATIVE.match(own["before"])):
        clause = own["subject"] + own["rest"]
        own = _OWN_SUBJECT.match(clause)
    verb = _MAIN_VERB.search(clause)
    subject = _ADVERB.sub("", clause[: verb.start()] if verb else clause)
    return _JOINING.sub("", subject.strip(" ,"))


def owner_of_quoted(head: str) -> str | None:
    """Who has the ability in quotation marks that follows `head`: the token that is made with it, or who is given it.

    >>> owner_of_quoted("Create a 1/1 black Rat creature token with deathtouch and ")
    'a 1/1 black Rat creature token'
    >>> owner_of_quoted("It has trample, haste, and ")
    'It'
    """
    token = TOKEN.search(head[sentence_part(head) :])
    if token:
        return token_in(token)
    giving = _GIVING.search(head)
    return recipient_of(head[: giving.start()] if giving else re.sub(r" with $", " ", _COSTING.sub("", head))) or None


def says_quoted(head: str) -> bool:
    """Whether what follows `head` in quotation marks is said by somebody and no ability."""
    return bool(re.search(r"\bsays?\b[^.,]*$", head))


def token_in(made: re.Match[str]) -> str:
    """The token, as the sentence words it without what it has, that `TOKEN` found."""
    return re.split(r" with\b", (made["what"] or "token").strip())[0].strip()


def sentence_part(head: str) -> int:
    """Where the part of the sentence that does something begins: after a cost or a trigger."""
    colon = head.rfind(": ")
    return colon + 2 if colon >= 0 else 0


def _clause_start(head: str) -> int:
    """Where the last clause of `head` begins; a subject that is itself a list ("You, X, and Y") is kept whole."""
    starts = [found.end() for found in _CLAUSE_START.finditer(head)] or [0]
    at = len(starts) - 1
    while at > 0 and head[starts[at] :].startswith(("and ", "or ", "and/or ")) and head[: starts[at]].endswith(", "):
        previous = head[starts[at - 1] : starts[at]]
        if _MAIN_VERB.search(previous) or _IMPERATIVE.match(previous) or SUBORDINATE.match(previous):
            break
        at -= 1
        while at > 0 and head[: starts[at]].endswith(", ") and not breaks(head[starts[at - 1] : starts[at]]):
            at -= 1
    return starts[at]


def breaks(piece: str) -> bool:
    """Whether a piece between commas is a clause of its own and no part of a list."""
    return bool(
        _MAIN_VERB.search(piece)
        or _IMPERATIVE.match(piece)
        or SUBORDINATE.match(piece)
        or CAUSE.match(piece)
        or re.match(r"(?:and )?until ", piece) is not None
    )
