"""Nothing stands below the frontmatter.

## Why is this bad?
The body is what an agent reads once it has chosen the skill; without one there is nothing to
follow. Cline reports such a skill as faulty.

## Bad
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
---
<!-- to be written -->
````

## Good
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
---
Read the merged pull requests since the last tag and group them by label.
````
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule

_TEXT: Final = re.compile(r"\S")


@rule("F072", Severity.WARNING)
def empty_body(skill: Skill) -> Iterator[Finding]:
    """Report a body of blanks and comments, at the line that closes the frontmatter."""
    block = skill.frontmatter
    if block is None or not block.closed:
        return
    text = _TEXT.search(skill.source, skill.body.start)
    for comment in skill.markdown.comments if text else ():
        if text and comment.start == text.start():
            text = _TEXT.search(skill.source, comment.end)
    if text is None:
        yield Finding(
            block.closing or block.opening,
            "There is no text below the frontmatter, so the agent that opens the skill learns"
            " nothing.",
        )
