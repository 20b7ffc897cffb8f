r"""A path to a bundled file is written with backslashes.

## Why is this bad?
A path with backslashes works on one system only; with forward slashes it works on all. The check
reads the whole file, regular expressions and shell escapes too, so it is off by default and part of
the structural score (10 points off correctness).

## Bad
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
Run scripts\resize.py on each picture.
````

## Good
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
Run scripts/resize.py on each picture.
````
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule

_PATH: Final = re.compile(r"(?:scripts|references|assets)\\[\w\\]+")
_SIGNS: Final = ("scripts\\", "references\\", "assets\\")


@rule("C002", None, aces=Severity.WARNING, deduction=("correctness", 10))
def windows_path(skill: Skill) -> Iterator[Finding]:
    """Report the first match."""
    view = skill.aces
    if any(sign in view.text for sign in _SIGNS) and (match := _PATH.search(view.text)):
        yield Finding(
            view.span(*match.span()), f"“{match[0]}” has backslashes; write forward slashes."
        )
