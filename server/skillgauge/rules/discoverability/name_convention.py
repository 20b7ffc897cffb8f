"""The folder's name does not begin with a lower-case letter or holds other than a-z, 0-9, _ and -.

## Why is this bad?
Capitals and blanks in a folder's name break on some systems and in some clients. The specification
allows a digit in front and forbids the underscore, here it is the reverse; so the check is off by
default and part of the structural score (10 points off discoverability).

## Bad
````skill folder=ResizeImages
---
name: resize-images
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

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.discoverability._names import place_of_folder_name

_GOOD: Final = re.compile(r"[a-z][a-z0-9_-]*")


@rule("D009", None, aces=Severity.WARNING, needs={"folder"}, deduction=("discoverability", 10))
def name_convention(skill: Skill) -> Iterator[Finding]:
    """Compare the folder's name with the pattern."""
    name = skill.folder_name
    if name is not None and not _GOOD.fullmatch(name):
        yield Finding(
            place_of_folder_name(skill),
            f"The folder's name “{name}” is not of lower-case letters, digits, - and _ with a"
            " letter first.",
        )
