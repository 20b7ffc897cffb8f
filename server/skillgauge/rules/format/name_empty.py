"""The `name` is empty.

## Why is this bad?
An empty name is as good as none: the specification asks for 1 to 64 characters, and most clients
skip the skill.

## Bad
````skill folder=release-notes
---
name:
description: Writes release notes from merged pull requests. Use when a release is prepared.
---
````

## Good
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
---
````

## Fix safety
The fix fills in the folder's name, which the specification wants there anyway.

## References
- https://agentskills.io/specification#name-field
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Fix, Severity, rule
from skillgauge.rules.format._edits import fill
from skillgauge.rules.format._names import at_root, is_legal, plain_name


@rule("F031", Severity.ERROR, spec=Severity.ERROR, fix="safe", needs={"folder"})
def name_empty(skill: Skill) -> Iterator[Finding]:
    """Report a name without any visible character, at its key."""
    value = skill.value("name")
    key = skill.key_span("name")
    if value is None or key is None or value.text.strip():
        return
    folder = skill.folder_name or ""
    fix = None
    if is_legal(folder) and not at_root(skill):
        fix = Fix(
            f"Fill in the folder’s name, “{folder}”", (fill(skill, value, plain_name(folder)),)
        )
    yield Finding(key, "“name” is empty; give the skill the name of its folder.", fix)
