"""The description has none of the words use, when, for, helps and allows.

## Why is this bad?
A description should say when the skill is of use. Nearly every text has a “for”, and good triggers
can do without these words, so the check is off by default and part of the structural score (10
points off discoverability). The rule `description-no-trigger` asks more exactly.

## Bad
````skill
---
name: resize-images
description: Resizes images to a given width and keeps the colours.
---
Resize them.
````

## Good
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large to send.
---
Resize them.
````
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.aces_view import terms
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule

_WORDS: Final = terms("use", "when", "for", "helps", "allows")


@rule("D003", None, aces=Severity.INFO, deduction=("discoverability", 10))
def description_no_purpose_word(skill: Skill) -> Iterator[Finding]:
    """Look for one of the words."""
    text = skill.aces.description
    if text and not _WORDS.search(text):
        yield Finding(
            skill.aces.value_span("description"),
            "The description does not say when to use the skill; add “Use when …”.",
        )
