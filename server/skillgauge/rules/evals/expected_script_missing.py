"""A case expects a script that is not in the skill's folder.

## Why is this bad?
`expected_script` is looked for in the commands that the agent ran. A script that is not there, or
is called otherwise by now, can't be run: the case fails whatever the agent does.

## Bad
````evals
[
  {"id": 1, "prompt": "Fill in the W-9", "expected_output": "A filled form",
   "expected_script": "scripts/fil.py"}
]
````
````file scripts/fill.py
print("filled")
````

## Good
````evals
[
  {"id": 1, "prompt": "Fill in the W-9", "expected_output": "A filled form",
   "expected_script": "scripts/fill.py"}
]
````
````file scripts/fill.py
print("filled")
````

## References
- https://github.com/NVIDIA/SkillEvaluator
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.evals import EvalFile
from skillgauge.rule import Finding, Severity, rule

_SCRIPT: Final = re.compile(
    r"(?:\./)?((?:[\w.-]+/)+[\w.-]+\.(?:py|sh|bash|js|mjs|cjs|ts|rb|pl|ps1))\Z"
)


@rule("V018", Severity.WARNING, target="evals", needs={"folder"})
def expected_script_missing(file: EvalFile) -> Iterator[Finding]:
    """Report paths of scripts that no file of the skill has; of other skills nothing is known."""
    folder = file.skill.folder if file.skill else None
    if folder is None or not folder.complete:
        return
    by_name: dict[str, list[str]] = {}
    for path in folder.files:
        by_name.setdefault(path.rpartition("/")[2], []).append(path)
    for case in file.cases:
        value = case.expected_script
        if value is None or case.is_negative(file.own_name):
            continue
        match = _SCRIPT.match(value.text.strip())
        if match and not _there(by_name, match[1]):
            yield Finding(
                value.span,
                f"There is no script “{match[1]}” in the skill's folder, so no run can pass"
                f" {case.label}.",
            )


def _there(by_name: dict[str, list[str]], path: str) -> bool:
    """Return whether a file is meant, be one of the two paths written from further up."""
    return any(
        f"/{name}".endswith(f"/{path}") or f"/{path}".endswith(f"/{name}")
        for name in by_name.get(path.rpartition("/")[2], ())
    )
