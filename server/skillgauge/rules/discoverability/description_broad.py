"""A long description speaks of data, files or the like and never says what it is not for.

## Why is this bad?
A skill for “files” is chosen for many requests that it doesn't serve; saying what it is not for
holds it back. The words are common and few good skills name exceptions, so the check is off by
default and part of the structural score (5 points off discoverability).

## Bad
````skill
---
name: convert-files
description: >
  Converts files between the formats of office programs. Use when a document has the wrong format
  for its reader.
---
Convert them.
````

## Good
````skill
---
name: convert-files
description: >
  Converts files between the formats of office programs. Use when a document has the wrong format
  for its reader. Do not use for pictures.
---
Convert them.
````
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.aces_view import terms
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule

_BROAD: Final = terms("data", "files", "documents", "project", "manage", "handle", "process")
_LIMITS: Final = terms("not for", "do not use", "instead use", "except when", "not when")
_SHORT: Final = 100


@rule("D006", None, aces=Severity.INFO, deduction=("discoverability", 5))
def description_broad(skill: Skill) -> Iterator[Finding]:
    """Report the first broad word of a description without limits."""
    text = skill.aces.description
    if len(text) <= _SHORT or _LIMITS.search(text):
        return
    if match := _BROAD.search(text):
        yield Finding(
            skill.aces.value_span("description", match[0]),
            f"“{match[0]}” is a wide field; say what the skill is not for.",
        )
