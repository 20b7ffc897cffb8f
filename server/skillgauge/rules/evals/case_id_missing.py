"""A case of an evaluation file has no id.

## Why is this bad?
Results are kept and compared by the id of their case. SkillEvaluator refuses the whole file when
one is missing; others number the cases, and all results move when one is put in between.

## Bad
````evals
[
  {"prompt": "Fill in the W-9", "expected_output": "A filled form"},
  {"prompt": "Fill in the W-4", "expected_output": "A filled form"}
]
````

## Good
````evals
[
  {"id": 1, "prompt": "Fill in the W-9", "expected_output": "A filled form"},
  {"id": 2, "prompt": "Fill in the W-4", "expected_output": "A filled form"}
]
````

## Fix safety
The fix gives the next free number to each case without an id and changes nothing else.

## References
- https://agentskills.io/skill-creation/evaluating-skills
- https://github.com/NVIDIA/SkillEvaluator
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.eval_case import EvalCase
from skillgauge.document.evals import EvalFile
from skillgauge.document.nodes import Mapping, Scalar
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.rules.evals._keys import meant_for
from skillgauge.text import Span


@rule("V007", Severity.WARNING, target="evals", fix="safe")
def case_id_missing(file: EvalFile) -> Iterator[Finding]:
    """Report the first case without an id; lists of requests for triggering need none."""
    if file.dialect == "trigger" or meant_for(file, "id"):
        return
    missing = [case for case in file.cases if _lacks_id(case)]
    if not missing:
        return
    first = missing[0]
    edits = tuple(_edits(file, missing))
    fix = Fix("Number the cases without an id", edits) if len(edits) == len(missing) else None
    how_many = f"{len(missing)} cases have" if len(missing) > 1 else f"Case {first.index + 1} has"
    yield Finding(
        first.head, f"{how_many} no “id”, by which results are kept apart; add one to each.", fix
    )


def _lacks_id(case: EvalCase) -> bool:
    entry = case.entry("id")
    if entry is None:
        return case.lacks("id")
    value = entry.value
    return isinstance(value, Scalar) and (value.type == "null" or not value.text.strip())


def _edits(file: EvalFile, missing: list[EvalCase]) -> Iterator[Edit]:
    """Yield what gives each case a number that no other case has."""
    taken = {case.id.text.casefold() for case in file.cases if case.id}
    free = (number for number in range(1, len(file.cases) * 2 + 2) if str(number) not in taken)
    for case, number in zip(missing, free, strict=False):
        entry = case.entry("id")
        if entry is not None:
            yield Edit(entry.value.span, f"{_gap_after_colon(file, entry.value.span)}{number}")
        elif isinstance(case.node, Mapping) and case.node.entries:
            at = case.node.entries[0].key_span.start
            if case.node.flow:
                between = file.source[case.node.span.start + 1 : at]
                key = "id" if file.is_yaml else '"id"'
                yield Edit(Span(at, at), f"{key}: {number},{between or ' '}")
            else:
                line = file.text.line_of(at)
                start = file.text.line_span(line).start
                indent = " " * (at - start)
                yield Edit(Span(at, at), f"id: {number}{_line_break(file)}{indent}")


def _gap_after_colon(file: EvalFile, span: Span) -> str:
    """Return the blank that an empty YAML value needs before it."""
    return " " if file.source[span.start - 1 : span.start] == ":" else ""


def _line_break(file: EvalFile) -> str:
    return "\r\n" if "\r\n" in file.source else "\n"
