"""A skill with scripts does not mention `run_script`.

## Why is this bad?
`run_script` is the tool by which one company's agents start a bundled script. Elsewhere the word
means nothing, so the check is off by default; it is here because it is part of the structural score
(10 points off correctness).

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
Call `run_script` with `scripts/resize.py`.
````
````file scripts/resize.py
print("resized")
````
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule


@rule("C012", None, aces=Severity.WARNING, needs={"folder"}, deduction=("correctness", 10))
def run_script_missing(skill: Skill) -> Iterator[Finding]:
    """Look for the word anywhere in the file."""
    view = skill.aces
    if view.kind in ("script-based", "hybrid") and "run_script" not in view.text:
        yield Finding(skill.head, "The text does not say “run_script”, the tool that runs scripts.")
