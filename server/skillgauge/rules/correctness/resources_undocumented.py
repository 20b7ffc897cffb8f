"""A skill with resources says nothing of them.

## Why is this bad?
Files that no text mentions are not found. The check looks for any of a few words, in the singular,
anywhere in the file (`assets/logo.svg` is none of them), so it is off by default and part of the
structural score (10 points off correctness).

## Bad
````skill
---
name: write-letter
description: Writes a letter. Use when a customer must be answered.
---
Write the letter.
````
````file assets/letter.txt
Dear …
````

## Good
````skill
---
name: write-letter
description: Writes a letter. Use when a customer must be answered.
---
Write the letter after the template `assets/letter.txt`.
````
````file assets/letter.txt
Dear …
````
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.correctness._resources import MENTIONED


@rule("C017", None, aces=Severity.WARNING, needs={"folder"}, deduction=("correctness", 10))
def resources_undocumented(skill: Skill) -> Iterator[Finding]:
    """Look for a word for resources."""
    view = skill.aces
    if view.kind == "resource-based" and not MENTIONED.search(view.text):
        names = ", ".join(f"{name}/" for name in view.resources)
        yield Finding(skill.head, f"The text does not say what {names} is for.")
