"""A module of the skill's Python package has no trace of error handling.

## Why is this bad?
A function that takes whatever it is given returns nonsense for nonsense. The check looks for pieces
of text such as “raise”, and many modules need none, so it is off by default and part of the
structural score (5 points off reliability).

## Bad
````skill
---
name: parse-invoices
description: Parses invoices. Use when a bill must be read.
---
Call the function `invoices.read.total`.
````
````file invoices/__init__.py
````
````file invoices/read.py
def total(lines):
    return sum(lines)
````

## Good
````skill
---
name: parse-invoices
description: Parses invoices. Use when a bill must be read.
---
Call the function `invoices.read.total`.
````
````file invoices/__init__.py
````
````file invoices/read.py
def total(lines):
    if not lines:
        raise ValueError("an invoice has lines")
    return sum(lines)
````
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.reliability._handling import without

_SIGNS: Final = ("raise", "assert", "ValueError", "TypeError", "RuntimeError")


@rule("R003", None, aces=Severity.INFO, needs={"folder"}, deduction=("reliability", 5))
def lib_no_error_handling(skill: Skill) -> Iterator[Finding]:
    """Read each module of the package, at any depth."""
    view, folder = skill.aces, skill.folder
    if view.kind != "lib-based" or folder is None:
        return
    modules = sorted(
        path
        for path in folder.files
        if path.startswith(f"{view.library}/")
        and path.endswith(".py")
        and posixpath.basename(path) != "__init__.py"
    )
    found = without(skill, modules, _SIGNS)
    if found:
        yield Finding(skill.head, f"No error is handled in {', '.join(found[:3])}.")
