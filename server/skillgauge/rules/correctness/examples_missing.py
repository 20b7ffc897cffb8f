"""The document shows no example: no code fence, no “Example:” and no “## Examples”.

## Why is this bad?
One good example settles what a page of description leaves open. Many good skills do without, so
this is a check of the structural score (5 points off correctness) and off by default.

## Bad
````skill
---
name: write-changelog
description: Writes a changelog entry. Use when a release is prepared.
---
# Write a changelog

List what changed for the people who use the product.
````

## Good
````skill
---
name: write-changelog
description: Writes a changelog entry. Use when a release is prepared.
---
# Write a changelog

List what changed for the people who use the product.

## Examples

- Fixed: the export no longer drops the last row.
````
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule

_SHOWN: Final = ("```", "Example:", "## Examples")


@rule("C001", None, aces=Severity.INFO, deduction=("correctness", 5))
def examples_missing(skill: Skill) -> Iterator[Finding]:
    """Look for the marks of an example anywhere in the file."""
    if not any(mark in skill.aces.text for mark in _SHOWN):
        yield Finding(
            skill.head, "No example is shown; add a code block or a section “## Examples”."
        )
