"""The frontmatter has no `tags` under `metadata`.

## Why is this bad?
Catalogues sort skills by tags. Most public skills have none, so the check is off by default and
part of the structural score (5 points off correctness).

## Bad
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
Resize them.
````

## Good
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
metadata:
  tags: images
---
Resize them.
````
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule


@rule("C021", None, aces=Severity.WARNING, deduction=("correctness", 5))
def tags_missing(skill: Skill) -> Iterator[Finding]:
    """Look for the key; an empty value counts as none."""
    view = skill.aces
    if view.fields and view.metadata.get("tags") is None:
        yield Finding(skill.head, "The frontmatter has no “tags” under “metadata”.")
