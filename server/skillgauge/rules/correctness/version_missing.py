"""The frontmatter has no key `version`.

## Why is this bad?
A version tells which of two copies is the newer. The specification has no such key at the top level
and its validator refuses it, so the check is off by default and part of the structural score (5
points off correctness).

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
version: 1.2.0
---
Resize them.
````
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule


@rule("C019", None, aces=Severity.WARNING, deduction=("correctness", 5))
def version_missing(skill: Skill) -> Iterator[Finding]:
    """Look for the key; an empty value counts as none."""
    fields = skill.aces.fields
    if fields and fields.get("version") is None:
        yield Finding(skill.head, "The frontmatter has no “version”.")
