"""The name holds the word “anthropic” or “claude”.

## Why is this bad?
Both words are reserved: claude.ai and the Skills API refuse to take such a skill. In the folder of
another client it works, so the check is off by default and part of the structural score (15 points
off correctness).

## Bad
````skill
---
name: claude-review
description: Reviews a change. Use when a pull request is opened.
---
Review it.
````

## Good
````skill
---
name: review-change
description: Reviews a change. Use when a pull request is opened.
---
Review it.
````

## References
- https://platform.claude.com/docs/en/agents-and-tools/agent-skills/overview
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.aces_view import terms
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule

_RESERVED: Final = terms("anthropic", "claude")


@rule("C006", None, aces=Severity.ERROR, deduction=("correctness", 15))
def name_reserved(skill: Skill) -> Iterator[Finding]:
    """Report the first reserved word."""
    if match := _RESERVED.search(skill.aces.name):
        yield Finding(
            skill.aces.value_span("name", match[0]),
            f"“{match[0]}” is a reserved word in names; choose another.",
        )
