"""The file has 20,004 characters or more, which ACES counts as over 5,000 tokens.

## Why is this bad?
A skill's whole text enters the context when it is used, and stays. Four characters a token is a
rough count, so the check is off by default and part of the structural score (15 points off
efficiency); the rule `body-too-many-tokens` estimates better.

## Bad
The last line stands there 1,000 times.
````skill times=1000
---
name: count-words
description: Counts words. Use when a text has a limit.
---
Count the words, then count them again.
````

## Good
````skill
---
name: count-words
description: Counts words. Use when a text has a limit.
---
Count them.
````
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule

_CHARACTERS_A_TOKEN: Final = 4
_MOST: Final = 5_000


@rule("E001", None, aces=Severity.ERROR, deduction=("efficiency", 15))
def oversize(skill: Skill) -> Iterator[Finding]:
    """Count the characters of the whole file."""
    tokens = len(skill.aces.text) // _CHARACTERS_A_TOKEN
    if tokens > _MOST:
        yield Finding(
            skill.head,
            f"The file counts as {tokens:,} tokens, over {_MOST:,}; move parts into references/.",
        )
