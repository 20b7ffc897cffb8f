"""The document has no section “## Purpose”.

## Why is this bad?
A purpose helps a reader who opens the file. Agents have read the description by then and most good
skills go without, so the check is off by default and part of the structural score (5 points off
discoverability).

## Bad
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
# Resize images

Resize them.
````

## Good
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
# Resize images

## Purpose

Pictures that can be sent by mail.
````
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule


@rule("D007", None, aces=Severity.INFO, deduction=("discoverability", 5))
def purpose_missing(skill: Skill) -> Iterator[Finding]:
    """Look for the heading as a piece of text."""
    if "## Purpose" not in skill.aces.text:
        yield Finding(skill.head, "No section is called “## Purpose”.")
