"""A key of an evaluation file is read by no tool.

## Why is this bad?
What stands under it looks like part of the test and has no effect on any result: a list `must_not`
forbids nothing. Notes for readers are fine under `name`, `description`, `category`, `tags`, `notes`
or any key that begins with an underscore; what should count belongs into `assertions`.

## Bad
````evals
{
  "skill_name": "demo",
  "evals": [
    {"id": 1, "prompt": "Fill in the W-9", "expected_output": "A form", "must_not": ["Sends mail"]}
  ]
}
````

## Good
````evals
{
  "skill_name": "demo",
  "evals": [
    {"id": 1, "prompt": "Fill in the W-9", "expected_output": "A form",
     "assertions": ["No mail is sent"], "notes": "The form has two pages."}
  ]
}
````

## References
- https://agentskills.io/skill-creation/evaluating-skills
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.evals import EvalFile
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.evals._keys import odd_keys
from skillgauge.rules.evals._shared import in_cases


@rule("V024", Severity.HINT, target="evals")
def eval_key_unknown(file: EvalFile) -> Iterator[Finding]:
    """Report each key once, at its first place."""
    for odd in odd_keys(file):
        if odd.meant or (file.dialect == "unknown" and not odd.inside):
            continue
        advice = (
            "put what should be checked into the assertions, and notes under “notes”"
            if odd.inside
            else "put notes under “notes”"
        )
        yield Finding(
            odd.entries[0].key_span,
            f"No known tool reads “{odd.key}”{in_cases(len(odd.entries))}, so it has no effect;"
            f" {advice}.",
        )
