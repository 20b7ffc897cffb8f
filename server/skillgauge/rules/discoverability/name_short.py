"""The folder's name has fewer than five characters.

## Why is this bad?
A short name says little in a list. Many good names are short (`tdd`, `docx`), so the check is off
by default and part of the structural score (10 points off discoverability).

## Bad
````skill
---
name: img
description: Resizes images. Use when pictures are too large.
---
Resize them.
````

## Good
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
Resize them.
````
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.discoverability._names import place_of_folder_name

_SHORTEST: Final = 5


@rule("D008", None, aces=Severity.WARNING, needs={"folder"}, deduction=("discoverability", 10))
def name_short(skill: Skill) -> Iterator[Finding]:
    """Count the characters of the folder's name."""
    name = skill.folder_name
    if name is not None and len(name) < _SHORTEST:
        yield Finding(
            place_of_folder_name(skill),
            f"The folder's name “{name}” has {len(name)} characters, under {_SHORTEST}.",
        )
