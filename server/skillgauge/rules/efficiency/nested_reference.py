"""A file in references/ links to another Markdown file.

## Why is this bad?
Agents often read a file that they reach by two steps only in part. References should be linked from
SKILL.md itself. The check counts a link of a file to itself as well, so it is off by default and
part of the structural score (10 points off efficiency).

## Bad
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
See [the options](references/options.md).
````
````file references/options.md
Formats are listed [elsewhere](formats.md).
````

## Good
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
See [the options](references/options.md) and [the formats](references/formats.md).
````
````file references/options.md
-resize takes a size.
````

## References
- https://agentskills.io/specification
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.local_links import first_markdown_link
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule


@rule("E007", None, aces=Severity.WARNING, needs={"folder"}, deduction=("efficiency", 10))
def nested_reference(skill: Skill) -> Iterator[Finding]:
    """Report the first file right in `references/` with such a link."""
    folder = skill.folder
    if folder is None:
        return
    for path in skill.aces.direct("references", ".md"):
        text = folder.read(path) if path in folder.files else None
        if text and (target := first_markdown_link(text, except_for="../skill.md")):
            yield Finding(
                skill.head, f"{path} links to {target}; link to that file from SKILL.md instead."
            )
            return
