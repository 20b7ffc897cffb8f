"""A text that the skill tells the agent to read is too large to be read whole.

## Why is this bad?
Agents read files in pieces of a few thousand lines, and some refuse a file of more than 256 KiB.
What stands behind the first piece is missed, and a whole file fills the context. Split the text by
topic, or let a script search it.

## Bad
````skill size=references/catalogue.md:900000
---
name: find-parts
description: Finds spare parts. Use when the user asks for a part number.
---
Look the part up in [the catalogue](references/catalogue.md).
````
````file references/catalogue.md
# Catalogue
````

## Good
````skill
---
name: find-parts
description: Finds spare parts. Use when the user asks for a part number.
---
Look the part up in [the catalogue of pumps](references/pumps.md).
````
````file references/pumps.md
# Pumps
````
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule

MAX_SIZE: Final = 256 * 1024
"""Bytes of a text file that are read at once; Claude Code's reading tool takes no larger file."""

_TEXTS: Final = (".md", ".markdown", ".mdx", ".txt", ".rst", ".adoc", ".org")


@rule("L011", Severity.WARNING, needs={"folder"})
def resource_too_large(skill: Skill) -> Iterator[Finding]:
    """Report links and mentions of texts over the limit, each file once."""
    if skill.folder is None:
        return
    seen: set[str] = set()
    for reference in skill.references:
        target = reference.target
        if not target or target in seen or not target.lower().endswith(_TEXTS):
            continue
        info = skill.folder.files.get(target)
        if info is not None and info.size > MAX_SIZE:
            seen.add(target)
            yield Finding(
                reference.path_span,
                f"“{target}” has {info.size // 1024:,} KiB, too much to read at once; split it by"
                " topic or tell the agent to search it.",
            )
