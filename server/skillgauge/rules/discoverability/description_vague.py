"""The description is too short or too general to choose the skill by.

## Why is this bad?
The description is all that an agent sees when it chooses. “Helps with documents” fits a hundred
requests and none of them well; a title alone says neither what is done nor when.

## Bad
````skill
---
name: pdf-forms
description: Helps with documents and files
---
Fill in the form.
````

## Good
````skill
---
name: pdf-forms
description: Fills in PDF forms from a table. Use when many forms have the same fields.
---
Fill in the form.
````

## References
- https://platform.claude.com/docs/en/agents-and-tools/agent-skills/best-practices
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.discoverability._words import telling_words

SHORTEST: Final = 20


@rule("D103", Severity.WARNING)
def description_vague(skill: Skill) -> Iterator[Finding]:
    """Report a text of few characters, or of words that say nothing."""
    value = skill.value("description")
    text = value.text.strip() if value else ""
    if value is None or not text:
        return
    if text.isascii() and len(text) < SHORTEST:
        yield Finding(
            value.span,
            f"{len(text)} characters can't say what the skill does and when to use it; write a"
            " sentence on each.",
        )
    elif not telling_words(text):
        yield Finding(
            value.span,
            "These words fit any skill; name what it works on, what it does and when to use it.",
        )
