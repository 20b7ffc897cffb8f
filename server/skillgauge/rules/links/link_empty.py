"""A link has a text but no destination.

## Why is this bad?
The text promises a place to read on, and there is none. It is usually a link that was to be filled
in later.

## Bad
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
For fields that repeat, read [the guide]().
````

## Good
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
Repeated fields take the value of the first one.
````
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule


@rule("L015", Severity.WARNING)
def link_empty(skill: Skill) -> Iterator[Finding]:
    """Report each inline link without a destination, checkboxes left out."""
    for link in skill.markdown.links:
        text = link.text.strip()
        if link.kind == "inline" and not link.destination.strip() and len(text) > 1:
            yield Finding(
                link.span, f"The link “{text}” leads nowhere; name its file or remove the link."
            )
