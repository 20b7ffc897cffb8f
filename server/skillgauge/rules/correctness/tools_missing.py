"""The body tells the agent to use a tool that `allowed-tools` does not grant.

## Why is this bad?
With `allowed-tools` the author says that the skill runs without asking; for a tool that isn't
listed the user is asked all the same, or it is refused where nobody can be asked.

## Bad
````skill
---
name: read-news
description: Reads the news. Use when asked what is new.
allowed-tools: Read Grep
---
Get the page with the `WebFetch` tool.
````

## Good
````skill
---
name: read-news
description: Reads the news. Use when asked what is new.
allowed-tools: Read WebFetch
---
Get the page with the `WebFetch` tool.
````

## References
- https://code.claude.com/docs/en/skills
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.markdown import MASK
from skillgauge.document.nodes import Scalar, walk
from skillgauge.document.skill import Skill
from skillgauge.patterns import lazy_pattern
from skillgauge.rule import Finding, Related, Severity, rule
from skillgauge.text import Span

# Tools of Claude Code that no one takes for an ordinary word.
_TOOLS: Final = (
    "Read|Write|Edit|MultiEdit|Bash|Grep|Glob|WebFetch|WebSearch|Task|TodoWrite|NotebookEdit"
    "|AskUserQuestion"
)
_MENTION: Final = lazy_pattern(
    rf"\b[Uu]s(?:e|ing)\s+(?:the\s+)?(?:`(?P<coded>{_TOOLS})`|(?P<plain>{_TOOLS}))\s+tool\b"
    rf"|\bwith\s+the\s+`(?P<other>{_TOOLS})`\s+tool\b"
)
_NOT: Final = lazy_pattern(
    r"(?:\bnot\b|n['’]t|\bnever|\binstead of|\bwithout|\bavoid)[\w\s]{0,20}\Z", re.IGNORECASE
)


@rule("C022", Severity.HINT)
def tools_missing(skill: Skill) -> Iterator[Finding]:
    """Compare what the text says to use with the list; silent without a list."""
    entry = skill.frontmatter.entry("allowed-tools") if skill.frontmatter else None
    if entry is None:
        return
    words = " ".join(node.text for node in walk(entry.value) if isinstance(node, Scalar))
    if not words or "*" in words.replace("*)", "").split():
        return
    told: set[str] = set()
    for match in _MENTION.finditer(skill.source, skill.body.start):
        group = match.lastgroup or "coded"
        name = match[group]
        before = skill.source[max(match.start() - 40, skill.body.start) : match.start()]
        if name in told or re.search(rf"\b{name}\b", words) or _NOT.search(before):
            continue
        if skill.markdown.prose[match.start()] == MASK:  # in a code block, comment or quote
            continue
        told.add(name)
        yield Finding(
            Span(*match.span(group)),
            f"“allowed-tools” does not grant {name}; add it.",
            related=(Related("The tools that are granted", entry.span),),
        )
