"""The prompt of a case is copied from SKILL.md.

## Why is this bad?
A request in the words of the skill's own description or examples is found by every router and says
nothing about real ones: users do not know these words. It also measures what was written down, not
what the skill makes of something new. Say the request as a user would.

## Bad
````skill
---
name: demo
description: Extracts tables from scanned PDF files, joins those on two pages, writes CSV.
---
````
````evals
[
  {"id": 1, "expected_output": "Three CSV files",
   "prompt": "Please extracts tables from scanned PDF files, joins those on two pages, writes CSV"}
]
````

## Good
````skill
---
name: demo
description: Extracts tables from scanned PDF files, joins those on two pages, writes CSV.
---
````
````evals
[
  {"id": 1, "expected_output": "Three CSV files",
   "prompt": "I scanned the 2019 report and need its balance sheet in Excel, p. 40-42"}
]
````

## References
- https://agentskills.io/skill-creation/evaluating-skills
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.evals import EvalFile
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.evals._copies import copies

PART: Final = 0.5


@rule("V027", Severity.HINT, target="evals")
def prompt_in_skill(file: EvalFile) -> Iterator[Finding]:
    """Report prompts half of which or more are a copy of the skill's text."""
    for value, found in copies(file, "prompt", PART):
        yield Finding(
            value.span,
            f"{found.shared} of these {found.total} words stand in a row in SKILL.md; say the"
            " request as a user would who has not read it.",
        )
