"""A skill that brings a Python package and resources says nothing of the resources.

## Why is this bad?
Files that no text mentions are not found. The check looks for any of a few words in the whole file;
it is off by default and part of the structural score (5 points off correctness).

## Bad
````skill
---
name: parse-invoices
description: Parses invoices. Use when a bill must be read.
---
Call the function `invoices.read` for each bill.
````
````file invoices/__init__.py
RATE = 0.19
````
````file assets/blank.txt
Total:
````

## Good
````skill
---
name: parse-invoices
description: Parses invoices. Use when a bill must be read.
---
Call the function `invoices.read` for each bill and fill in the template `assets/blank.txt`.
````
````file invoices/__init__.py
RATE = 0.19
````
````file assets/blank.txt
Total:
````
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.correctness._resources import MENTIONED


@rule("C016", None, aces=Severity.INFO, needs={"folder"}, deduction=("correctness", 5))
def lib_resources_undocumented(skill: Skill) -> Iterator[Finding]:
    """Look for a word for resources."""
    view = skill.aces
    if view.kind == "lib-based" and view.resources and not MENTIONED.search(view.text):
        names = ", ".join(f"{name}/" for name in view.resources)
        yield Finding(skill.head, f"The text does not say what {names} is for.")
