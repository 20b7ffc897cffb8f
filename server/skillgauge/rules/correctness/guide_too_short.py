"""A skill without scripts or resources has fewer than 20 lines with text.

## Why is this bad?
A few lines seldom tell an agent what it doesn't know already. Some of the best skills are that
short, so the check is off by default and part of the structural score (15 points off correctness).
All lines of the file count, the frontmatter's too.

## Bad
````skill
---
name: be-brief
description: Keeps answers short. Use when asked to be brief.
---
# Be brief

Answer in one sentence.
````

## Good
````skill
---
name: be-brief
description: Keeps answers short. Use when asked to be brief.
---
# Be brief

Answer in one sentence.

## Limits

1. No greeting.
2. No summary.
3. No apology.
4. No list where a sentence does.
5. No repetition of the question.
6. No offer of further help.

## Where more is needed

- Commands are given in full.
- Error messages are quoted in full.
- Warnings about data loss are never cut.
- Numbers keep their units.
- Names are spelled out once.
- Dates have a year.
````
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule

_FEWEST: Final = 20


@rule("C018", None, aces=Severity.WARNING, deduction=("correctness", 15))
def guide_too_short(skill: Skill) -> Iterator[Finding]:
    """Count the lines that are not blank."""
    view = skill.aces
    if view.kind == "guide-only" and len(view.lines) < _FEWEST:
        yield Finding(
            skill.head,
            f"The file has {len(view.lines)} lines with text, under {_FEWEST}; say more of how the"
            " task is done.",
        )
