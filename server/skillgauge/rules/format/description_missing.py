"""The frontmatter has no `description`, by which agents choose a skill.

## Why is this bad?
Until an agent opens a skill, name and description are all that it sees. The specification requires
one, and most clients skip a skill without it. Claude Code takes the body's first paragraph instead,
so this is a hint where that is the only target.

## Bad
````skill
---
name: release-notes
---
# Release notes
````

## Good
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
---
# Release notes
````

## References
- https://agentskills.io/specification#description-field
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.format._absent import lacking
from skillgauge.rules.format._clients import every, names, where


@rule("F040", Severity.ERROR, spec=Severity.ERROR, needs={"clients"})
def description_missing(skill: Skill) -> Iterator[Finding]:
    """Report frontmatter without a description, at the opening line."""
    block = lacking(skill, "description")
    if block is None:
        return
    if every(skill, lambda client: client.needs_description is False):
        yield Finding(
            block.opening,
            "There is no “description”; the body’s first paragraph takes its place, and it seldom"
            " says when to use the skill.",
            level=Severity.HINT,
        )
        return
    needing = where(skill, lambda client: client.needs_description is True)
    who = (
        f"{names(needing)} {'need' if len(needing) > 1 else 'needs'}" if needing else "agents need"
    )
    yield Finding(
        block.opening,
        f"There is no “description”, which {who}; say what the skill does and when to use it.",
    )
