"""Cases list what they expect under `expectations`, a name that only some tools read.

## Why is this bad?
skill-creator calls the checks of a case `expectations`; the format of agentskills.io and tools that
follow it, SkillEvaluator among them, look for `assertions`. They take such a file without complaint
and check nothing.

## Bad
````evals
{
  "skill_name": "demo",
  "evals": [
    {"id": 1, "prompt": "Fill in the W-9", "expected_output": "A filled form",
     "expectations": ["The PDF holds the name"]}
  ]
}
````

## Good
````evals
{
  "skill_name": "demo",
  "evals": [
    {"id": 1, "prompt": "Fill in the W-9", "expected_output": "A filled form",
     "assertions": ["The PDF holds the name"]}
  ]
}
````

## Fix safety
The fix renames the key in all cases. It is unsafe: scripts of skill-creator may look for the old
name.

## References
- https://agentskills.io/skill-creation/evaluating-skills
- https://github.com/anthropics/skills/tree/main/skills/skill-creator
- https://github.com/NVIDIA/SkillEvaluator
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.evals import EvalFile
from skillgauge.rule import Finding, Fix, Severity, rule
from skillgauge.rules.evals._shared import entries_of, in_cases, rename, with_key


@rule("V005", Severity.INFO, target="evals", fix="unsafe")
def expectations_ignored(file: EvalFile) -> Iterator[Finding]:
    """Report the first such key; the fix converts them all."""
    found = list(with_key(file, "expectations"))
    if not found:
        return
    checks = {"assertions", "expected_behavior"}
    both = any(checks & {entry.key for entry in entries_of(case)} for case, _ in found)
    fix = None
    if not both:
        edits = tuple(rename(file, entry, "assertions") for _, entry in found)
        fix = Fix("Rename “expectations” to “assertions”", edits, safe=False)
    yield Finding(
        found[0][1].key_span,
        f"SkillEvaluator and others that read “assertions” pass over “expectations”"
        f"{in_cases(len(found))} and check nothing.",
        fix,
    )
