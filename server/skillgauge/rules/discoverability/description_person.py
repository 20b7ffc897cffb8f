"""The description speaks of “your”, “my”, “I can”, “you should” and the like.

## Why is this bad?
The description becomes part of the agent's instructions, where “I” and “you” may be the agent, the
user or the skill. Most hits are harmless (“your repository”), so the check is off by default and
part of the structural score (15 points off discoverability). The rule `description-first-person`
reports the plain cases alone.

## Bad
````skill
---
name: resize-images
description: Resizes your images. Use when pictures are too large to send.
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
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.aces_view import terms
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule

_SPEAKS: Final = terms("i can", "i will", "you can", "you should", "your", "my", "we can")


@rule("D005", None, aces=Severity.WARNING, deduction=("discoverability", 15))
def description_person(skill: Skill) -> Iterator[Finding]:
    """Report the first of the words."""
    if match := _SPEAKS.search(skill.aces.description):
        yield Finding(
            skill.aces.value_span("description", match[0]),
            f"“{match[0]}” addresses someone; describe the skill in the third person.",
        )
