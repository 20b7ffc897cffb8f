"""The name holds what looks like an XML tag.

## Why is this bad?
Clients that list skills in XML would read the tag as their own. A name with such characters breaks
the format rules too, so this check is off by default and part of the structural score (15 points
off correctness).

## Bad
````skill
---
name: "<resize>"
description: Resizes images. Use when pictures are too large.
---
Resize them.
````

## Good
````skill
---
name: resize
description: Resizes images. Use when pictures are too large.
---
Resize them.
````
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.aces_view import find_tag
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule


@rule("C007", None, aces=Severity.ERROR, deduction=("correctness", 15))
def xml_in_name(skill: Skill) -> Iterator[Finding]:
    """Report the first tag."""
    if match := find_tag(skill.aces.name):
        yield Finding(
            skill.aces.value_span("name", match[0]),
            f"“{match[0]}” looks like an XML tag; a name has only letters, digits and hyphens.",
        )
