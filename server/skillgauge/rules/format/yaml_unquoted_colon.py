"""A frontmatter value holds a colon and is not quoted, so the YAML does not parse.

## Why is this bad?
To YAML, a colon followed by a blank begins a new key. The parser stops there, and the whole block
is lost: many clients then leave the skill out without a word. In quotes, every character of the
value is kept.

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

## Fix safety
The fix puts the value in quotes and is proved by reading it back. It is unsafe where a number sign
with blanks around it follows: that may begin a comment, which the quotes would make text.

## References
- https://agentskills.io/specification
- https://github.com/openai/codex/issues/8609
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.format._yaml import broken, consequence, mend


@rule("F011", Severity.ERROR, spec=Severity.ERROR, fix="mixed", needs={"clients"}, reveals=True)
def yaml_unquoted_colon(skill: Skill) -> Iterator[Finding]:
    """Report each broken entry whose cause is a colon, at the colon."""
    for entry in broken(skill, "colon"):
        yield Finding(
            entry.at,
            f"For YAML this colon ends the value of “{entry.name}”; put the value in quotes."
            + consequence(skill),
            mend(entry, f"Quote the value of “{entry.name}”"),
        )
