"""The folder has a scripts directory that holds nothing which can be run.

## Why is this bad?
An agent that sees `scripts/` looks there for a program. Data and documents belong into `assets/` or
`references/`, and a directory left over from a template should go.

## Bad
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
Resize them.
````
````file scripts/sizes.json
{"small": 100}
````

## Good
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
Run scripts/resize.py.
````
````file scripts/resize.py
print("resized")
````
````file scripts/sizes.json
{"small": 100}
````

## References
- https://agentskills.io/specification
"""

from __future__ import annotations

import os.path
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule

# Only what is surely no program: any other ending, or none, may be one.
_NO_PROGRAM: Final = frozenset(
    {".md", ".mdx", ".txt", ".rst", ".adoc", ".pdf", ".docx", ".json", ".jsonl", ".yaml", ".yml"}
    | {".toml", ".ini", ".cfg", ".csv", ".tsv", ".xlsx", ".xml", ".svg", ".png", ".jpg", ".jpeg"}
    | {".gif", ".webp", ".ico", ".lock", ".log", ".gitkeep", ".gitignore"}
)


@rule("C009", Severity.HINT, needs={"folder"})
def scripts_empty(skill: Skill) -> Iterator[Finding]:
    """Look at the endings of all files below `scripts/`."""
    folder = skill.folder
    if folder is None or not folder.complete or "scripts" not in folder.directories:
        return
    inside = [path for path in folder.files if path.startswith("scripts/")]
    if all(_suffix(path) in _NO_PROGRAM for path in inside):
        what = f"only {os.path.basename(min(inside))}" if len(inside) == 1 else "no program"
        yield Finding(
            skill.head,
            f"scripts/ holds {what if inside else 'nothing'}; put programs there,"
            " and other files into assets/ or references/.",
        )


def _suffix(path: str) -> str:
    name = os.path.basename(path).lower()
    return os.path.splitext(name)[1] or name
