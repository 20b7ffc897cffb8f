r"""The text holds U+FFFD, which stands where a character was lost.

## Why is this bad?
A program has read bytes that it could not decode and put � in their place. What stood there is
gone, often a dash, a quotation mark or an emoji.

## Bad
````skill escaped
---
name: send-message
description: Sends a message. Use when the user wants to write to somebody.
---
# Send a message

The API has no personal account \u{FFFD} only a business one.
````

## Good
````skill
---
name: send-message
description: Sends a message. Use when the user wants to write to somebody.
---
# Send a message

The API has no personal account – only a business one. A byte that can't be decoded becomes `�`.
````
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.text import Span

_LOST: Final = re.compile("\ufffd+")


@rule("F065", Severity.WARNING)
def replacement_character(skill: Skill) -> Iterator[Finding]:
    """Report each run of U+FFFD outside code."""
    if "\ufffd" not in skill.source:
        return
    for match in _LOST.finditer(skill.source):
        if not skill.markdown.in_code(match.start()):
            yield Finding(
                Span(*match.span()),
                "A character was lost here (U+FFFD); write it anew.",
            )
