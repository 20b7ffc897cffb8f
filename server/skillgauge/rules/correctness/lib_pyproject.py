"""A skill that brings a Python package has no pyproject.toml.

## Why is this bad?
Without it the package can't be installed, nor its dependencies be known. A package that scripts
import from beside them needs none, so the check is off by default and part of the structural score
(10 points off correctness).

## Bad
````skill
---
name: parse-invoices
description: Parses invoices. Use when a bill must be read.
---
Import the package `invoices`.
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
Import the package `invoices`.
````
````file invoices/__init__.py
RATE = 0.19
````
````file pyproject.toml
[project]
name = "invoices"
version = "1.0"
````
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule


@rule("C013", None, aces=Severity.WARNING, needs={"folder"}, deduction=("correctness", 10))
def lib_pyproject(skill: Skill) -> Iterator[Finding]:
    """Look for the file beside the document."""
    view, folder = skill.aces, skill.folder
    if view.kind != "lib-based" or folder is None:
        return
    if "pyproject.toml" not in folder.files and "pyproject.toml" not in folder.directories:
        yield Finding(
            skill.head, f"The package “{view.library}” has no pyproject.toml; add one beside it."
        )
