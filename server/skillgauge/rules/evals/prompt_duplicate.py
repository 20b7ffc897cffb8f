"""Two cases of an evaluation file have the same prompt.

## Why is this bad?
The same request twice is one case with twice the weight: it costs twice and makes the interval look
narrower than it is. To learn how results vary, run more attempts instead.

## Bad
````evals
[
  {"id": 1, "prompt": "Fill in the W-9", "expected_output": "A filled form"},
  {"id": 2, "prompt": "Fill in the W-9", "expected_output": "A form without empty fields"}
]
````

## Good
````evals
[
  {"id": 1, "prompt": "Fill in the W-9", "expected_output": "A filled form"},
  {"id": 2, "prompt": "Fill in the W-9 for a company", "expected_output": "Line 2 is filled, too"}
]
````
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.eval_case import EvalCase
from skillgauge.document.evals import EvalFile
from skillgauge.rule import Finding, Related, Severity, rule
from skillgauge.rules.evals._shared import entries_of
from skillgauge.text import Span

_SAME = frozenset(
    ("id", "name", "prompt", "question", "query", "expected_output", "ground_truth", "assertions")
) | {"expected_behavior", "expectations", "should_trigger", "expected_skill", "files"}
"""Keys that leave the task the same; another may set it in another environment."""


@rule("V020", Severity.WARNING, target="evals")
def prompt_duplicate(file: EvalFile) -> Iterator[Finding]:
    """Report each prompt that an earlier case has with the same files."""
    seen: dict[tuple[object, ...], Span] = {}
    for case in file.cases:
        if case.prompt is None or not case.prompt.text.strip() or _has_setting(case):
            continue
        files = tuple(sorted(item.text for item in case.files))
        key = (" ".join(case.prompt.text.split()).casefold(), files)
        first = seen.setdefault(key, case.prompt.span)
        if first != case.prompt.span:
            line = file.text.line_of(first.start) + 1
            yield Finding(
                case.prompt.span,
                f"The case in line {line} asks the same; make one of the two, or change one.",
                related=(Related("The first case with this prompt.", first),),
            )


def _has_setting(case: EvalCase) -> bool:
    return any(entry.key not in _SAME for entry in entries_of(case))
