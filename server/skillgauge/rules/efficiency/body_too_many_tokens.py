"""The body has more than about 5,000 tokens.

## Why is this bad?
The whole body enters the agent's context as soon as the skill is used, and stays there. The
specification recommends under 5,000 tokens. Models count differently and this is an estimate: for
most texts it is within 7 % of what a tokenizer of a recent model says.

## Bad
The last line stands there 700 times.
````skill times=700
---
name: count-words
description: Counts words. Use when a text has a limit.
---
# Count words
Count the words of the text, then count them again.
````

## Good
````skill
---
name: count-words
description: Counts words. Use when a text has a limit.
---
# Count words
Count the words of the text as [the guide](references/guide.md) says.
````

## References
- https://agentskills.io/specification#progressive-disclosure
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.tokens import estimate_tokens, may_exceed

_MOST: Final = 5_000


@rule("E102", Severity.HINT)
def body_too_many_tokens(skill: Skill) -> Iterator[Finding]:
    """Report the line at which the limit is passed, by its share of the text."""
    start, end = skill.body
    body = skill.source[start:end]
    if not may_exceed(body, _MOST):
        return
    tokens = estimate_tokens(body)
    if tokens > _MOST:
        passed = skill.text.line_of(start + len(body) * _MOST // tokens)
        yield Finding(
            skill.text.line_span(passed),
            f"The body has about {tokens:,} tokens; around here it passes the recommended"
            f" {_MOST:,}. Move detail into references/.",
        )
