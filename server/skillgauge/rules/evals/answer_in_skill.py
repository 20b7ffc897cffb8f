"""The expected output of a case stands in SKILL.md nearly word for word.

## Why is this bad?
The agent that is measured has read the skill. If the answer is an example in it, the case shows
that the agent can copy, not that the skill helps with another request. Take a request that the
skill does not spell out, or another example for the skill.

## Bad
````skill
---
name: demo
description: Writes release notes.
---
For a fix of the login, write: “Fixed: users with a plus sign in their address can sign in again.”
````
````evals
[
  {"id": 1, "prompt": "Write the note for the fix of the login",
   "expected_output": "Fixed: users with a plus sign in their address can sign in again."}
]
````

## Good
````skill
---
name: demo
description: Writes release notes.
---
For a fix of the login, write: “Fixed: users with a plus sign in their address can sign in again.”
````
````evals
[
  {"id": 1, "prompt": "Write the note for the faster search",
   "expected_output": "One sentence that says what is faster and for whom, without internals."}
]
````
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.evals import EvalFile
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.evals._copies import copies

PART: Final = 0.6


@rule("V015", Severity.HINT, target="evals")
def answer_in_skill(file: EvalFile) -> Iterator[Finding]:
    """Report expected outputs most of which are a copy of the skill's text."""
    for value, found in copies(file, "expected_output", PART):
        yield Finding(
            value.span,
            f"{found.shared} of these {found.total} words stand in a row in SKILL.md: the agent"
            " can copy the answer. Take a case that the skill does not spell out.",
        )
