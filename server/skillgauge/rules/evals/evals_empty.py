"""An evaluation file has no cases.

## Why is this bad?
The list is there and holds nothing: tools report success without having run anything, or refuse the
file. Write cases, or remove the file until there are some.

## Bad
````evals
{"skill_name": "demo", "evals": []}
````

## Good
````evals
{
  "skill_name": "demo",
  "evals": [{"id": 1, "prompt": "Fill in the W-9", "expected_output": "A filled form"}]
}
````
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.evals import EvalFile
from skillgauge.rule import Finding, Severity, rule


@rule("V028", Severity.WARNING, target="evals")
def evals_empty(file: EvalFile) -> Iterator[Finding]:
    """Report a list of cases without any."""
    if file.complete and file.container is not None and not file.container.items:
        yield Finding(file.top, "The list of cases is empty, so nothing is measured; add cases.")
