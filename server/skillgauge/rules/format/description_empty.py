"""The `description` is empty.

## Why is this bad?
Until an agent opens a skill, name and description are all that it sees. With an empty one no agent
has a reason to open it, and most clients skip the skill.

## Bad
````skill
---
name: release-notes
description: ""
---
````

## Good
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
---
````

## References
- https://agentskills.io/specification#description-field
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule


@rule("F041", Severity.ERROR, spec=Severity.ERROR)
def description_empty(skill: Skill) -> Iterator[Finding]:
    """Report a description without any visible character, at its key."""
    value = skill.value("description")
    key = skill.key_span("description")
    if value is None or key is None or value.text.strip():
        return
    yield Finding(key, "“description” is empty; say what the skill does and when to use it.")
