"""An evaluation file holds no list of cases where any tool looks for one.

## Why is this bad?
Tools take the cases from a list under `evals` (agentskills.io, SkillEvaluator, skill-creator) or
under `cases` (BenchFlow), or from a file that is a list itself. What stands elsewhere is never run,
and most tools then say only that there is nothing to do.

## Bad
````evals
{
  "skill_name": "demo",
  "test_cases": [{"id": 1, "prompt": "Fill in the W-9", "expected_output": "A filled form"}]
}
````

## Good
````evals
{
  "skill_name": "demo",
  "evals": [{"id": 1, "prompt": "Fill in the W-9", "expected_output": "A filled form"}]
}
````

## Fix safety
Renaming the key is unsafe: a program of your own may read the old one.

## References
- https://agentskills.io/skill-creation/evaluating-skills
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.eval_keys import CONTAINERS
from skillgauge.document.evals import EvalFile, items_of
from skillgauge.document.nodes import KIND, Alias, Entry, Mapping, Scalar
from skillgauge.rule import Finding, Fix, Severity, rule
from skillgauge.rules.evals._shared import rename


@rule("V003", Severity.WARNING, target="evals", fix="unsafe", reveals=True)
def eval_dialect_unknown(file: EvalFile) -> Iterator[Finding]:
    """Report where cases are missing: the key that is no list, the list under another key."""
    root = file.reading.root
    if file.dialect != "unknown" or not file.complete or root is None or isinstance(root, Alias):
        return
    if not isinstance(root, Mapping):
        yield Finding(file.top, f"The file holds {KIND[type(root)]} instead of a list of cases.")
        return
    if any(entry.key == "<<" for entry in root.entries):
        return
    for key in CONTAINERS:
        entry = root.last(key)
        if entry is None or isinstance(entry.value, Alias):
            continue
        what = "nothing" if _is_nothing(entry) else KIND[type(entry.value)]
        yield Finding(entry.key_span, f"“{key}” must be a list of cases, and holds {what}.")
        return
    elsewhere = next((entry for entry in root.entries if _holds_cases(entry)), None)
    if elsewhere is None:
        yield Finding(
            file.top,
            "No tool finds a case here: put the cases in a list under “evals”, each with “id”,"
            " “prompt” and “expected_output”.",
        )
        return
    fix = Fix("Call the list “evals”", (rename(file, elsewhere, "evals"),), safe=False)
    yield Finding(
        elsewhere.key_span,
        f"No tool looks for cases under “{elsewhere.key}”; call the list “evals”.",
        fix,
    )


def _is_nothing(entry: Entry) -> bool:
    return isinstance(entry.value, Scalar) and entry.value.type == "null"


def _holds_cases(entry: Entry) -> bool:
    items = items_of(entry.value)
    return bool(items) and all(isinstance(item, Mapping) for item in items)
