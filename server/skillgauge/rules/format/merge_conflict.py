"""A merge conflict was left in the file.

## Why is this bad?
Both sides and the markers of git stand in the text. In the frontmatter they make the YAML invalid,
so that many clients leave the skill out; in the body the agent reads two versions of one passage.

## Bad
````skill
---
name: daily-notes
description: Keeps daily notes in a vault. Use when the user wants to log something.
<<<<<<< Updated upstream
license: MIT
=======
license: Apache-2.0
>>>>>>> Stashed changes
---
````

## Good
````skill
---
name: daily-notes
description: Keeps daily notes in a vault. Use when the user wants to log something.
license: MIT
---
A conflict looks like this:

```
<<<<<<< ours
=======
>>>>>>> theirs
```
````
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Related, Severity, rule
from skillgauge.rules.format._yaml import consequence
from skillgauge.text import Span

_MARKER: Final = re.compile(
    r"(?:\A|(?<=[\r\n]))(?:<{7}|\|{7}|={7}|>{7})(?=[ \r\n]|\Z)(?:[ ][^\r\n]*)?"
)


@rule("F016", Severity.ERROR, spec=Severity.ERROR, needs={"clients"})
def merge_conflict(skill: Skill) -> Iterator[Finding]:
    """Report each conflict outside code at its first marker; a lone `=======` is none."""
    for conflict in _conflicts(skill):
        first, *others = conflict
        marker = skill.text.slice(first)
        line = skill.text.line_of(conflict[-1].start) + 1
        rest = f" that ends on line {line}" if others else ""
        inside = skill.frontmatter and first.start < skill.frontmatter.span.end
        yield Finding(
            first,
            f"“{marker}” marks a merge conflict{rest}; resolve it."
            + (consequence(skill) if inside else ""),
            related=tuple(Related("Marker of the same conflict", span) for span in others),
        )


def _conflicts(skill: Skill) -> Iterator[list[Span]]:
    """Yield the markers of each conflict, in order."""
    if "<<<<<<<" not in skill.source and ">>>>>>>" not in skill.source:
        return
    current: list[Span] = []
    for match in _MARKER.finditer(skill.source):
        span = Span(match.start(), match.start() + len(match[0].rstrip(" ")))
        if skill.markdown.in_code(span.start):
            continue
        sign = match[0][0]
        if sign == "<" and current:
            yield current
            current = []
        if current or sign in "<>":
            current.append(span)
        if sign == ">":
            yield current
            current = []
    if current:
        yield current
