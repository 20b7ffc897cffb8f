"""A paragraph, list item or code block stands in the document twice.

## Why is this bad?
The second copy costs context and says nothing new, and sooner or later only one of the two is
changed. Say it once and refer to it.

## Bad
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
## Photographs

Keep the colour profile and the meta data of the picture, and write the result beside the original.

## Drawings

Keep the colour profile and the meta data of the picture, and write the result beside the original.
````

## Good
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
Keep the colour profile and the meta data of the picture, and write the result beside the original.

## Photographs

Write JPEG.

## Drawings

Write PNG.
````
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Related, Severity, rule
from skillgauge.text import Span

_SHORTEST: Final = 90  # characters; shorter passages repeat for good reasons
_FEWEST_LINES: Final = 5  # of code


@rule("E103", Severity.HINT)
def repeated_passage(skill: Skill) -> Iterator[Finding]:
    """Compare the passages without regard to line breaks; the first of equals is the original."""
    seen: dict[str, Span] = {}
    end = 0  # of the last repetition: what lies in it is not told again
    for span in sorted(_passages(skill)):
        words = " ".join(skill.text.slice(span).split())
        first = seen.setdefault(words, span)
        if first.start == span.start or span.start < end or span.start < first.end:
            continue
        end = span.end
        line = skill.text.line_of(first.start) + 1
        yield Finding(
            span,
            f"This repeats line {line} word for word; keep one of the two.",
            related=(Related("The same passage", first),),
        )


def _passages(skill: Skill) -> Iterator[Span]:
    found = skill.markdown
    for span in found.paragraphs:
        if span.end - span.start >= _SHORTEST:
            yield span
    for group in found.lists:
        for item in group.items:
            if item.span.end - item.span.start >= _SHORTEST:
                yield item.span
    for block in found.code_blocks:
        start, end = block.content
        if end - start >= _SHORTEST and skill.source.count("\n", start, end) >= _FEWEST_LINES:
            yield block.content
