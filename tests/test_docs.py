"""What the README says is true: every command in it gives the output it shows, and every command is in it."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from query.cli import COMMANDS
from query.sparql.named import named_queries

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def sessions() -> list[tuple[str, str]]:
    """The commands of the README's console blocks with the output that follows each."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL):
        for command, output in re.findall(r"^\$ (.*?)\n(.*?)(?=^\$ |\Z)", block, re.DOTALL | re.MULTILINE):
            found.append((command, output))
    return found


@pytest.fixture(scope="module")
def surroundings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment with an empty home, in which `seerule` is this checkout's."""
    folder = tmp_path_factory.mktemp("readme")
    command = folder / "seerule"
    command.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m query.cli "$@"\n')
    command.chmod(0o755)
    return os.environ | {"PATH": f"{folder}:{os.environ['PATH']}", "SEERULE_HOME": str(folder / "home")}


def test_sessions_are_found() -> None:
    assert len(sessions()) >= 9


@pytest.mark.parametrize(("command", "output"), sessions())
def test_a_command_prints_what_the_readme_shows(command: str, output: str, surroundings: dict[str, str]) -> None:
    run = subprocess.run(
        command, shell=True, capture_output=True, text=True, env=surroundings, cwd=ROOT / "tests", check=False
    )
    printed = run.stdout + run.stderr
    assert doctest.OutputChecker().check_output(output, printed, doctest.ELLIPSIS), printed


def test_python_in_the_readme(surroundings: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEERULE_HOME", surroundings["SEERULE_HOME"])
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.attempted >= 2
    assert result.failed == 0


@pytest.mark.parametrize("name", [*COMMANDS])
def test_every_command_is_in_the_readme(name: str) -> None:
    assert f"seerule {name}" in README


@pytest.mark.parametrize("name", [*COMMANDS])
def test_every_command_has_help(name: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "query.cli", name, "--help"], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert run.returncode == 0
    assert f"Usage: seerule {name}" in run.stdout


def test_every_named_query_states_its_question() -> None:
    assert len(named_queries()) >= 13
    assert all(query.question.endswith("?") for query in named_queries().values())


def test_ci_runs_the_readmes_test_command() -> None:
    commands = re.findall(r"```sh\n(.*?)\n```", README, re.DOTALL)
    assert commands[1] == "bash tests/run"
    assert commands[1] in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_the_readmes_first_command_works_on_a_clean_copy(tmp_path: Path) -> None:
    """Installs into a new virtual environment from a copy of what git knows, and runs the main job."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], capture_output=True, text=True, cwd=ROOT, check=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / name)
    first = re.findall(r"```sh\n(.*?)\n```", README, re.DOTALL)[0]
    surroundings = os.environ | {"SEERULE_HOME": str(tmp_path / "home"), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    surroundings.pop("PYTHONPATH", None)
    run = subprocess.run(first, shell=True, capture_output=True, text=True, cwd=tmp_path, env=surroundings, check=False)
    assert run.returncode == 0, run.stderr
    assert "702.7 First Strike" in run.stdout
    assert "510 Combat Damage Step" in run.stdout
