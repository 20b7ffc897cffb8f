"""A link leads out of the skill's folder with `../`.

## Why is this bad?
A skill is installed as a folder: copied, zipped, uploaded or fetched without what lies around it.
The link works in your repository and nowhere else, and nobody sees it break. A link to the SKILL.md
of another skill of the workspace is left alone.

## Bad
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
Read [the house style](../../docs/style.md) before you fill in free text.
````

## Good
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
Read [the house style](references/style.md) before you fill in free text.
````
````file references/style.md
# House style
````

## References
- [Specification: file references](https://agentskills.io/specification#file-references)
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from skillgauge.document.references import Reference
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule


@rule("L004", Severity.HINT, needs={"workspace"})
def link_leaves_folder(skill: Skill) -> Iterator[Finding]:
    """Report links that climb out of the folder, but not those to a skill beside this one."""
    seen: set[str] = set()
    for reference in skill.references:
        path = reference.path
        if not reference.escapes or reference.link is None or "\\" in path or path in seen:
            continue
        seen.add(path)
        other = _other_skill(skill, reference)
        if other is None:
            yield Finding(
                reference.path_span,
                f"“{path}” lies outside the skill's folder, so it is missing where the skill is"
                " installed alone; copy the file into the skill.",
            )
        elif other is False:
            yield Finding(
                reference.path_span,
                f"No skill of this workspace lies at “{path}”; correct the path or name the skill.",
                level=Severity.WARNING,
            )


def _other_skill(skill: Skill, reference: Reference) -> bool | None:
    """Return True for a link into another skill, False if that skill is known not to be there.

    None means that the link is none of that kind.
    """
    workspace, names_skill = skill.workspace, reference.path.endswith("/SKILL.md")
    if workspace is None or skill.path is None:
        return True if names_skill else None
    aim = Path(os.path.normpath(skill.path.parent / reference.path))
    around = {str(aim), *map(str, aim.parents)}
    if any(os.path.dirname(other.path) in around for other in workspace.others(skill)):
        return True
    if not names_skill:
        return None
    root = workspace.root
    return not (root is not None and len(workspace.skills) > 1 and aim.is_relative_to(root))
