"""A case of an evaluation file has nothing that its result could be held against.

## Why is this bad?
A case with neither an expected output nor assertions can't fail: its run costs tokens and shows
nothing. With an expected output alone a judge compares texts as a whole; assertions say which parts
count, and each is a figure of its own. Negative cases need none: they are judged by what is used.

## Bad
````evals
{"skill_name": "demo", "evals": [{"id": 1, "prompt": "Fill in the W-9"}]}
````

## Good
````evals
{
  "skill_name": "demo",
  "evals": [
    {"id": 1, "prompt": "Fill in the W-9", "expected_output": "A filled form",
     "assertions": ["The PDF holds the name of the user"]}
  ]
}
````

## References
- https://agentskills.io/skill-creation/evaluating-skills#writing-assertions
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.eval_case import EvalCase
from skillgauge.document.evals import EvalFile
from skillgauge.document.nodes import Alias
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.evals._keys import meant_for
from skillgauge.rules.evals._shared import name_of


@rule("V012", Severity.HINT, target="evals")
def assertion_missing(file: EvalFile) -> Iterator[Finding]:
    """Report each case that can't fail, and those without assertions."""
    if file.dialect == "trigger" or meant_for(file, "assertions"):
        return
    judged = [
        case
        for case in file.cases
        if case.entry("prompt") and not case.partial and not case.is_negative(file.own_name)
    ]
    bare = [case for case in judged if not _given(case)]
    empty = [case for case in bare if not _expects(case)]
    if empty and not meant_for(file, "expected_output"):
        for case in empty:
            yield Finding(
                case.head,
                f"Nothing says what {case.label} should lead to, so it can't fail; add"
                f" “{name_of(file, 'expected_output')}” or “{name_of(file, 'assertions')}”.",
                level=Severity.WARNING,
            )
    partly = [case for case in bare if _expects(case)]
    if partly and len(partly) == len(judged):
        yield Finding(
            file.top,
            f"{_all(len(judged))} an expected output and no “{name_of(file, 'assertions')}”; add"
            " statements that a look at the result proves true or false.",
        )
        return
    for case in partly:
        yield Finding(
            case.head,
            f"There are no “{name_of(file, 'assertions')}” in {case.label}, unlike in others.",
        )


def _all(count: int) -> str:
    return f"All {count} cases have" if count > 1 else "The case has"


def _given(case: EvalCase) -> bool:
    entry = case.entry("assertions")
    return bool(case.assertions) or (entry is not None and isinstance(entry.value, Alias))


def _expects(case: EvalCase) -> bool:
    entry = case.entry("expected_output")
    if case.expected_output is not None:
        return bool(case.expected_output.text.strip())
    return entry is not None and isinstance(entry.value, Alias)
