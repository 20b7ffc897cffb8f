"""The description has more than 200 characters.

## Why is this bad?
All descriptions stand in the agent's context all the time. But two of three public skills go over
200 characters, the specification allows 1,024, and a good trigger needs room: so the check is off
by default and part of the structural score (5 points off discoverability).

## Bad
````skill
---
name: resize-images
description: >
  Resizes images to a given width, height, share or file size, keeps their colour profile and their
  meta data, and writes the result beside the original. Use when pictures are too large to send, to
  print or to show on a page.
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

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule

_LONGEST: Final = 200


@rule("D002", None, aces=Severity.INFO, deduction=("discoverability", 5))
def description_long(skill: Skill) -> Iterator[Finding]:
    """Count the description's characters."""
    length = len(skill.aces.description)
    if length > _LONGEST:
        yield Finding(
            skill.aces.value_span("description"),
            f"The description has {length} characters, over {_LONGEST}; keep what tells an agent"
            " when to use the skill.",
        )
