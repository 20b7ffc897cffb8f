"""The frontmatter has no `author` under `metadata`.

## Why is this bad?
An author is someone to ask. Most public skills name none, so the check is off by default and part
of the structural score (5 points off correctness).

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
  author: Ada Example
---
Resize them.
````
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule


@rule("C020", None, aces=Severity.WARNING, deduction=("correctness", 5))
def author_missing(skill: Skill) -> Iterator[Finding]:
    """Look for the key; an empty value counts as none."""
    view = skill.aces
    if view.fields and view.metadata.get("author") is None:
        yield Finding(skill.head, "The frontmatter has no “author” under “metadata”.")
