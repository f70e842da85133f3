"""Knows what an answer is: yes, no or undetermined, with its proof, the rules it rests on, and what it does
not take into account."""

from __future__ import annotations

from dataclasses import dataclass, field

from kb.number import RuleNumber
from query.predicate.proof import Proof
from query.predicate.syntax import Fact

YES, NO, UNDETERMINED = "yes", "no", "undetermined"


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one question about one board.

    `found` are the ways in which a question with variables holds. `missing` says, for an undetermined answer, which
    facts or choices the board leaves open and what each would make of it. `not_encoded` are abilities that no fact
    states: the answer is relative to the rest. `branches` counts the ways of making open choices that were followed.
    """

    question: str
    value: str
    proof: Proof | None = None
    found: tuple[Fact, ...] = ()
    missing: tuple[str, ...] = ()
    not_encoded: tuple[str, ...] = ()
    edition: str = ""
    branches: int = 1
    declaration: Declaration | None = None
    assumed: tuple[Fact, ...] = field(default=())

    @property
    def proofs(self) -> tuple[Proof, ...]:
        """The proof and, of a declaration, those of everything else that it breaks or misses."""
        first = (self.proof,) if self.proof else ()
        beside = (*self.declaration.unlawful, *self.declaration.misses) if self.declaration else ()
        return tuple(dict.fromkeys((*first, *beside)))

    @property
    def citations(self) -> tuple[RuleNumber, ...]:
        """Every rule that the proofs rest on."""
        return tuple(dict.fromkeys(number for proof in self.proofs for number in proof.citations))

    def __bool__(self) -> bool:
        """Whether the answer is yes."""
        return self.value == YES


@dataclass(frozen=True, slots=True)
class Declaration:
    """What there is to say of a declaration of attackers or blockers.

    `unlawful` are proofs of each restriction it breaks; `obeyed` of the requirements it obeys, `optimum` the most that
    any legal declaration obeys (`proven` or not), `witness` one that does, `missed` what it obeys and this
    one does not, `misses` the proofs that it does not, `legal` legal declarations up to a cap.
    """

    made: tuple[Fact, ...]
    unlawful: tuple[Proof, ...]
    obeyed: int
    optimum: int
    proven: bool
    witness: tuple[Fact, ...]
    missed: tuple[Fact, ...]
    legal: tuple[tuple[Fact, ...], ...] = ()
    more: bool = False
    misses: tuple[Proof, ...] = ()
