"""An evaluation file has too few cases to tell a lift from chance.

## Why is this bad?
Agents answer the same request differently from run to run. With fewer than five cases no interval
around the measured difference is worth anything, and a comparison of two versions of the skill is a
toss of a coin.

## Bad
````evals
[{"id": 1, "prompt": "Fill in the W-9", "expected_output": "A filled form"}]
````

## Good
````evals
[
  {"id": 1, "prompt": "Fill in the W-9", "expected_output": "A filled form"},
  {"id": 2, "prompt": "Fill in the W-4", "expected_output": "A filled form"},
  {"id": 3, "prompt": "Put my address into this form", "expected_output": "A filled form"},
  {"id": 4, "prompt": "Sign page 2 of the contract", "expected_output": "A signed contract"},
  {"id": 5, "prompt": "Merge these two PDFs", "should_trigger": false}
]
````
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.evals import EvalFile
from skillgauge.rule import Finding, Severity, rule

ENOUGH: Final = 5


@rule("V016", Severity.HINT, target="evals")
def too_few_cases(file: EvalFile) -> Iterator[Finding]:
    """Report a file with one to four cases."""
    count = len(file.cases)
    if file.complete and 0 < count < ENOUGH:
        number = "one case" if count == 1 else f"{count} cases"
        yield Finding(
            file.top,
            f"With {number} a difference can't be told from chance; take {ENOUGH} at least, better"
            " ten.",
        )
