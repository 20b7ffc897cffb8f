"""All requests of an evaluation file call the skill by its name.

## Why is this bad?
A user who wants a form filled does not say “use fill-forms”. With the name in every prompt the
skill is always found, and the file says nothing about its description: whether it triggers by
itself is never tested. Keep one such case and say the others as users do.

## Bad
````skill
---
name: fill-forms
description: Fills PDF forms.
---
````
````evals
{
  "skill_name": "fill-forms",
  "evals": [
    {"id": 1, "prompt": "Use fill-forms to fill in the W-9", "expected_output": "A filled form"},
    {"id": 2, "prompt": "/fill-forms fill in the W-4", "expected_output": "A filled form"},
    {"id": 3, "prompt": "With the skill fill-forms, put me in", "expected_output": "A form"}
  ]
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
  "evals": [
    {"id": 1, "prompt": "Use fill-forms to fill in the W-9", "expected_output": "A filled form"},
    {"id": 2, "prompt": "Fill in the W-4", "expected_output": "A filled form"},
    {"id": 3, "prompt": "Put my address into this PDF", "expected_output": "A filled form"}
  ]
}
````

## References
- https://agentskills.io/skill-creation/optimizing-descriptions
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.evals import EvalFile
from skillgauge.rule import Finding, Severity, rule

FROM: Final = 3
"""With fewer requests there is more to say first."""


@rule("V022", Severity.HINT, target="evals")
def prompts_name_skill(file: EvalFile) -> Iterator[Finding]:
    """Report a file in which every positive case names the skill as a word."""
    own = file.own_name
    if not own or not file.complete:
        return
    prompts = [case.prompt.text for case in file.cases if case.prompt and not case.is_negative(own)]
    name = _pattern(own)
    if len(prompts) >= FROM and all(name.search(prompt) for prompt in prompts):
        yield Finding(
            file.top,
            f"All {len(prompts)} requests call the skill “{own}” by name; say most as users do, so"
            " that it is tested whether its description is found.",
        )


def _pattern(own: str) -> re.Pattern[str]:
    """Return what finds the name; one that is a plain word must be called as a name is."""
    word = rf"(?<![\w-]){re.escape(own)}(?![\w-])"
    if own.isalpha():
        word = (
            rf"[/$@]{re.escape(own)}(?![\w-])|{word}[\"'`”’]*\s+skill\b|\bskill\s+[\"'`“‘]*{word}"
        )
    return re.compile(word, re.IGNORECASE)
