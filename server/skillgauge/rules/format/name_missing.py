"""The frontmatter has no `name`, which the specification and most clients need.

## Why is this bad?
The name is what agents and people call the skill by. Codex, VS Code and most other clients skip a
skill without one. Claude Code and OpenClaw take the folder's name instead, so the rule is silent
where a workspace targets these alone; where no target is known it is a warning.

## Bad
````skill folder=release-notes
---
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
The fix inserts the folder's name, which is what clients that can do without a name take.

## References
- https://agentskills.io/specification#name-field
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Fix, Severity, rule
from skillgauge.rules.format._absent import lacking
from skillgauge.rules.format._clients import every, names, targets, where
from skillgauge.rules.format._edits import insert_first
from skillgauge.rules.format._names import at_root, is_legal, plain_name


@rule(
    "F030",
    Severity.ERROR,
    spec=Severity.ERROR,
    fix="safe",
    needs={"clients", "folder"},
)
def name_missing(skill: Skill) -> Iterator[Finding]:
    """Report frontmatter without a name where somebody needs one, at the opening line."""
    block = lacking(skill, "name")
    if block is None or every(skill, lambda client: client.needs_name is False):
        return
    needing = where(skill, lambda client: client.needs_name is True)
    folder = skill.folder_name or ""
    fix = None
    if is_legal(folder) and not at_root(skill) and block.closed:
        line = insert_first(skill, block, f"name: {plain_name(folder)}")
        fix = Fix(f"Insert the folder’s name, “{folder}”", (line,))
    who = names(needing) if needing else "the specification"
    yield Finding(
        block.opening,
        f"There is no “name”, which {who} {'need' if len(needing) > 1 else 'needs'}.",
        fix,
        level=None if needing or targets(skill) else Severity.WARNING,
    )
