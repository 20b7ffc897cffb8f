"""The document has no word for errors, failures or validation.

## Why is this bad?
An agent that meets an error without advice tries what comes to mind. The check looks for any of a
closed list of words, and a skill about style needs none of them, so it is off by default and part
of the structural score (10 points off reliability).

## Bad
````skill
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
Resize them. If a file is no picture, the error says so: skip it and go on.
````
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule

# A literal in front lets the search skip; what stands before it is looked at by hand.
_WORDS: Final = (
    re.compile(r"errors?\b"),
    re.compile(r"fail(?:s|ed|ing|ures?)?\b"),
    re.compile(r"invalid\b"),
    re.compile(r"validat(?:e[sd]?|ing|ions?)\b"),
    re.compile(r"exceptions?\b"),
)


@rule("R001", None, aces=Severity.INFO, deduction=("reliability", 10))
def error_handling_missing(skill: Skill) -> Iterator[Finding]:
    """Look for one of the words anywhere in the file."""
    lower = skill.aces.lower
    if any(_begins_a_word(match) for words in _WORDS for match in words.finditer(lower)):
        return
    yield Finding(skill.head, "The text does not say what to do when a step fails.")


def _begins_a_word(match: re.Match[str]) -> bool:
    before = match.string[match.start() - 1] if match.start() else " "
    return not (before.isalnum() or before == "_")
