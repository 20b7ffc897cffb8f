"""Something stands before the frontmatter, so most clients don't see it.

## Why is this bad?
Clients look for `---` at the very beginning of the file. After an empty line, a comment or a
heading they find none and skip the skill, while it looks right to its author and on the web.

## Bad
````skill
<!-- Maintained by the docs team -->
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
---
# Release notes
````

## Good
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
---
<!-- Maintained by the docs team -->
# Release notes
````

## Fix safety
Empty lines are removed, other lines are moved below the frontmatter. A code fence around the block
or the whole file is removed; that is unsafe where it is not clear which line closes it.

## References
- https://agentskills.io/specification
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.frontmatter import Frontmatter
from skillgauge.document.skill import Skill
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.rules.format._block import FENCE, blind, line_break
from skillgauge.text import Span


@rule("F003", Severity.ERROR, spec=Severity.ERROR, fix="mixed", needs={"clients"}, reveals=True)
def frontmatter_not_first(skill: Skill) -> Iterator[Finding]:
    """Report what stands before the frontmatter, or the opening line if that is blank."""
    block = skill.frontmatter
    if block is None or block.before.start == block.before.end:
        return
    before = skill.text.slice(block.before)
    if "<<<<<<<" in before:
        return  # merge-conflict has it
    if not before.strip():
        yield Finding(
            block.opening,
            "The frontmatter must begin on the first line; remove what is blank above it."
            + blind(skill),
            Fix("Remove the blank lines", (Edit(block.before, ""),)),
        )
        return
    start = block.before.start + len(before) - len(before.lstrip())
    text = Span(start, block.before.start + len(before.rstrip()))
    first = skill.text.line_span(skill.text.line_of(start))
    where = Span(start, min(first.end, text.end))
    if FENCE.match(skill.source, start):
        message = "This code fence hides the frontmatter, which must begin on the first line."
        yield Finding(where, message + blind(skill), _unwrap(skill, block))
        return
    kind = "comment" if before.lstrip().startswith("<!--") else "text"
    yield Finding(
        where,
        f"This {kind} stands before the frontmatter, which must begin on the first line; move it"
        " below." + blind(skill),
        _move(skill, block, text),
    )


def _move(skill: Skill, block: Frontmatter, text: Span) -> Fix | None:
    if not block.closed:
        return None
    new = line_break(skill)
    end = block.span.end
    gap = "" if skill.source[end - 1 : end] in ("\n", "\r") else new
    moved = Edit(Span(end, end), f"{gap}{skill.text.slice(text)}{new}")
    return Fix("Move it below the frontmatter", (Edit(block.before, ""), moved))


def _unwrap(skill: Skill, block: Frontmatter) -> Fix | None:
    """Remove the fence's two lines: the closing one is right below the block or the last of all."""
    lines = [skill.text.line_of(block.span.end), skill.text.line_of(len(skill.source.rstrip()))]
    for number, line in enumerate(lines):
        span = skill.text.line_span(line)
        if block.closed and FENCE.fullmatch(skill.text.slice(span).rstrip()):
            last = line + 1 == skill.text.line_count
            end = len(skill.source) if last else skill.text.starts[line + 1]
            edits = (Edit(block.before, ""), Edit(Span(span.start, end), ""))
            return Fix("Remove the code fence", edits, safe=number == 0)
    return None
