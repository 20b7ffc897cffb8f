"""The document has none of the sections “## Troubleshooting”, “## Common Issues” and “## FAQ”.

## Why is this bad?
Known troubles with their cure save an agent the search. Good skills put the cure beside the step as
often, so the check is off by default and part of the structural score (5 points off reliability).

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

## Troubleshooting

“no decode delegate”: install the library for that format.
````
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule

_WANTED: Final = ("## Troubleshooting", "## Common Issues", "## FAQ")


@rule("R006", None, aces=Severity.INFO, deduction=("reliability", 5))
def troubleshooting_missing(skill: Skill) -> Iterator[Finding]:
    """Look for the headings as pieces of text."""
    if not any(heading in skill.aces.text for heading in _WANTED):
        yield Finding(
            skill.head, "No section is called “## Troubleshooting”, “## Common Issues” or “## FAQ”."
        )
