"""The document has no section “## Limitations”.

## Why is this bad?
Known limits keep an agent from trying what can't work. One public skill in nine has such a section,
so the check is off by default and part of the structural score (5 points off reliability).

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
---
Resize them.

## Limitations

Animated pictures lose their animation.
````
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule


@rule("R005", None, aces=Severity.INFO, deduction=("reliability", 5))
def limitations_missing(skill: Skill) -> Iterator[Finding]:
    """Look for the heading as a piece of text."""
    if "## Limitations" not in skill.aces.text:
        yield Finding(skill.head, "No section is called “## Limitations”.")
