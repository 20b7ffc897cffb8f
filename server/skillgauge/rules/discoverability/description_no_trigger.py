"""An English description says what the skill does and not when to use it.

## Why is this bad?
The agent chooses a skill by comparing the request with the description. “Use when …” gives it
something to compare with; without it the skill is found only by those who know it.

What counts: a condition (when, whenever, if, before, after, during, while), a use (use this, use
for, used to, useful, ideal, intended, suitable), a request (the user asks, wants, says, mentions;
asked to) or triggers. Descriptions in other languages are not judged, nor skills that only the user
starts (`disable-model-invocation: true`), nor those with `when_to_use`.

## Bad
````skill
---
name: write-changelog
description: Writes a changelog entry in the style of this project from the commits of a branch.
---
Write it.
````

## Good
````skill
---
name: write-changelog
description: Writes a changelog entry. Use when a release is prepared or the user asks what is new.
---
Write it.
````

## References
- https://agentskills.io/skill-creation/optimizing-descriptions
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.discoverability._english import is_english

_WHEN: Final = re.compile(
    r"\b(?:when(?:ever)?|while|if|unless|once|upon|before|after|during|wherever|in case"
    r"|use (?:this|it|for|to|in|at|as|on|across|only|with|proactively|immediately|by default|the)"
    r"|used? (?:for|to|in|by|as)|to be used|useful|ideal|perfect|suitable|suited|intended|designed"
    r"|best for|great for|good for|appropriate|appl(?:y|ies|ied) (?:to|this)|for use|reach for"
    r"|(?:users?|developers?|customers?|someone|somebody|they|you) (?:asks?|wants?|says?|mentions?"
    r"|needs?|requests?|invokes?|types?|is|are|has|have|provides?|shares?|uploads?|reports?)"
    r"|ask(?:s|ed)? (?:to|for|about)|questions? (?:about|on|like)|requests? (?:for|to|like)"
    r"|triggers?|triggered|activates?|invoke[sd]?|fires? on|keywords?|scenarios?)\b",
    re.IGNORECASE,
)


@rule("D101", Severity.HINT)
def description_no_trigger(skill: Skill) -> Iterator[Finding]:
    """Look for a condition, a use, a request or a trigger."""
    value, key = skill.value("description"), skill.key_span("description")
    if value is None or key is None or not value.text.strip() or skill.value("when_to_use"):
        return
    hidden = skill.value("disable-model-invocation")
    if hidden is not None and hidden.text.lower() == "true":
        return
    if not _WHEN.search(value.text) and is_english(value.text):
        yield Finding(key, "The description does not say when to use the skill; add “Use when …”.")
