"""The name holds other characters than lower-case letters, digits and hyphens.

## Why is this bad?
The name is the folder's name and the command's name; clients that check it skip the skill. The
format rules check the same by the letter of the specification, so this one is off by default and
part of the structural score (15 points off correctness).

## Bad
````skill
---
name: Resize_Images
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
````

## References
- https://agentskills.io/specification
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule

_GOOD: Final = re.compile(r"[a-z0-9-]+")


@rule("C005", None, aces=Severity.ERROR, deduction=("correctness", 15))
def name_charset(skill: Skill) -> Iterator[Finding]:
    """Report a name, as YAML 1.1 reads it, that has a character outside the set."""
    name = skill.aces.name
    if name and not _GOOD.fullmatch(name):
        yield Finding(
            skill.aces.value_span("name"),
            f"“{name}” is no valid name; use lower-case letters, digits and hyphens only.",
        )
