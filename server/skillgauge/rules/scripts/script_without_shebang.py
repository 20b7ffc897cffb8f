"""The text runs a script by its own path, but its first line names no interpreter.

## Why is this bad?
Without `#!` the system does not know what to run the file with: most shells take it for a shell
script, and a Python file then fails in its first line in odd ways.

## Bad
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
```bash
./scripts/fill.py form.pdf
```
````
````file scripts/fill.py
import sys
````

## Good
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
```bash
./scripts/fill.py form.pdf
```
````
````file scripts/fill.py
#!/usr/bin/env python3
import sys
````
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.scripts._scripts import at_line, read_script, runs, runs_itself


@rule("T002", Severity.WARNING, needs={"folder"})
def script_without_shebang(skill: Skill) -> Iterator[Finding]:
    """Report the first such command of each script."""
    seen: set[str] = set()
    for reference in runs(skill):
        target = reference.target or ""
        if target in seen or not runs_itself(skill, reference):
            continue
        seen.add(target)
        text = read_script(skill, target)
        if text and not text.startswith("#!"):
            yield Finding(
                reference.path_span,
                f"“{target}” has no “#!” line, so the system can't tell what runs it; name the"
                " interpreter or add the line.",
                related=at_line(skill, target, 1, 0, "The first line"),
            )
