"""The document has neither a section “## Instructions” nor “## Usage”.

## Why is this bad?
A fixed heading lets a tool find the steps. Agents read the whole text and most good skills call
that section otherwise, so the check is off by default.

## Bad
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
## What to do

Resize them.
````

## Good
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
## Instructions

Resize them.
````
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, rule

_WANTED: Final = re.compile(r"\b(?:instructions|usage)\b", re.IGNORECASE)


@rule("C024", None)
def instructions_missing(skill: Skill) -> Iterator[Finding]:
    """Look for a heading, of any level, with one of the words."""
    if next(skill.markdown.find_sections(_WANTED), None) is None:
        yield Finding(skill.head, "No section is called “Instructions” or “Usage”.")
