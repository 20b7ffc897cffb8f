"""The `name` has more than 64 characters.

## Why is this bad?
The specification allows 64. Codex, VS Code, OpenCode and an upload to claude.ai don't take a skill
with a longer name. Claude Code has no such limit, so the rule is silent where that is the only
target.

## Bad
````skill
---
name: summarise-the-weekly-meeting-notes-of-the-platform-team-and-post-them
description: Summarises meeting notes. Use when the user pastes notes of a meeting.
---
````

## Good
````skill
---
name: meeting-notes
description: Summarises meeting notes. Use when the user pastes notes of a meeting.
---
````

## Fix safety
Where the folder has a shorter name that is right, the fix takes that. People may call the skill by
its old name, so the fix is unsafe.

## References
- https://agentskills.io/specification#name-field
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.format._clients import names, where
from skillgauge.rules.format._names import MAX_NAME, form_matters, name_of, rename_fix


@rule("F034", Severity.ERROR, spec=Severity.ERROR, fix="unsafe", needs={"clients", "folder"})
def name_too_long(skill: Skill) -> Iterator[Finding]:
    """Report the part of a name beyond the limit."""
    value = name_of(skill)
    if value is None or len(value.text) <= MAX_NAME or not form_matters(skill):
        return
    size = len(value.text)
    limiting = where(skill, lambda client: client.budget.name_max is not None)
    who = names(limiting) if limiting else "the specification and many clients"
    yield Finding(
        skill.find_in_value(value, MAX_NAME, size),
        f"The name has {size} characters, {size - MAX_NAME} more than {who}"
        f" {'allows' if len(limiting) == 1 else 'allow'}.",
        rename_fix(skill, value, ""),
    )
