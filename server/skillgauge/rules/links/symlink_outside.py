"""A file of the skill is a symbolic link that leads out of its folder, or nowhere.

## Why is this bad?
Copied, zipped or uploaded, the skill carries the link and not the file: the agent finds nothing, or
whatever lies there on the other machine. A link out of the folder is also a known way to make an
agent read files that it was not given. SKILL.md itself may be a link: one skill is then shared by
the folders of several clients.

## Bad
````skill outside=references/style.md
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
Follow [the house style](references/style.md).
````

## Good
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
Follow [the house style](references/style.md).
````
````file references/style.md
# House style
````
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Related, Severity, rule


@rule("L016", Severity.WARNING, needs={"folder"})
def symlink_outside(skill: Skill) -> Iterator[Finding]:
    """Report each such file where it is first named, else at the head."""
    if skill.folder is None:
        return
    for path, info in skill.folder.files.items():
        if not info.outside or path == skill.file_name:
            continue
        place = next((one.path_span for one in skill.references if one.target == path), skill.head)
        related = (
            (Related("The link", path=skill.path.parent / path),) if skill.path is not None else ()
        )
        yield Finding(
            place,
            f"“{path}” is a symbolic link out of the skill's folder; put the file itself there.",
            related=related,
        )
