"""A reference has more than 300 lines and no table of contents at its top.

## Why is this bad?
Agents look at the first lines of a long file to decide whether to read on. Without a list of what
follows they miss the part that they need, or read all of it.

## Bad
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
For field types, read [the field guide](references/fields.md).
````
````file references/fields.md lines=400
# Fields

A text field takes what the user wrote.
````

## Good
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
For field types, read [the field guide](references/fields.md).
````
````file references/fields.md lines=400
# Fields

- [Text](#text)
- [Dates](#dates)
- [Choices](#choices)

## Text

A text field takes what the user wrote.
````

## References
- [Skill authoring best practices](https://platform.claude.com/docs/en/agents-and-tools/agent-skills/best-practices)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.links._siblings import is_markdown, read_sibling

MAX_LINES: Final = 300
_TOP: Final = 80
_CONTENTS: Final = re.compile(
    r"^#{1,6}[ \t]+\W*(?:(?:table of )?contents|toc|index|overview|outline|sections|what is in"
    r"|in this (?:file|document)|quick (?:links|navigation)|目录|目次)"
    r"|^\W*\**(?:table of )?contents\b|\[TOC\]|<!-- *toc",
    re.IGNORECASE | re.MULTILINE,
)
_JUMP: Final = re.compile(r"\]\(#")


@rule("L014", Severity.HINT, needs={"folder"})
def long_reference_without_contents(skill: Skill) -> Iterator[Finding]:
    """Report each long Markdown file where it is first named."""
    seen: set[str] = set()
    for reference in skill.references:
        target = reference.target
        if not target or not reference.exists or target in seen or not is_markdown(target):
            continue
        seen.add(target)
        text = read_sibling(skill, target)
        if not text or target == skill.file_name:
            continue
        lines = text.count("\n") + 1
        if lines > MAX_LINES and not _has_contents(text):
            yield Finding(
                reference.path_span,
                f"“{target}” has {lines:,} lines and no table of contents; list its sections at"
                " the top.",
            )


def _has_contents(text: str) -> bool:
    top = "\n".join(text.split("\n", _TOP)[:_TOP])
    return bool(_CONTENTS.search(top)) or len(_JUMP.findall(top)) >= 3
