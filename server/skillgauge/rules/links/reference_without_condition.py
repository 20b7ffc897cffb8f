"""A list of references gives bare file names: neither what is in them nor when to read them.

## Why is this bad?
The agent decides by SKILL.md alone which files to open. From a name like `advanced.md` it cannot
tell, so it opens all of them or none. A few words behind the link are enough.

## Bad
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
## References

- [references/fields.md](references/fields.md)
````
````file references/fields.md
# Fields
````

## Good
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
## References

- [references/fields.md](references/fields.md): read it when a field repeats.
````
````file references/fields.md
# Fields
````
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.references import Reference
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.links._context import introduction

_MARKER: Final = re.compile(r"[ \t>]*(?:[-*+]|\d+[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_SAYS_MUCH: Final = re.compile(r"[^/_-]+[_-][^/_-]+[_-][^/]*\Z")
_WORD: Final = re.compile(r"[^\W_]{2,}")
_SAYS_WHEN: Final = re.compile(
    r"\b(?:when|if|for|before|after|while|during|whenever|needed|need|use|per|by|depending)\b|[:：—–]\s*$"
    r"|[^\x00-\x7f]",
    re.IGNORECASE,
)


@rule("L013", Severity.HINT, needs={"folder"})
def reference_without_condition(skill: Skill) -> Iterator[Finding]:
    """Report list items that are nothing but the path of a Markdown file, link text included."""
    for reference in skill.references:
        path = reference.path
        if not reference.exists or not path.lower().endswith(".md") or path == skill.file_name:
            continue
        if not _SAYS_MUCH.search(path) and _is_bare(skill, reference):
            yield Finding(
                reference.link.span if reference.link else reference.path_span,
                f"The list gives the name “{path}” alone; say in a few words what it"
                " holds and when to read it.",
            )


def _is_bare(skill: Skill, reference: Reference) -> bool:
    """Return whether the item holds the path and no word besides, nor does the line before."""
    text, line = skill.text, skill.text.line_of(reference.span.start)
    span = text.line_span(line)
    marker = _MARKER.match(skill.source, span.start, span.end)
    if marker is None:
        return False
    link = reference.link
    whole = link.span if link else reference.span
    if link and not _repeats(link.text, reference.path):
        return False
    rest = skill.source[marker.end() : whole.start] + skill.source[whole.end : span.end]
    following = text.line(line + 1) if line + 1 < text.line_count else ""
    if _WORD.search(rest) or (following.startswith((" ", "\t")) and following.strip()):
        return False
    return not _SAYS_WHEN.search(introduction(skill, line) or "")


def _repeats(shown: str, path: str) -> bool:
    name = path.rpartition("/")[2]
    return shown.strip("` ") in (path, name, name.removesuffix(".md"))
