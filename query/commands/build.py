"""Knows the commands that read official files: `build` and `audit`; the only place where query meets ingest."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kb.errors import SeeruleError
from kb.home import Home
from query.commands.options import home_option, json_option, print_json, settings, wants_json
from query.progress import progress_bar

if TYPE_CHECKING:
    from ingest.build import BuildReport

DOWNLOAD = "download"
"""Stands for the file that the publisher or Scryfall has now."""

_SHOWN = 10  # broken records told on the terminal; all of them stand in build.json


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE_OR_URL]...")
@click.option(
    "--cards",
    multiple=True,
    is_flag=False,
    flag_value=DOWNLOAD,
    metavar="[FILE_OR_URL]",
    help="Cards: Scryfall's oracle-cards or MTGJSON's AtomicCards; downloaded where no file is named.",
)
@click.option(
    "--rulings",
    multiple=True,
    is_flag=False,
    flag_value=DOWNLOAD,
    metavar="[FILE_OR_URL]",
    help="Rulings: Scryfall's rulings; downloaded where no file is named.",
)
@click.option("--offline", is_flag=True, help="Download nothing: use what an earlier build has kept.")
@click.option("--add", is_flag=True, help="Keep the editions that the store already holds.")
@click.option("--force", is_flag=True, help="Read a file even if its structure is broken.")
@click.option("--cite/--no-cite", default=True, help="Name the rules that each ruling rests on; takes minutes.")
@click.option("--semantic", is_flag=True, help="Read the rules for the extra `semantic`, for seerule cite; a minute.")
@home_option
@json_option
def build(
    files: tuple[str, ...],
    cards: tuple[str, ...],
    rulings: tuple[str, ...],
    offline: bool,
    add: bool,
    force: bool,
    cite: bool,
    semantic: bool,
) -> None:
    """Build the store from official files of the Comprehensive Rules, of any edition since 1999.

    Without a file the current edition is downloaded from the publisher; addresses are downloaded too. What was
    downloaded is kept, and fetched again only when it has changed.
    """
    from ingest.build import Inputs, build_home

    named: str | None = settings()["home"]
    home = Home(Path(named)) if named else Home.default()
    cache = home.path / "downloads"
    taken = {"oracle_cards": cards, "rulings": rulings}
    collected = {kind: tuple(_bulk(kind, name, cache, offline) for name in given) for kind, given in taken.items()}
    paths = tuple(_file(name, cache, offline) for name in files)
    if not paths and not (add and any(collected.values())):
        current = _current(home, cache, offline)
        if current is None and not any(collected.values()):
            return
        paths = (current,) if current is not None else ()
    from query.cite_rulings import cite_rulings, fingerprint

    infer, digest = (cite_rulings, fingerprint()) if cite else (None, "")
    inputs = Inputs(paths, add or not paths, force, None, collected["oracle_cards"], collected["rulings"], digest)
    report = build_home(inputs, home, _progress, infer)
    if semantic:
        _read_for_meaning(home)
    if wants_json():
        print_json(asdict(report) | {"current": report.current})
    else:
        _tell(report)


def _read_for_meaning(home: Home) -> None:
    """Keeps the meaning of the current edition's rules in the home, where citing finds it."""
    from query.knowledge_base import KnowledgeBase

    _progress("reading the rules for their meaning")
    with KnowledgeBase.open(home.path) as base:
        base.semantic = True
        base.cite("")


def _tell(report: BuildReport) -> None:
    """Prints what a build made."""
    for line in report.same:
        click.echo(line)
    done = "nothing to do: the store already holds" if report.unchanged else "built"
    for holding in report.holdings:
        found = sum(count for _, count in holding.findings)
        counts = f"{holding.rules} rules, {holding.glossary} glossary entries, {holding.references} references"
        click.echo(f"{done} the edition of {holding.edition}: {counts}, {found} findings")
    held = report.cards
    if held is not None:
        skipped = f", {len(held.broken)} broken records skipped" if held.broken else ""
        click.echo(f"{done} {held.cards:,} cards and {held.rulings:,} rulings, read by {held.edition}{skipped}")
        for line in held.broken[:_SHOWN]:
            click.echo(f"  {line}", err=True)
    click.echo(f"{report.quads} quads; the current edition is {report.current}")


def _current(home: Home, cache: Path, offline: bool) -> Path | None:
    """The current edition, from the publisher or from what was kept.

    None where it cannot be had and the home holds nothing better than the embedded outline: that then stands in.
    """
    from ingest.download import fetch_current_rules
    from kb.embedded import holds_outline, open_home

    home.prepare()
    try:
        with progress_bar("the current rules") as advance:
            fetched = fetch_current_rules(cache=cache, progress=advance, offline=offline)
    except SeeruleError as error:
        if home.current() is not None and not holds_outline(home):
            raise
        open_home(home).close()
        click.echo(f"{error}\nUntil then the embedded outline answers: numbers, headings and links, no text.", err=True)
        return None
    for note in fetched.notes:
        click.echo(note, err=True)
    return fetched.path


def _bulk(kind: str, name: str, cache: Path, offline: bool) -> Path:
    """A file of cards or of rulings: the one named, or Scryfall's newest."""
    if name != DOWNLOAD:
        return _file(name, cache, offline)
    from ingest.download import fetch_bulk

    with progress_bar(kind.replace("_", " ")) as advance:
        return fetch_bulk(kind, cache=cache, progress=advance, offline=offline).path


def _file(name: str, cache: Path, offline: bool) -> Path:
    """The path of a file that was named, downloaded first where an address was."""
    if "://" in name:
        from ingest.download import fetch

        with progress_bar(name) as advance:
            return fetch(name, cache=cache, progress=advance, offline=offline).path
    path = Path(name)
    if not path.is_file():
        raise SeeruleError(f"{name}: there is no such file; give the path of an official file")
    return path


def _progress(step: str) -> None:
    if sys.stderr.isatty():
        click.echo(step, err=True)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--expect", "expected", multiple=True, metavar="PART=COUNT", help="A count known from elsewhere: rules=3166."
)
@json_option
@click.pass_context
def audit(ctx: click.Context, file: Path, expected: tuple[str, ...]) -> None:
    """Print what is wrong with an official file: the publisher's slips, and faults that make it unusable.

    Exit status 1 where the structure is broken, so that `build` would refuse the file.
    """
    from ingest.audit import audit as examine
    from ingest.document import read_rulebook

    rulebook = read_rulebook(file.read_bytes(), file.name)
    findings = examine(rulebook, expected=_counts(expected))
    if wants_json():
        print_json({"edition": rulebook.edition, "file": file.name, "findings": [asdict(found) for found in findings]})
    else:
        for finding in findings:
            click.echo(f"{finding.kind}{' (broken)' if finding.broken else ''}: {finding}")
        click.echo(f"{file.name}, edition of {rulebook.edition}: {len(findings)} findings")
    ctx.exit(1 if any(finding.broken for finding in findings) else 0)


def _counts(expected: tuple[str, ...]) -> dict[str, int]:
    counts = {}
    for said in expected:
        part, _, count = said.partition("=")
        if part not in ("rules", "chapters", "glossary") or not count.isdigit():
            raise SeeruleError(f"--expect {said}: give rules=COUNT, chapters=COUNT or glossary=COUNT")
        counts[part] = int(count)
    return counts
