"""A case says both that the skill should be used and that it should not.

## Why is this bad?
`should_trigger` and `expected_skill` answer the same question. Where they differ, one tool counts
the case as a negative one and the next as a positive one, and the results can't be compared.

## Bad
````evals
{
  "skill_name": "demo",
  "evals": [
    {"id": 1, "prompt": "Merge these PDFs", "should_trigger": false, "expected_skill": "demo"}
  ]
}
````

## Good
````evals
{
  "skill_name": "demo",
  "evals": [
    {"id": 1, "prompt": "Merge these PDFs", "should_trigger": false, "expected_skill": null}
  ]
}
````

## Fix safety
The fix follows `should_trigger`, as SkillEvaluator does. It is unsafe: the other may be right.

## References
- https://github.com/NVIDIA/SkillEvaluator
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.evals import EvalFile
from skillgauge.rule import Edit, Finding, Fix, Related, Severity, rule
from skillgauge.rules.evals._shared import literal


@rule("V019", Severity.WARNING, target="evals", fix="unsafe")
def case_contradicts_itself(file: EvalFile) -> Iterator[Finding]:
    """Report `expected_skill` where `should_trigger` says otherwise."""
    own = file.own_name or (file.skill_name.text if file.skill_name else None)
    for case in file.cases:
        flag, entry = case.entry("should_trigger"), case.entry("expected_skill")
        if flag is None or entry is None or case.should_trigger is None:
            continue
        span = entry.value.span
        related = (Related("This is what SkillEvaluator goes by.", flag.span),)
        if not case.should_trigger and case.expected_skill and case.expected_skill.text == own:
            yield Finding(
                span,
                f"“should_trigger” is false, and “{own}” is expected; write null.",
                Fix("Expect no skill", (Edit(span, "null"),), safe=False),
                related,
            )
        elif case.should_trigger and case.expects_none:
            fix = None
            if own and span.start < span.end:
                fix = Fix(f"Expect “{own}”", (Edit(span, literal(file, own)),), safe=False)
            yield Finding(
                span,
                "“should_trigger” is true, and no skill is expected; name the skill.",
                fix,
                related,
            )
