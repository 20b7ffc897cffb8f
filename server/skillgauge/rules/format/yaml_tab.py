r"""A tab indents a line of the frontmatter, which YAML does not allow.

## Why is this bad?
YAML counts blanks to see what belongs to what, and a tab has no width of its own. The parser stops
at it, and the whole block is lost.

## Bad
````skill escaped
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
metadata:
\u{9}team: docs
---
````

## Good
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
metadata:
  team: docs
---
````

## Fix safety
The fix puts two blanks in place of each tab that indents, and is offered only where the entry then
parses.

## References
- https://yaml.org/spec/1.2.2/#61-indentation-spaces
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.format._yaml import broken, consequence, mend


@rule("F015", Severity.ERROR, spec=Severity.ERROR, fix="safe", needs={"clients"}, reveals=True)
def yaml_tab(skill: Skill) -> Iterator[Finding]:
    """Report each broken entry with a tab before its fault, at the blanks that hold it."""
    for entry in broken(skill, "tab"):
        yield Finding(
            entry.at,
            "A tab indents this line, and YAML allows blanks alone." + consequence(skill),
            mend(entry, "Indent with blanks"),
        )
