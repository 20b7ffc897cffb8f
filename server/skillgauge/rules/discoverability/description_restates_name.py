"""The description says no more than the name.

## Why is this bad?
The agent sees the name already. The description's place is for what the name can't say: what
exactly is done, to what, and when.

## Bad
````skill
---
name: code-review-helper
description: A helpful skill for code reviews
---
Review it.
````

## Good
````skill
---
name: code-review-helper
description: Finds faults in a change before it is merged. Use when a pull request is opened.
---
Review it.
````

## References
- https://agentskills.io/skill-creation/optimizing-descriptions
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.discoverability._words import stem, telling_words
from skillgauge.rules.discoverability.description_vague import SHORTEST


@rule("D104", Severity.WARNING)
def description_restates_name(skill: Skill) -> Iterator[Finding]:
    """Compare the stems of the description's words with those of the name's."""
    value, name = skill.value("description"), skill.name or skill.folder_name
    if value is None or not name or len(value.text.strip()) < SHORTEST:
        return  # what is that short is reported as such
    words = telling_words(value.text)
    known = {stem(word) for word in name.lower().replace("_", "-").split("-")}
    if words and all(stem(word) in known for word in words):
        yield Finding(
            value.span,
            f"The description says no more than the name “{name}”; say what is done and when.",
        )
