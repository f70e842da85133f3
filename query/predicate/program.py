"""Knows a checked program: declarations, clauses and strata, read from rule files, and kept between runs by
their hash."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kb.errors import SeeruleError
from kb.number import RuleNumber
from kb.shipped import shipped
from query.predicate.check import check
from query.predicate.fitting import check_facts
from query.predicate.strata import Stratum
from query.predicate.syntax import (
    Choice,
    Clause,
    Declaration,
    Fact,
    Objective,
    Requirement,
    Statement,
    literals,
)

Cited = Clause | Choice | Requirement | Objective
"""What cites a rule."""


class ProgramError(SeeruleError):
    """A program that cannot be used; one line a fault, each with file, line and column."""


class FactError(SeeruleError):
    """A board states facts that the program has no place for."""


@dataclass(frozen=True, slots=True)
class Program:
    """Everything the rule files say, in order, checked."""

    declarations: Mapping[str, Declaration]
    clauses: tuple[Clause, ...]
    choices: tuple[Choice, ...]
    requirements: tuple[Requirement, ...]
    objectives: tuple[Objective, ...]
    strata: tuple[Stratum, ...]
    _needs: Mapping[str, frozenset[str]] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, statements: Sequence[Statement], rules: Container[RuleNumber] | None = None) -> Program:
        """The program of parsed statements. Raises `ProgramError` with every fault; `rules`: see `check`."""
        faults, strata = check(statements, rules)
        if faults:
            raise ProgramError("\n".join(faults))
        return cls.checked(statements, strata)

    @classmethod
    def checked(cls, statements: Iterable[Statement], strata: tuple[Stratum, ...]) -> Program:
        """The program of statements known to be without fault."""
        kept = tuple(statements)
        clauses = tuple(s for s in kept if isinstance(s, Clause))
        return cls(
            {s.name: s for s in kept if isinstance(s, Declaration)},
            clauses,
            tuple(s for s in kept if isinstance(s, Choice)),
            tuple(s for s in kept if isinstance(s, Requirement)),
            tuple(s for s in kept if isinstance(s, Objective)),
            strata,
            _needs(clauses),
        )

    @property
    def cited(self) -> tuple[Cited, ...]:
        """Everything that cites a rule."""
        return (*self.clauses, *self.choices, *self.requirements, *self.objectives)

    @property
    def statements(self) -> tuple[Statement, ...]:
        """Every statement: declarations first."""
        return (*self.declarations.values(), *self.cited)

    def needed(self, wanted: Iterable[str]) -> frozenset[str]:
        """The predicates that `wanted` rest on, themselves included.

        A stage is passed on by clauses of other predicates, so what the stages rest on comes along as its clauses say.
        """
        found: set[str] = set()
        waiting = list(wanted)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting.extend(self._needs.get(name, ()))
        return frozenset(found)

    def check_facts(self, facts: Iterable[Fact]) -> None:
        """Raises `FactError` that lists what the program has no place for."""
        faults = list(dict.fromkeys(check_facts(facts, self.declarations)))
        if faults:
            more = f"\nand {len(faults) - 20} more" if len(faults) > 20 else ""
            raise FactError("\n".join(faults[:20]) + more)


def parse(text: str, file: str = "rules", rules: Container[RuleNumber] | None = None) -> Program:
    """The program of one text.

    Raises `RuleFileError` for what does not parse and `ProgramError` for what makes no sense.

    >>> parse("predicate p(x: word).\\nrule 100.1 game: p(X) if q(X).")
    Traceback (most recent call last):
    query.predicate.program.ProgramError: rules:2:26: no predicate 'q' is declared
    """
    from query.predicate.language import Reader

    return Program.of(Reader().statements(text, file), rules)


def shipped_rules() -> list[Path]:
    """The rule files that come with seerule, in order."""
    return sorted(shipped("rules").glob("*.rules"))


def load(extra: Iterable[Path] = (), rules: Container[RuleNumber] | None = None, cache: Path | None = None) -> Program:
    """The shipped rule files and the `extra` ones as one program.

    What was parsed and checked before is read from the folder `cache` by the hash of its text. Raises `ProgramError`,
    `RuleFileError`, or `SeeruleError` for a file that cannot be read.
    """
    from query.predicate.rule_cache import keep, kept

    texts = [(path.name, _text(path)) for path in (*shipped_rules(), *extra)]
    program = kept(cache, texts)
    if program is None:
        from query.predicate.language import Reader

        reader = Reader()
        program = Program.of([s for name, text in texts for s in reader.statements(text, name)], rules)
        keep(cache, texts, program)
    elif rules is not None:
        _cited(program, rules)
    return program


def _cited(program: Program, rules: Container[RuleNumber]) -> None:
    faults = [
        f"{part.place}: the edition has no rule {part.cites}" for part in program.cited if part.cites not in rules
    ]
    if faults:
        raise ProgramError("\n".join(faults))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SeeruleError(f"{path}: cannot be read as a rule file ({error})") from None


def _needs(clauses: Iterable[Clause]) -> dict[str, frozenset[str]]:
    needs: dict[str, set[str]] = {}
    for clause in clauses:
        wanted = needs.setdefault(clause.head.predicate, set())
        wanted.update(literal.atom.predicate for literal, _ in literals(clause.premises))
    return {name: frozenset(found) for name, found in needs.items()}
