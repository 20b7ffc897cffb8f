"""Two cases of an evaluation file have the same id.

## Why is this bad?
Results are kept under the id: of two cases with the same one, a later result overwrites the
earlier, or the tool refuses the file. Ids that differ in letter case alone clash too, since they
become names of folders.

## Bad
````evals
[
  {"id": "w9", "prompt": "Fill in the W-9", "expected_output": "A filled form"},
  {"id": "W9", "prompt": "Fill in the W-4", "expected_output": "A filled form"}
]
````

## Good
````evals
[
  {"id": "w9", "prompt": "Fill in the W-9", "expected_output": "A filled form"},
  {"id": "w4", "prompt": "Fill in the W-4", "expected_output": "A filled form"}
]
````

## References
- https://github.com/NVIDIA/SkillEvaluator
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.evals import EvalFile
from skillgauge.document.nodes import Scalar
from skillgauge.rule import Finding, Related, Severity, rule


@rule("V008", Severity.ERROR, target="evals")
def case_id_duplicate(file: EvalFile) -> Iterator[Finding]:
    """Report each id that an earlier case has, with that case."""
    seen: dict[str, Scalar] = {}
    for case in file.cases:
        if case.id is None or not case.id.text.strip():
            continue
        first = seen.setdefault(case.id.text.casefold(), case.id)
        if first is case.id:
            continue
        same = first.text == case.id.text
        line = file.text.line_of(first.span.start) + 1
        yield Finding(
            case.id.span,
            f"The case in line {line} has the id “{first.text}” already"
            f"{'' if same else ', and letter case does not tell them apart'}; choose another.",
            related=(Related("The first case with this id.", first.span),),
        )
