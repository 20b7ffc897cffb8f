"""The body takes arguments, but no `argument-hint` tells people which.

## Why is this bad?
Claude Code shows the hint while somebody types the command. Without it people have to open the
file to learn what the skill expects. The rule speaks only where Claude Code is targeted, of
`$ARGUMENTS` in the text and of names that `arguments` declares; `$1` is a price or a field of some
script too often.

## Bad
````skill clients=claude-code
---
name: fix-issue
description: Fixes a GitHub issue. Use when the user names an issue to fix.
---
Fix issue $ARGUMENTS and open a pull request.
````

## Good
````skill clients=claude-code
---
name: fix-issue
description: Fixes a GitHub issue. Use when the user names an issue to fix.
argument-hint: "[issue-number]"
---
Fix issue $ARGUMENTS and open a pull request.
````

## References
- https://code.claude.com/docs/en/skills
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.nodes import Scalar, Sequence
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.format._clients import is_target
from skillgauge.text import Span

_ALL: Final = re.compile(r"(?<![\\\w])\$ARGUMENTS(?!\w)(?:\[\d+\])?")
_MOST: Final = 20


@rule("F058", Severity.HINT, needs={"clients"})
def arguments_without_hint(skill: Skill) -> Iterator[Finding]:
    """Report the first placeholder for an argument in the body."""
    block = skill.frontmatter
    if block is None or "$" not in skill.source or not is_target(skill, "claude-code"):
        return
    if block.has("argument-hint") or (block.string("user-invocable") or "").lower() == "false":
        return
    found = _placeholder(skill)
    if found:
        yield Finding(
            found,
            f"“{skill.text.slice(found)}” stands for what the user types, but no “argument-hint”"
            " says what that should be; add one.",
        )


def _placeholder(skill: Skill) -> Span | None:
    prose = skill.markdown.prose
    if match := _ALL.search(prose, skill.body.start):
        return Span(*match.span())
    names = _declared(skill)
    if names:
        pattern = rf"(?<![\\\w])\$(?:{'|'.join(map(re.escape, names))})(?!\w)"
        if match := re.compile(pattern).search(skill.source, skill.body.start):
            return Span(*match.span())
    return None


def _declared(skill: Skill) -> list[str]:
    value = skill.frontmatter.value("arguments") if skill.frontmatter else None
    if isinstance(value, Scalar):
        return value.text.replace(",", " ").split()[:_MOST]
    if isinstance(value, Sequence):
        return [item.text for item in value.items if isinstance(item, Scalar) and item.text][:_MOST]
    return []
