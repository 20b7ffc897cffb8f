"""The document has neither a section “## Prerequisites” nor “## Requirements”.

## Why is this bad?
What must be installed is better known before the first step. Most good skills need nothing, or say
so where it is needed, so the check is off by default and part of the structural score (5 points off
reliability).

## Bad
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
Run `magick in.png -resize 50% out.png`.
````

## Good
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
## Requirements

ImageMagick 7.
````
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule


@rule("R004", None, aces=Severity.INFO, deduction=("reliability", 5))
def prerequisites_missing(skill: Skill) -> Iterator[Finding]:
    """Look for the headings as pieces of text."""
    text = skill.aces.text
    if "## Prerequisites" not in text and "## Requirements" not in text:
        yield Finding(skill.head, "No section is called “## Prerequisites” or “## Requirements”.")
