"""An evaluation file is for another skill than the one that it lies beside.

## Why is this bad?
Tools take the name of the skill under test from the file: as the skill that every case expects, and
as the name of the results. After a skill was renamed or copied, each case then waits for a skill
that is not there, and counts as not triggered.

## Bad
````skill
---
name: fill-forms
description: Fills PDF forms.
---
````
````evals
{
  "skill_name": "form-filler",
  "evals": [{"id": 1, "prompt": "Fill in the W-9", "expected_output": "A filled form"}]
}
````

## Good
````skill
---
name: fill-forms
description: Fills PDF forms.
---
````
````evals
{
  "skill_name": "fill-forms",
  "evals": [{"id": 1, "prompt": "Fill in the W-9", "expected_output": "A filled form"}]
}
````

## Fix safety
`skill_name` is mended safely where the skill and its folder agree on the name. What cases expect is
changed by an unsafe fix: another skill may be meant.

## References
- https://agentskills.io/skill-creation/evaluating-skills
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.evals import EvalFile
from skillgauge.document.nodes import Scalar
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.rules.evals._shared import in_cases, literal


@rule("V017", Severity.WARNING, target="evals", fix="mixed", needs={"workspace"}, reveals=True)
def skill_name_differs(file: EvalFile) -> Iterator[Finding]:
    """Report the wrong name in the file's head, and cases that all expect one other skill."""
    skill = file.skill
    if skill is None or not skill.name:
        return
    own = skill.name
    sure = skill.folder_name == own
    given = file.skill_name
    if given and given.type == "str" and given.text not in (own, skill.folder_name):
        edit = Edit(given.span, literal(file, own))
        yield Finding(
            given.span,
            f"The file names the skill “{given.text}”, and lies beside “{own}”.",
            Fix(f"Write “{own}”", (edit,), safe=sure),
        )
    yield from _expected(file, own)


def _expected(file: EvalFile, own: str) -> Iterator[Finding]:
    """Report the one other skill that all cases expect, unless the workspace has it."""
    skill = file.skill
    named = [case.expected_skill for case in file.cases if case.expected_skill]
    others = {value.text for value in named}
    if len(others) != 1 or own in others or skill is None or file.skill_name is not None:
        return
    if any(case.should_trigger is False for case in file.cases if case.expected_skill):
        return
    other = others.pop()
    known = skill.workspace.others(skill) if skill.workspace else ()
    if other == skill.folder_name or not other.strip() or any(s.name == other for s in known):
        return
    edits = tuple(Edit(value.span, literal(file, own)) for value in named)
    first: Scalar = named[0]
    yield Finding(
        first.span,
        f"The skill beside is called “{own}”, and the file expects “{other}”"
        f"{in_cases(len(named))}: none can be triggered.",
        Fix(f"Expect “{own}”", edits, safe=False),
    )
