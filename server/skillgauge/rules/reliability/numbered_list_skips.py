"""The numbers of a list skip or repeat: 1, 2, 4.

## Why is this bad?
An agent reads the numbers as they are written, and “go back to step 3” then has no target or two. A
number that is missing may also be a step that got lost.

## Bad
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
1. Open the picture.
2. Measure it.
4. Resize it.
````

## Good
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
1. Open the picture.
2. Measure it.
3. Resize it.
````

## Fix safety
The fix numbers the items from the first on. It is unsafe: a step may be missing, and text elsewhere
may refer to the old numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.text import Span

_NUMBER: Final = re.compile(r"(\d{1,9})[.)]")


@rule("R102", Severity.HINT, fix="unsafe")
def numbered_list_skips(skill: Skill) -> Iterator[Finding]:
    """Compare each number with the one before; a list of equal numbers is a way to write one."""
    for group in skill.markdown.lists:
        if group.start is None:
            continue
        found = [_NUMBER.match(skill.source, item.span.start) for item in group.items]
        marks = [match for match in found if match]
        numbers = [int(match[1]) for match in marks]
        if len(marks) < len(found) or len(set(numbers)) < 2:
            continue
        wrong = next(
            (at + 1 for at, (one, two) in enumerate(pairwise(numbers)) if two != one + 1), None
        )
        if wrong:
            mark = marks[wrong]
            yield Finding(
                Span(*mark.span(1)),
                f"After {numbers[wrong - 1]} comes {mark[1]}; number the items one by one.",
                _renumber(marks, numbers),
            )


def _renumber(marks: list[re.Match[str]], numbers: list[int]) -> Fix | None:
    wanted = [str(numbers[0] + index) for index in range(len(marks))]
    if any(len(mark[1]) != len(number) for mark, number in zip(marks, wanted, strict=True)):
        return None  # a wider number moves the text behind it, and nested blocks fall out
    edits = tuple(
        Edit(Span(*mark.span(1)), number)
        for mark, number in zip(marks, wanted, strict=True)
        if mark[1] != number
    )
    return Fix("Number the items one by one", edits, safe=False)
