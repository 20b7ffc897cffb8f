"""A code fence has no other half, or pairs with another one than its author meant.

## Why is this bad?
From an open fence on, everything is code: no heading, list or link below it counts. A fence can’t
hold another one as long as itself, and a tag right above a fence makes HTML of it. Then the first
closing line ends the wrong block, text becomes code and code becomes text.

## Bad
`````skill
---
name: commit-messages
description: Writes commit messages. Use when the user commits.
---
# Commit messages

```markdown
Run the formatter first:

```bash
make format
```

Then commit.
```

## Style
`````

## Good
`````skill
---
name: commit-messages
description: Writes commit messages. Use when the user commits.
---
# Commit messages

````markdown
Run the formatter first:

```bash
make format
```

Then commit.
````

## Style
`````

## Fix safety
The fix makes the outer fence longer where fences nest in one of Markdown or text, or puts an empty
line below the tag. It is unsafe where the outer fence names no language, as another slip may be the
reason.

## References
- https://spec.commonmark.org/0.31.2/#fenced-code-blocks
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Edit, Finding, Fix, Related, Severity, rule
from skillgauge.rules.format._block import line_break
from skillgauge.rules.format._fences import Fault, faults
from skillgauge.text import Span


@rule("F070", Severity.WARNING, fix="mixed", reveals=True)
def fence_not_closed(skill: Skill) -> Iterator[Finding]:
    """Report each fence that pairs with none or with another than its author meant."""
    for fault in faults(skill):
        related = (Related("The fence or tag above", fault.outer),) if fault.outer else ()
        yield Finding(fault.at.span, _message(skill, fault), _fix(skill, fault), related=related)


def _message(skill: Skill, fault: Fault) -> str:
    shown = skill.text.slice(fault.at.span)
    line = skill.text.line_of(fault.outer.start) + 1 if fault.outer else 0
    if fault.kind == "nested":
        return (
            f"“{shown}” opens no fence inside the one on line {line}, and the next closing line"
            " ends that one; make the outer fence longer."
        )
    if fault.kind == "unclosed":
        return f"The code fence on line {line} is not closed before this one; close it first."
    if fault.kind == "stray":
        return (
            f"“{shown}” looks like a closing fence, but no fence is open here, so it opens one;"
            " remove it or write the opening fence."
        )
    if fault.kind == "html":
        return (
            f"“{shown}” is part of the HTML that the tag on line {line} begins, and no fence; put"
            " an empty line between them."
        )
    return (
        f"This code fence is never closed, so all below it is code; close it with"
        f" “{fault.at.mark}”, indented as here."
    )


def _fix(skill: Skill, fault: Fault) -> Fix | None:
    if fault.kind == "nested" and fault.pair:
        longer = fault.pair[0].mark[0] * (1 + max(len(fence.mark) for fence in fault.pair))
        ends = (fault.pair[0], fault.pair[-1])
        edits = tuple(Edit(fence.mark_span, longer) for fence in ends)
        return Fix(f"Lengthen the outer fence to “{longer}”", edits, safe=fault.sure)
    if fault.kind == "html":
        line = skill.text.line_span(skill.text.line_of(fault.at.span.start)).start
        return Fix("Insert an empty line", (Edit(Span(line, line), line_break(skill)),))
    return None
