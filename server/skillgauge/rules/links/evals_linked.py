"""The skill leads the agent to its own evaluation files.

## Why is this bad?
An agent that reads `evals/` while it is measured knows the prompts and the expected results: the
measurement then shows what it read, not what the skill does. In use, the files only cost tokens.

## Bad
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
Sample requests are in [the cases](evals/evals.json).
````
````file evals/evals.json
{"skill_name": "fill-forms", "evals": []}
````

## Good
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
A request looks like “fill in the W-9 with my address”.
````
````file evals/evals.json
{"skill_name": "fill-forms", "evals": []}
````
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.links._context import is_forbidden


@rule("L012", Severity.HINT, needs={"folder"})
def evals_linked(skill: Skill) -> Iterator[Finding]:
    """Report references to the skill's `evals` folder, unless the text forbids to read it."""
    for reference in skill.references:
        target = reference.target
        if not target or not reference.exists or not (target + "/").startswith("evals/"):
            continue
        if not is_forbidden(skill, reference):
            yield Finding(
                reference.path_span,
                f"“{reference.path}” holds the skill's own test cases; an agent that reads them"
                " knows the answers. Remove the reference.",
            )
