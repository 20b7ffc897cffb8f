"""A frontmatter value holds a colon and is not quoted, so the YAML does not parse.

## Why is this bad?
To YAML, a colon followed by a blank begins a new key. The parser stops there, and most clients then
skip the whole skill without a word. Quoting the value keeps every character of it.

## Bad
````skill
---
name: deploy-preview
description: Deploys a preview: build, upload, post the link. Use when a pull request is opened.
---
````

## Good
````skill
---
name: deploy-preview
description: "Deploys a preview: build, upload, post the link. Use when a pull request is opened."
---
````
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Edit, Finding, Fix, Severity, rule


@rule(
    "F011",
    Severity.ERROR,
    spec=Severity.ERROR,
    aces=Severity.ERROR,
    fix="safe",
    reveals=True,
)
def yaml_unquoted_colon(skill: Skill) -> Iterator[Finding]:
    """Report each broken entry whose cause is a colon, at the colon."""
    if skill.frontmatter is None:
        return
    for entry in skill.frontmatter.broken:
        if entry.cause != "colon":
            continue
        fix = None
        if entry.repair is not None:
            edit = Edit(entry.repair.span, entry.repair.text)
            fix = Fix(f"Quote the value of “{entry.name}”", (edit,), safe=entry.repair.certain)
        yield Finding(
            entry.at,
            f"This colon ends the value of “{entry.name}” for YAML, so the frontmatter does not"
            " parse and clients skip the skill; put the value in quotes.",
            fix,
        )
