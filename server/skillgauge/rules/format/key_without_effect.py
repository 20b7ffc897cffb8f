"""A key in common use stands at the top level, where the specification doesn't have it.

## Why is this bad?
Keys such as `version`, `author`, `tags` or `triggers` are written by habit, and hardly any client
reads them. What is a remark about the skill belongs under `metadata`, which the specification has
for that; what is meant to change what an agent does belongs where agents look. All this is a hint,
and an error where a target refuses the skill because of it. It is silent where a target reads
the key.

## Bad
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
author: Ada
---
````

## Good
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
metadata:
  author: Ada
---
````

## Fix safety
The fix moves the key below `metadata`, as a text and with its comments. It is safe where the
targets are known and none of them reads the key; otherwise somebody may read it where it stands.
Lists become one text with commas, which is unsafe.

## References
- https://agentskills.io/specification#metadata-field
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.nodes import Scalar
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Fix, Severity, rule
from skillgauge.rules.format._clients import refusal, targets
from skillgauge.rules.format._edits import into_metadata
from skillgauge.rules.format._keys import OddKey, odd_keys


@rule("F052", Severity.HINT, spec=Severity.ERROR, fix="mixed", needs={"clients"})
def key_without_effect(skill: Skill) -> Iterator[Finding]:
    """Report each common key that no target reads, at the key."""
    aimed = targets(skill)
    for odd in odd_keys(skill, "common"):
        convention = odd.convention
        read = any(client in odd.readers for client in aimed)
        if convention is None or (read and not odd.refusing):
            continue
        if odd.refusing:
            begin = refusal(odd.refusing, odd.key)
        elif odd.readers:
            begin = f"Hardly any client reads “{odd.key}” at the top level."
        else:
            begin = f"No known client reads “{odd.key}” at the top level."
        move = "Move it below “metadata”." if convention.under_metadata else ""
        yield Finding(
            odd.entry.key_span,
            f"{begin} {convention.advice or move}",
            _move(skill, odd, known=bool(aimed)) if convention.under_metadata else None,
            level=Severity.ERROR if odd.refusing else None,
        )


def _move(skill: Skill, odd: OddKey, *, known: bool) -> Fix | None:
    edits = into_metadata(skill, skill.frontmatter, odd.entry) if skill.frontmatter else None
    if edits is None:
        return None
    read = any(client in odd.readers for client in targets(skill))
    safe = known and not read and isinstance(odd.entry.value, Scalar)
    return Fix(f"Move “{odd.key}” below “metadata”", edits, safe)
