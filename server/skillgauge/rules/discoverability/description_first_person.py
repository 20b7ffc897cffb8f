"""The description speaks as “I” or “we”, or tells the agent who it is.

## Why is this bad?
The description becomes part of the agent's instructions. There “I can help you” is said by nobody,
and “You are an expert” is a role, which says neither what the skill does nor when to use it. Write
in the third person (“Converts …”) or as an instruction (“Use this skill when …”).

## Bad
````skill
---
name: resize-images
description: I can resize pictures for you. Use when pictures are too large to send.
---
Resize them.
````

## Good
````skill
---
name: resize-images
description: Resizes pictures. Use when your pictures are too large, or on “can I send this?”.
---
Resize them.
````

## References
- https://platform.claude.com/docs/en/agents-and-tools/agent-skills/best-practices
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.markdown import MASK
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule

_QUOTED: Final = re.compile(
    '"[^"]{0,400}"|“[^”]{0,400}”|‘[^’]{0,400}’|«[^»]{0,400}»|`[^`]{0,400}`'
    r"|(?<!\w)'[^']{0,400}'(?!\w)"
)
_VERBS: Final = (
    "can|will|help|am|create|write|generate|provide|analy[sz]e|assist|convert|build|make|handle"
)
_SPEAKS: Final = re.compile(
    rf"(?:\A|(?<=[.!?;:,]\s)|(?<=\band\s))(?P<first>(?:I|We)\s(?:{_VERBS})|I['’](?:ll|m)\s\w+)\b"
    r"|(?:\A|(?<=[.!?]\s))(?P<role>You\sare\san?\s\w+)|(?P<can>\b[Yy]ou\scan\suse\sthis)\b"
)


@rule("D102", Severity.HINT)
def description_first_person(skill: Skill) -> Iterator[Finding]:
    """Report the first such phrase; what is quoted is someone else's."""
    value = skill.value("description")
    if value is None:
        return
    text = _QUOTED.sub(lambda match: MASK * len(match[0]), value.text)
    if match := _SPEAKS.search(text):
        advice = "say what the skill does, in the third person"
        if match["role"]:
            advice = "a role is for the body; say what the skill does and when to use it"
        yield Finding(
            skill.find_in_value(value, *match.span()),
            f"“{match[0]}” is said to the agent: {advice}.",
        )
