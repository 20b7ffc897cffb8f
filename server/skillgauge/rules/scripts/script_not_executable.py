"""The text runs a script by its own path, but the file is not executable.

## Why is this bad?
The shell answers “Permission denied”. Name the interpreter (`bash scripts/x.sh`), which also works
where installing loses the mode, or set the mode with `git update-index --chmod=+x`.

## Bad
````skill executable=scripts/other.sh
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
```bash
./scripts/fill.sh form.pdf
```
````
````file scripts/fill.sh
#!/bin/sh
echo filled
````

## Good
````skill executable=scripts/other.sh
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
```bash
bash scripts/fill.sh form.pdf
```
````
````file scripts/fill.sh
#!/bin/sh
echo filled
````
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.scripts._scripts import runs, runs_itself


@rule("T001", Severity.WARNING, needs={"folder"})
def script_not_executable(skill: Skill) -> Iterator[Finding]:
    """Report the first such command of each script, unless a `chmod` makes it executable."""
    files = skill.folder.files if skill.folder else None
    seen: set[str] = set()
    for reference in runs(skill):
        target = reference.target or ""
        if files is None or target in seen or not runs_itself(skill, reference):
            continue
        info = files.get(target)
        if info is None or info.executable or "chmod" in skill.source:
            continue
        seen.add(target)
        yield Finding(
            reference.path_span,
            f"“{target}” is not executable, so this command fails; name the interpreter or set the"
            " file's mode.",
        )
