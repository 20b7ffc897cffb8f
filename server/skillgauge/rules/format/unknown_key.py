"""A key that no known client reads is refused by a client that the workspace targets.

## Why is this bad?
The specification has six keys, and an upload to claude.ai refuses a skill with any other. Elsewhere
keys are an open world: whoever invents one may have a reader for it, so the rule is silent unless a
target refuses unknown keys or the `spec` profile asks for the specification alone.

## Bad
````skill clients=claude-ai
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
moon-phase: full
---
````

## Good
````skill clients=claude-ai
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
metadata:
  moon-phase: full
---
````

## Fix safety
The fix moves the key below `metadata`. Something unknown may read it where it stands, so the fix is
unsafe.

## References
- https://agentskills.io/specification#frontmatter
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Fix, Severity, rule
from skillgauge.rules.format._clients import refusal
from skillgauge.rules.format._edits import into_metadata
from skillgauge.rules.format._keys import odd_keys


@rule("F053", Severity.ERROR, spec=Severity.ERROR, fix="unsafe", needs={"clients"})
def unknown_key(skill: Skill) -> Iterator[Finding]:
    """Report each key that nobody knows and a target refuses."""
    for odd in odd_keys(skill, "unknown"):
        if not odd.refusing or skill.frontmatter is None:
            continue
        edits = into_metadata(skill, skill.frontmatter, odd.entry)
        fix = Fix(f"Move “{odd.key}” below “metadata”", edits, safe=False) if edits else None
        advice = "Move it below “metadata” or leave it out."
        yield Finding(odd.entry.key_span, f"{refusal(odd.refusing, odd.key)} {advice}", fix)
