"""The description has the word something, things, stuff, various or general.

## Why is this bad?
Such a word stands where the thing itself could be named, and a name is what an agent matches a
request against. Some uses are exact (“general relativity”), so the check is off by default and part
of the structural score (15 points off discoverability).

## Bad
````skill
---
name: convert-files
description: Converts various files. Use when a file has the wrong format.
---
Convert them.
````

## Good
````skill
---
name: convert-files
description: Converts DOCX and ODT to PDF. Use when a file has the wrong format.
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

_VAGUE: Final = terms("something", "things", "stuff", "various", "general")


@rule("D004", None, aces=Severity.WARNING, deduction=("discoverability", 15))
def description_vague_word(skill: Skill) -> Iterator[Finding]:
    """Report the first of the words."""
    if match := _VAGUE.search(skill.aces.description):
        yield Finding(
            skill.aces.value_span("description", match[0]),
            f"“{match[0]}” tells an agent nothing to match a request against; name it.",
        )
