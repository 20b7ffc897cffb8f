"""A skill with scripts has neither a section “## Available Scripts” nor a table of scripts.

## Why is this bad?
An agent finds a script faster in a list that says what each does. Naming the scripts where they are
used serves as well, so the check is off by default and part of the structural score (10 points off
correctness).

## Bad
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
Run `scripts/resize.py`.
````
````file scripts/resize.py
print("resized")
````

## Good
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
| Script | Purpose |
| --- | --- |
| `scripts/resize.py` | Resizes one picture |
````
````file scripts/resize.py
print("resized")
````
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule


@rule("C011", None, aces=Severity.WARNING, needs={"folder"}, deduction=("correctness", 10))
def scripts_undocumented(skill: Skill) -> Iterator[Finding]:
    """Look for the heading and for the head of a table."""
    view = skill.aces
    if view.kind not in ("script-based", "hybrid"):
        return
    if "## Available Scripts" not in view.text and "| Script |" not in view.text:
        yield Finding(
            skill.head,
            "The scripts are not listed; add “## Available Scripts” or a table with a column"
            " “Script”.",
        )
