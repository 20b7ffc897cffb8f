"""A skill that brings a Python package says nothing of its modules, functions or imports.

## Why is this bad?
An agent can use a package only if it knows what to import. The check looks for any of a few words
in the whole file; it is off by default and part of the structural score (10 points off
correctness).

## Bad
````skill
---
name: parse-invoices
description: Parses invoices. Use when a bill must be read.
---
Read each bill.
````
````file invoices/__init__.py
RATE = 0.19
````

## Good
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
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule

# The reference takes “classe” and “classes” for words of this kind, and not “class”.
_SPOKEN_OF: Final = re.compile(
    r"\b(?:import\s+\w+|from\s+\w+\s+import|api|modules?|library|libraries|packages?|classes?"
    r"|functions?)\b",
    re.IGNORECASE,
)


@rule("C014", None, aces=Severity.WARNING, needs={"folder"}, deduction=("correctness", 10))
def lib_api_docs(skill: Skill) -> Iterator[Finding]:
    """Look for a word about the package's interface."""
    view = skill.aces
    if view.kind == "lib-based" and not _SPOKEN_OF.search(view.text):
        yield Finding(
            skill.head,
            f"The text does not say what to import or call of the package “{view.library}”.",
        )
