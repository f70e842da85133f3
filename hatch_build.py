"""Knows the browser parts of the pages, and puts them from npm into the package: as a build hook, or as a script.

    python hatch_build.py        # for a checkout that is worked in

Without npm, or without a network, the package is built without them; every page works then too.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # as a script, outside a build
    BuildHookInterface = object

PARTS = {
    "@zazuko/yasqe/build/yasqe.min.js": "yasqe.min.js",
    "@zazuko/yasqe/build/yasqe.min.css": "yasqe.min.css",
    "cytoscape/dist/cytoscape.min.js": "cytoscape.js",
    "cytoscape/LICENSE": "cytoscape.LICENSE.txt",
    "swagger-ui-dist/swagger-ui-bundle.js": "swagger-ui-bundle.js",
    "swagger-ui-dist/swagger-ui.css": "swagger-ui.css",
    "swagger-ui-dist/LICENSE": "swagger-ui.LICENSE.txt",
    "swagger-ui-dist/NOTICE": "swagger-ui.NOTICE.txt",
}
"""Files below `node_modules`, and what they are called below `/static/vendor/`."""

WITHOUT = "SEERULE_WITHOUT_BROWSER_PARTS"
"""Set this to build without them on purpose."""


def fetch(root: Path) -> str:
    """Puts the parts where the pages find them, as the lock file pins them; the reason where that cannot be done."""
    vendor = root / "query" / "web" / "static" / "vendor"
    npm = shutil.which("npm")
    if os.environ.get(WITHOUT):
        return f"{WITHOUT} is set"
    if not all((root / "node_modules" / part).is_file() for part in PARTS):
        if npm is None:
            return "npm is not installed"
        command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
        ran = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
        if ran.returncode:
            return f"npm ci failed: {ran.stderr.strip()[-300:]}"
    vendor.mkdir(parents=True, exist_ok=True)
    for part, name in PARTS.items():
        source = root / "node_modules" / part
        if source.is_file():
            text = source.read_text(encoding="utf-8")
            kept = [line for line in text.split("\n") if "sourceMappingURL=" not in line or len(line) > 500]
            (vendor / name).write_text("\n".join(kept), encoding="utf-8")
    return ""


class BrowserParts(BuildHookInterface):  # type: ignore[misc]
    """The hook that hatch calls before it builds a wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Fetches the parts, and says so where it cannot."""
        if reason := fetch(Path(self.root)):
            self.app.display_warning(f"building without the browser parts: {reason}")


if __name__ == "__main__":
    sys.exit(fetch(Path(__file__).parent) or 0)
