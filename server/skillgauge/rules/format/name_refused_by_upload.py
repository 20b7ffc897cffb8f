"""The `name` holds “claude” or “anthropic” as a word, which an upload to claude.ai refuses.

## Why is this bad?
claude.ai, its Skills API and the packaging script for it don't take a skill with either word in its
name. No other client is known to mind, so this is a hint unless the upload is a target, and silent
where only other clients are targeted. Words that merely contain the letters are fine.

## Bad
````skill
---
name: claude-release-notes
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

## References
- https://platform.claude.com/docs/en/build-with-claude/skills-guide
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.format._clients import is_target, targets
from skillgauge.rules.format._names import name_of

_RESERVED: Final = re.compile(r"(?<![a-z0-9])(?:anthropic|claude)(?![a-z0-9])", re.IGNORECASE)


@rule("F037", Severity.HINT, needs={"clients"})
def name_refused_by_upload(skill: Skill) -> Iterator[Finding]:
    """Report the first reserved word of a name."""
    value = name_of(skill)
    match = _RESERVED.search(value.text) if value else None
    if value is None or match is None:
        return
    uploaded = is_target(skill, "claude-ai")
    if targets(skill) and not uploaded:
        return
    yield Finding(
        skill.find_in_value(value, *match.span()),
        f"An upload to claude.ai refuses a name with “{match[0]}” in it; leave the word out if the"
        " skill is to be uploaded.",
        level=Severity.ERROR if uploaded else None,
    )
