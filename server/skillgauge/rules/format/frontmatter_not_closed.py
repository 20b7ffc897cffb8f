"""The frontmatter is opened and never closed.

## Why is this bad?
Without a line of exactly three hyphens below the keys, a client either sees no frontmatter or takes
the text for YAML, up to some rule further down. Most then skip the skill.

## Bad
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.

# Release notes

Read the merged pull requests.
````

## Good
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
---

# Release notes

Read the merged pull requests.
````

## Fix safety
The fix closes the block behind its last key, or mends the line that was to close it. It is offered
where all lines up to there can be read.

## References
- https://agentskills.io/specification
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.frontmatter import Frontmatter
from skillgauge.document.skill import Skill
from skillgauge.rule import Edit, Finding, Fix, Related, Severity, rule
from skillgauge.rules.format._block import blind, line_break
from skillgauge.text import Span


@rule("F002", Severity.ERROR, spec=Severity.ERROR, fix="safe", needs={"clients"}, reveals=True)
def frontmatter_not_closed(skill: Skill) -> Iterator[Finding]:
    """Report frontmatter without a closing line, at the line that opens it or the wrong one."""
    block = skill.frontmatter
    if block is None or block.closed or block.too_large:
        return
    if block.closing:
        shown = skill.text.slice(block.closing).rstrip()
        yield Finding(
            block.closing,
            f"“{shown}” does not close the frontmatter; write “---”." + blind(skill),
            Fix(f"Write “---” instead of “{shown}”", (Edit(block.closing, "---"),)),
            related=(Related("The frontmatter begins", block.opening),),
        )
        return
    rest = skill.source[block.inner.end :]
    begins = block.inner.end + len(rest) - len(rest.lstrip())
    related: tuple[Related, ...] = ()
    where = ""
    if begins < len(skill.source):
        line = skill.text.line_of(begins)
        related = (Related("The text begins", skill.text.line_span(line)),)
        where = f" before the text on line {line + 1}"
    yield Finding(
        block.opening,
        f"This opens frontmatter, and no line “---” closes it{where}." + blind(skill),
        _close(skill, block),
        related=related,
    )


def _close(skill: Skill, block: Frontmatter) -> Fix | None:
    if not block.entries or block.broken:
        return None
    new = line_break(skill)
    end = block.inner.end
    line = f"---{new}" if skill.source[end - 1 : end] in ("\n", "\r") else f"{new}---{new}"
    return Fix("Close the frontmatter", (Edit(Span(end, end), line),))
