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


def drive(command: Sequence[str | Path], workspace: Path, home: Path) -> Any:
    """Run an editor with its driver and return the report; what it started must have ended."""
    environment = marked()
    own = str(Path(sys.executable).parent)
    environment |= {
        "PATH": os.pathsep.join([own, environment["PATH"]]),
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
