"""No case of an evaluation file shows where the skill should stay out.

## Why is this bad?
A skill that is used for everything passes every case that is meant for it. Only requests that look
alike and belong elsewhere show whether the description is too wide: mark them with
`"should_trigger": false`, or with `"expected_skill": null` where a tool reads that.

## Bad
````evals
{
  "skill_name": "demo",
  "evals": [
    {"id": 1, "prompt": "Fill in the W-9", "expected_output": "A filled form"},
    {"id": 2, "prompt": "Fill in the W-4", "expected_output": "A filled form"},
    {"id": 3, "prompt": "Put my address into this form", "expected_output": "A filled form"}
  ]
}
````

## Good
````evals
{
  "skill_name": "demo",
  "evals": [
    {"id": 1, "prompt": "Fill in the W-9", "expected_output": "A filled form"},
    {"id": 2, "prompt": "Fill in the W-4", "expected_output": "A filled form"},
    {"id": 3, "prompt": "Merge these two PDFs", "should_trigger": false}
  ]
}
````

## References
- https://agentskills.io/skill-creation/optimizing-descriptions
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.evals import EvalFile
from skillgauge.rule import Finding, Severity, rule

FROM: Final = 3
"""With fewer cases there is more to say first."""


@rule("V011", Severity.HINT, target="evals")
def negative_case_missing(file: EvalFile) -> Iterator[Finding]:
    """Report a file with several cases, none of which is a negative one."""
    cases = file.cases
    if not file.complete or len(cases) < FROM or any(case.partial for case in cases):
        return
    if not any(case.is_negative(file.own_name) for case in cases):
        yield Finding(
            file.top,
            f"None of the {len(cases)} cases is marked as one where the skill should stay out; add"
            " such a request with “should_trigger”: false.",
        )
