"""A heading is more than one level below the heading before it.

## Why is this bad?
The outline has a hole: a reader can't tell whether a part is missing, and what folds or extracts
sections by level puts the text elsewhere.

## Bad
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
---
# Release notes

### From tags
````

## Good
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
---
# Release notes

## From tags
````
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Related, Severity, rule


@rule("F071", Severity.HINT)
def heading_skipped(skill: Skill) -> Iterator[Finding]:
    """Report headings that skip a level; those in quotes and lists are no part of the outline."""
    found = skill.markdown
    headings = found.headings
    if all(below.level <= above.level + 1 for above, below in pairwise(headings)):
        return
    inside = [*found.quotes, *(item.span for item in found.lists)]
    headings = [
        heading
        for heading in headings
        if not any(span.start <= heading.span.start < span.end for span in inside)
    ]
    for above, heading in pairwise(headings):
        if heading.level > above.level + 1:
            line = skill.text.line_of(above.span.start) + 1
            yield Finding(
                heading.span,
                f"This heading of level {heading.level} follows one of level {above.level} on line"
                f" {line}; make it level {above.level + 1}.",
                related=(Related("The heading before", above.span),),
            )
