"""The section “## Instructions” or “## Usage” has no list.

## Why is this bad?
Steps in a list are followed one by one. Prose can be as clear, so the check is off by default and
part of the structural score (5 points off efficiency). Any “- ”, “* ” or “1.” in the section
counts.

## Bad
````skill
---
name: say-please
description: Adds a please. Use when a mail is rude.
---
# Say please

## Instructions

Add a please to every request.
````

## Good
````skill
---
name: say-please
description: Adds a please. Use when a mail is rude.
---
# Say please

## Instructions

1. Add a please to every request.
````
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule

_MARKS: Final = ("- ", "1.", "* ")


@rule("E004", None, aces=Severity.INFO, deduction=("efficiency", 5))
def instructions_not_list(skill: Skill) -> Iterator[Finding]:
    """Look for the marks of a list in the section."""
    if found := skill.aces.instructions:
        heading, text = found
        if text and not any(mark in text for mark in _MARKS):
            yield Finding(heading, "This section has no list; write the steps as one.")
