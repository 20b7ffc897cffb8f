"""The section “## Instructions” or “## Usage” has none of ten plain verbs.

## Why is this bad?
Instructions tell someone to do something. There are more verbs than the ten which the check knows
(use, call, run, execute, pass, set, add, mark, update, keep), so it is off by default and part of
the structural score (15 points off efficiency).

## Bad
````skill
---
name: say-please
description: Adds a please. Use when a mail is rude.
---
# Say please

## Instructions

- Politeness in every sentence.
````

## Good
````skill
---
name: say-please
description: Adds a please. Use when a mail is rude.
---
# Say please

## Instructions

- Add a please to every request.
````
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.aces_view import terms
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule

_VERBS: Final = terms(
    "use", "call", "run", "execute", "pass", "set", "add", "mark", "update", "keep"
)


@rule("E003", None, aces=Severity.WARNING, deduction=("efficiency", 15))
def no_action_verbs(skill: Skill) -> Iterator[Finding]:
    """Look for a verb in the section."""
    if found := skill.aces.instructions:
        heading, text = found
        if text and not _VERBS.search(text):
            yield Finding(heading, "This section has no verb that tells the agent what to do.")
