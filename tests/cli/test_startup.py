"""What starting costs: counted in modules, which no load of the machine changes."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = (
    *("lsprotocol", "pygls", "pydantic", "yaml", "pyromark", "rich", "typer", "pathspec"),
    *("asyncio", "logging", "multiprocessing", "unittest", "json", "tomllib", "difflib"),
    *("skillgauge.rules", "skillgauge.engine", "skillgauge.clients", "skillgauge.lsp"),
)


def loaded(*words: str) -> set[str]:
    """Return the modules that a command line loads beyond those of a bare Python."""
    code = (
        "import sys\nbefore = set(sys.modules)\nfrom skillgauge.cli import main\n"
        f"main({list(words)!r})\nprint(*(set(sys.modules) - before), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


@pytest.mark.parametrize(
    ("words", "most"), [(["--help"], 75), (["--version"], 75), (["check", "--help"], 90)]
)
def test_help_is_cheap(words: list[str], most: int) -> None:
    found = loaded(*words)
    assert not found & set(HEAVY)
    assert len(found) <= most, sorted(found)
