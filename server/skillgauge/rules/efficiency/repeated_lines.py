"""Fewer than 70 in 100 of the lines with text are distinct.

## Why is this bad?
Repeated lines cost context and say nothing new. Rows of dashes, closing brackets and fences repeat
in any long file, so the check is off by default and part of the structural score (10 points off
efficiency).

## Bad
````skill
---
name: say-please
description: Adds a please. Use when a mail is rude.
---
Say please.
Say please.
Say please.
Say please.
````

## Good
````skill
---
name: say-please
description: Adds a please. Use when a mail is rude.
---
Say please.
````
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule

_LEAST: Final = 0.7


@rule("E002", None, aces=Severity.INFO, deduction=("efficiency", 10))
def repeated_lines(skill: Skill) -> Iterator[Finding]:
    """Compare the number of distinct lines with the number of lines, both without blank ones."""
    lines = skill.aces.lines
    distinct = len(set(lines))
    if distinct < len(lines) * _LEAST:
        yield Finding(skill.head, f"Of {len(lines)} lines with text only {distinct} are distinct.")
