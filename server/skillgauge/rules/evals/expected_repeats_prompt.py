"""The expected output of a case says the same as its prompt.

## Why is this bad?
The expected output is what a result is held against. When it only says the request again, any
answer on the topic fits it, and a judge has to invent what success is.

## Bad
````evals
[{"id": 1, "prompt": "Fill in the W-9 form for me", "expected_output": "Fill in the W-9 form."}]
````

## Good
````evals
[
  {"id": 1, "prompt": "Fill in the W-9 form for me",
   "expected_output": "A PDF whose lines 1 to 7 hold the user's name, address and tax number."}
]
````

## References
- https://agentskills.io/skill-creation/evaluating-skills
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from skillgauge.document.evals import EvalFile
from skillgauge.rule import Finding, Related, Severity, rule
from skillgauge.rules.evals._shared import words

MIN_WORDS: Final = 4
COVERED: Final = 0.95
"""The part of the expected output's words, each with how often it stands, that the prompt has."""
LONGER: Final = 3
"""A prompt that long in comparison gives material, from which an answer may well be taken."""


@rule("V014", Severity.WARNING, target="evals")
def expected_repeats_prompt(file: EvalFile) -> Iterator[Finding]:
    """Report expected outputs nearly all of whose words are those of a prompt of like length."""
    for case in file.cases:
        if case.prompt is None or case.expected_output is None:
            continue
        expected, asked = words(case.expected_output.text), words(case.prompt.text)
        if len(expected) < MIN_WORDS or len(asked) > len(expected) * LONGER:
            continue
        shared = (Counter(expected) & Counter(asked)).total()
        if shared >= COVERED * len(expected):
            yield Finding(
                case.expected_output.span,
                f"This says the prompt again; say what {case.label} should lead to.",
                related=(Related("The prompt.", case.prompt.span),),
            )
