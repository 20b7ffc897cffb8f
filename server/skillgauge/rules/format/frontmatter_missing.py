"""The file has no frontmatter.

## Why is this bad?
Name and description are all that an agent sees before it opens a skill, and both stand in the
frontmatter. Most clients skip a skill without one. Claude Code takes the folder's name and the
first paragraph instead, so this is a hint where that is the only target.

## Bad
````skill folder=release-notes
# Release notes

Writes release notes from merged pull requests. Use when a release is prepared.
````

## Good
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
---
# Release notes
````

## Fix safety
Where the keys are there and only the opening line is missing or mistyped, the fix mends that line.
Otherwise it writes a block with the folder's name and the body's first paragraph, as Claude Code
reads such a file; it is unsafe, as that paragraph seldom says when to use the skill.

## References
- https://agentskills.io/specification
- https://code.claude.com/docs/en/skills
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.document.yaml_repair import quote
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.rules.format._block import blind, is_good, line_break, unneeded
from skillgauge.rules.format._names import at_root, is_legal, plain_name
from skillgauge.text import Span

_OPENING: Final = re.compile(r"(?:[-–—_*+]{2,}[\w ]*)(?=[\r\n])")
_KEY: Final = re.compile(r"[a-z][\w-]*:[ \t]")
_MAX_DESCRIPTION: Final = 1024


@rule(
    "F001",
    Severity.ERROR,
    spec=Severity.ERROR,
    fix="mixed",
    needs={"clients", "folder"},
    reveals=True,
)
def frontmatter_missing(skill: Skill) -> Iterator[Finding]:
    """Report a file without frontmatter, at its first line with text."""
    if skill.frontmatter is not None:
        return
    top = skill.body.start
    text = skill.source[top:]
    blank = len(text) - len(text.lstrip())
    line = skill.text.line_span(skill.text.line_of(top + blank))
    span = Span(max(line.start, top), line.end)
    if not text.strip():
        yield Finding(Span(top, top), "The file is empty." + blind(skill))
    elif unneeded(skill):
        yield Finding(
            span,
            "There is no frontmatter; the folder’s name and the first paragraph take its place,"
            " which seldom say when to use the skill.",
            _written(skill),
            level=Severity.HINT,
        )
    else:
        message = "There is no frontmatter; begin the file with “---”, name, description, “---”."
        fix = _opened(skill, top + blank)
        if fix:
            message = "The frontmatter has no opening line “---”."
        yield Finding(span, message + blind(skill), fix or _written(skill))


def _opened(skill: Skill, start: int) -> Fix | None:
    """Mend the line that should open a block, if a whole block then stands there."""
    top = skill.body.start
    match = _OPENING.match(skill.source, start)
    if match is None and not _KEY.match(skill.source, start):
        return None
    opening = Span(top, match.end() if match else start)
    line = "---" if match else f"---{line_break(skill)}"
    if not is_good(line + skill.source[opening.end :]):
        return None
    title = f"Write “---” instead of “{match[0]}”" if match else "Insert the line “---”"
    return Fix(title, (Edit(opening, line),))


def _written(skill: Skill) -> Fix | None:
    """Write a block from what the file says, if that makes a good one."""
    folder = skill.folder_name or ""
    if not skill.markdown.paragraphs or not is_legal(folder) or at_root(skill):
        return None
    words = " ".join(skill.text.slice(skill.markdown.paragraphs[0]).split())
    if len(words) > _MAX_DESCRIPTION or "<" in words:
        return None
    new = line_break(skill)
    block = f"---{new}name: {plain_name(folder)}{new}description: {quote(words)}{new}---{new}"
    top = skill.body.start
    if not is_good(block):
        return None
    title = "Write frontmatter from the folder’s name and the first paragraph"
    return Fix(title, (Edit(Span(top, top), block),), safe=False)
