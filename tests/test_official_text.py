"""No official text is in the repository: the checker beside the data says so."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.official import DATA, needs_data

CHECKER = DATA.parent / "checks" / "official_text.py"


@needs_data
@pytest.mark.skipif(not CHECKER.is_file(), reason=f"no checker at {CHECKER}")
def test_the_repository_holds_no_official_text() -> None:
    root = Path(__file__).parent.parent
    run = subprocess.run([sys.executable, str(CHECKER), str(root)], capture_output=True, text=True, check=False)
    assert (run.stdout, run.returncode) == ("", 0)
