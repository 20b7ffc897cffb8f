"""The description has fewer than 20 characters.

## Why is this bad?
The description is all that an agent sees when it chooses a skill. Under 20 characters there is no
room for both what the skill does and when to use it.

## Bad
````skill
---
name: resize-images
description: Resizes images.
---
Resize them.
````

## Good
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large to send.
---
Resize them.
````

## References
- https://agentskills.io/skill-creation/optimizing-descriptions
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule

_SHORTEST: Final = 20


@rule("D001", None, aces=Severity.WARNING, deduction=("discoverability", 20))
def description_short(skill: Skill) -> Iterator[Finding]:
    """Count the description's characters."""
    length = len(skill.aces.description)
    if 0 < length < _SHORTEST:
        yield Finding(
            skill.aces.value_span("description"),
            f"The description has {length} characters; say what the skill does and when to use it.",
        )
