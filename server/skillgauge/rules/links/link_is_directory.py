"""A link leads to a folder where a file is expected.

## Why is this bad?
Reading a folder fails. The agent then has to list it and to guess which file you meant. Name the
file, or write a slash at the end to say that the folder itself is meant.

## Bad
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
The [field guide](references/fields) says what goes where.
````
````file references/fields/index.md
# Fields
````

## Good
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
The [field guide](references/fields/index.md) says what goes where.
````
````file references/fields/index.md
# Fields
````
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule


@rule("L007", Severity.HINT, needs={"folder"})
def link_is_directory(skill: Skill) -> Iterator[Finding]:
    """Report links to a folder that are written like links to a file."""
    folder = skill.folder
    if folder is None:
        return
    directories = folder.directories
    for reference in skill.references:
        if reference.link is None or reference.path.endswith(("/", "/.", "..")):
            continue
        target = reference.target
        if target and target in directories and target not in folder.files:
            inside = sorted(path for path in folder.files if path.startswith(target + "/"))
            first = f", for example “{inside[0]}”" if inside else ""
            yield Finding(
                reference.path_span,
                f"“{reference.path}” is a folder; link to the file that is meant{first}.",
            )
