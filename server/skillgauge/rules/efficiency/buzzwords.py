"""The document has one of the words utilize, facilitate, leverage, paradigm and synergy.

## Why is this bad?
Plain words are shorter and say the same: use, help, pattern. The words have exact uses too
(leverage in finance, a programming paradigm), so the check is off by default and part of the
structural score (5 points off efficiency).

## Bad
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
Utilize ImageMagick.
````

## Good
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
Use ImageMagick.
````
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.aces_view import terms
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule

_LIST: Final = ("utilize", "facilitate", "leverage", "paradigm", "synergy")
_WORDS: Final = terms(*_LIST)


@rule("E005", None, aces=Severity.INFO, deduction=("efficiency", 5))
def buzzwords(skill: Skill) -> Iterator[Finding]:
    """Report the first of the words, wherever it stands in the file."""
    view = skill.aces
    if not any(word in view.lower for word in _LIST):
        return
    if match := _WORDS.search(view.text):
        yield Finding(view.span(*match.span()), f"“{match[0]}” is a long word for a plain thing.")
