"""The name says nothing of what the skill is about: “helper”, “utils”, “data”.

## Why is this bad?
The name stands beside the description wherever skills are listed, and is what people type. A name
that fits any skill helps neither them nor the agent.

## Bad
````skill
---
name: utils
description: Renames and sorts photographs. Use when a card is imported.
---
Sort them.
````

## Good
````skill
---
name: sort-photographs
description: Renames and sorts photographs. Use when a card is imported.
---
Sort them.
````

## References
- https://platform.claude.com/docs/en/agents-and-tools/agent-skills/best-practices
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule

_LISTED: Final = """
    helper helpers util utils utility utilities tool tools document documents data file files misc
    miscellaneous common general generic stuff things skill skills assistant my-skill new-skill
"""
_VAGUE: Final = frozenset(_LISTED.split())


@rule("D106", Severity.HINT)
def name_vague(skill: Skill) -> Iterator[Finding]:
    """Report a name that is one of the words, whole."""
    value = skill.value("name")
    if value and value.text.strip().lower().replace("_", "-") in _VAGUE:
        yield Finding(
            value.span, f"“{value.text}” fits any skill; name what it does or what it works on."
        )
