"""The frontmatter is so large that it is not read.

## Why is this bad?
Frontmatter holds a few short keys, of which the agent sees name and description. A block of this
size is text that belongs below it, or the line that closes it is missing.

## Bad
````skill times=2000
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
metadata:
  note: generated text, one line after the other
````

## Good
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
metadata:
  note: generated text, one line after the other
---
# Release notes
````
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.frontmatter import MAX_FRONTMATTER
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule


@rule("F004", Severity.ERROR)
def frontmatter_too_large(skill: Skill) -> Iterator[Finding]:
    """Report a block over the limit, at the line that opens it."""
    block = skill.frontmatter
    if block and block.too_large:
        size = block.inner.end - block.inner.start
        yield Finding(
            block.opening,
            f"The frontmatter has {size:,} characters and is not read beyond {MAX_FRONTMATTER:,};"
            " move its text below, or close it sooner.",
        )
