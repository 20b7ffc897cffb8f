"""A Python script of the skill has no trace of error handling.

## Why is this bad?
A script that ends in a traceback leaves the agent to guess. The check looks for pieces of text such
as “raise” and “if not ”, and a script may fail well without, so it is off by default and part of
the structural score (5 points off reliability).

## Bad
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
Run scripts/resize.py.
````
````file scripts/resize.py
import sys

print(open(sys.argv[1]).read())
````

## Good
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
Run scripts/resize.py.
````
````file scripts/resize.py
import sys

try:
    print(open(sys.argv[1]).read())
except OSError as error:
    sys.exit(f"{sys.argv[1]}: {error}")
````
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.reliability._handling import without

_SIGNS: Final = ("if not ", "if error", "raise", "assert", "ValueError", "FileNotFoundError")


@rule("R002", None, aces=Severity.INFO, needs={"folder"}, deduction=("reliability", 5))
def script_no_error_handling(skill: Skill) -> Iterator[Finding]:
    """Read each script right in `scripts/`."""
    if skill.aces.kind not in ("script-based", "hybrid"):
        return
    found = without(skill, skill.aces.direct("scripts", ".py"), _SIGNS)
    if found:
        names = ", ".join(posixpath.basename(path) for path in found[:3])
        yield Finding(skill.head, f"No error is handled in {names}.")
