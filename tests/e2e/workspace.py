"""A workspace with two skills, and editors that run one check of their driver in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .processes import left_behind, marked

SECONDS = 100

DEMO = "---\nname: demo\ndescription: 😀é Sends: mail.\nargument-hint: [a] [b]\n---\n# Demo\n"
OTHER = """---
name: other
description: Makes charts. Not for mail. Use when numbers are to be seen.
---
# Other

Read [the guide](references/guide.md#setup). Mail is for `demo`.
"""
MENTION = "# Guide\n\n## Setup\n\nOf `other`: see ../../other/SKILL.md. Another, other.\n"


def make_workspace(tmp_path: Path) -> Path:
    """A repository with two skills."""
    root = tmp_path.resolve() / "repo"
    (root / ".git").mkdir(parents=True)
    for name, text in (
        ("demo/SKILL.md", DEMO),
        ("other/SKILL.md", OTHER),
        ("other/references/guide.md", MENTION),
        ("notes.md", "# Notes\n"),
    ):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def add_cases(workspace: Path) -> Path:
    """Write evaluation cases for the skill `other`, and return their file."""
    cases = [{"id": name, "prompt": "Draw it", "assertions": ["It is a chart"]} for name in "ab"]
    path = workspace / "other" / "evals" / "evals.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"skill_name": "other", "evals": cases}, indent=1))
    return path


def staged(folder: Path) -> Path:
    """Return a folder with a `skillgauge` whose lift runs are on a stage without containers."""
    server = Path(__file__).parents[1] / "lsp" / "lift_server.py"
    path = folder / "staged" / "skillgauge"
    path.parent.mkdir()
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{server}" "$@"\n')
    path.chmod(0o755)
    return path.parent


def drive(command: Sequence[str | Path], workspace: Path, home: Path, *first: Path) -> Any:
    """Run an editor with its driver and return the report; what it started must have ended.

    Commands are looked for in the folders `first`, before the product's own.
    """
    environment = marked()
    own = Path(sys.executable).parent
    environment |= {
        "PATH": os.pathsep.join([*map(str, (*first, own)), environment["PATH"]]),
        "SKILLGAUGE_DATA": str(home / "data"),
        "HOME": str(home / "home"),
        "XDG_STATE_HOME": str(home / "state"),
    }
    done = subprocess.run(
        command,
        env=environment,
        cwd=workspace,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    said = done.stderr.decode(errors="replace")
    assert left_behind(environment) == []
    assert done.returncode == 0, said
    report = json.loads(done.stdout.decode().splitlines()[-1])
    assert "error" not in report, f"{report['error']}\n{said}"
    return report
