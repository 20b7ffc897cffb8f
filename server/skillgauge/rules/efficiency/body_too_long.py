"""The body has more than 500 lines.

## Why is this bad?
The whole body enters the agent's context as soon as the skill is used. The specification recommends
to keep it under 500 lines and to move detail into files that are read when needed.

## Bad
The last line stands there 500 times.
````skill times=500
---
name: count-words
description: Counts words. Use when a text has a limit.
---
# Count words
Count the words.
````

## Good
````skill
---
name: count-words
description: Counts words. Use when a text has a limit.
---
# Count words
Count the words as [the guide](references/guide.md) says.
````

## References
- https://agentskills.io/specification#progressive-disclosure
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule

_MOST: Final = 500
_TEXT: Final = re.compile(r"\S")


@rule("E101", Severity.HINT)
def body_too_long(skill: Skill) -> Iterator[Finding]:
    """Report the first line beyond."""
    text = skill.text
    first = text.line_of(skill.body.start)
    last = text.line_count - (1 if not text.line(text.line_count - 1) else 0)
    if last - first > _MOST:
        beyond = text.starts[first + _MOST]
        shown = _TEXT.search(skill.source, beyond)  # a blank line would show nothing
        yield Finding(
            text.line_span(text.line_of(shown.start() if shown else beyond)),
            f"The body has {last - first} lines; from here on it is over the recommended {_MOST}."
            " Move detail into references/.",
        )
