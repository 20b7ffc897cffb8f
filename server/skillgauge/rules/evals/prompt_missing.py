"""A case of an evaluation file has no prompt, an empty one, or one that is no text.

## Why is this bad?
Without a prompt there is nothing to ask the agent: tools refuse the file, leave the case out, or
run an empty request and count what comes back.

## Bad
````evals
{
  "skill_name": "demo",
  "evals": [
    {"id": 1, "prompt": "Fill in the W-9", "expected_output": "A filled form"},
    {"id": 2, "expected_output": "A filled form"}
  ]
}
````

## Good
````evals
{
  "skill_name": "demo",
  "evals": [
    {"id": 1, "prompt": "Fill in the W-9", "expected_output": "A filled form"},
    {"id": 2, "prompt": "Fill in the W-4", "expected_output": "A filled form"}
  ]
}
````

## References
- https://agentskills.io/skill-creation/evaluating-skills
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.evals import EvalFile
from skillgauge.document.nodes import Alias, Scalar
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.evals._keys import kind, meant_for
from skillgauge.rules.evals._shared import name_of


@rule("V006", Severity.ERROR, target="evals")
def prompt_missing(file: EvalFile) -> Iterator[Finding]:
    """Report each such case, or the file once if it is of a format that has no prompts."""
    name = name_of(file, "prompt")
    missing = [case for case in file.cases if case.lacks("prompt")]
    if missing and not meant_for(file, "prompt"):
        if len(missing) == len(file.cases) > 1:
            yield Finding(
                file.top,
                f"None of the {len(missing)} cases has a “{name}”, so no known tool can run them.",
                level=Severity.WARNING,
            )
        else:
            for case in missing:
                yield Finding(case.head, f"There is no “{name}” in {case.label}; add one.")
    for case in file.cases:
        entry = case.entry("prompt")
        if entry is None or isinstance(entry.value, Alias):
            continue
        value = entry.value
        if case.prompt is None and not (isinstance(value, Scalar) and value.type == "null"):
            what = kind(value)
            yield Finding(value.span, f"“{entry.key}” must be text, and is of type {what}.")
        elif case.prompt is None or not case.prompt.text.strip():
            yield Finding(value.span, f"“{entry.key}” is empty in {case.label}; write a request.")
