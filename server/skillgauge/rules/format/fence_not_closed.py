"""A code fence is never closed, or a fence inside it turns the rest inside out.

## Why is this bad?
From an open fence on, everything is code: no heading, list or link below it counts. A fence can’t
hold another one as long as itself: the first closing line ends the outer block, text becomes code
and code becomes text.

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
The fix makes the outer fence longer where it is clear which line closes it: then every fence has
its other half.

## References
- https://spec.commonmark.org/0.31.2/#fenced-code-blocks
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.markdown import CodeBlock
from skillgauge.document.markdown_reader import read_markdown
from skillgauge.document.skill import Skill
from skillgauge.rule import Edit, Finding, Fix, Related, Severity, rule
from skillgauge.rules.format._fences import Fence, balanced, opening, opens_inside

_REREAD: Final = 10
"""How often a text is read again behind a block that is inside out."""


@rule("F070", Severity.WARNING, fix="safe")
def fence_not_closed(skill: Skill) -> Iterator[Finding]:
    """Report fences that open inside others, at the inner one, and each fence left open.

    Behind a block that is inside out the text is read anew: what follows is judged as the author
    meant it.
    """
    blocks = skill.markdown.code_blocks
    for _ in range(_REREAD):
        inverted = next(_inverted(skill, blocks), None)
        if inverted is None:
            yield from (_open(skill, block) for block in blocks if not block.closed)
            return
        pair = balanced(skill.text, inverted[0])
        yield _inside_out(skill, *inverted, pair)
        if pair is None:
            return
        blocks = read_markdown(skill.source, pair[-1].span.end).code_blocks


def _inverted(skill: Skill, blocks: tuple[CodeBlock, ...]) -> Iterator[tuple[CodeBlock, Fence]]:
    """Yield the blocks that hold a line which looks like an opening fence, with that line."""
    for block in blocks:
        inner = opens_inside(skill.text, block) if block.fenced else None
        if inner:
            yield block, inner


def _open(skill: Skill, block: CodeBlock) -> Finding:
    fence = opening(skill.text, block)
    last = skill.text.line_of(block.span.end) + 1
    return Finding(
        fence.span,
        f"This code fence is never closed, so all down to line {last} is code; close it with"
        f" “{fence.mark}”, indented as here.",
    )


def _inside_out(skill: Skill, block: CodeBlock, inner: Fence, pair: list[Fence] | None) -> Finding:
    outer = opening(skill.text, block)
    line = skill.text.line_of(outer.span.start) + 1
    fix = None
    if pair:
        longer = outer.mark[0] * (1 + max(len(fence.mark) for fence in pair))
        edits = tuple(Edit(fence.mark_span, longer) for fence in (pair[0], pair[-1]))
        fix = Fix(f"Lengthen the outer fence to “{longer}”", edits)
    return Finding(
        inner.span,
        f"“{skill.text.slice(inner.span)}” opens no fence inside the one on line {line}, and the"
        " next closing line ends that one; make the outer fence longer.",
        fix,
        related=(Related("The outer fence", outer.span),),
    )
