"""A second frontmatter block follows the first.

## Why is this bad?
Clients read the first block alone. What the second says is text to them, so a name or description
that was to replace the other has no effect, and the agent reads raw YAML.

## Bad
````skill
---
name: release-notes
description: Writes notes.
---

---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
---
# Release notes
````

## Good
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
---
# Release notes
````

## Fix safety
The fix removes a second block of which every entry stands in the first as well.

## References
- https://agentskills.io/specification
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.frontmatter import find_frontmatter
from skillgauge.document.nodes import Entry
from skillgauge.document.skill import Skill
from skillgauge.rule import Edit, Finding, Fix, Related, Severity, rule
from skillgauge.text import Span


@rule("F005", Severity.ERROR, fix="safe")
def frontmatter_twice(skill: Skill) -> Iterator[Finding]:
    """Report a block with keys right below the frontmatter, at its opening line."""
    first = skill.frontmatter
    if first is None or not first.closed:
        return
    rest = skill.source[first.span.end :]
    text = rest.lstrip()
    if not text.startswith("---"):
        return
    start = len(skill.source) - len(text)
    second = find_frontmatter(text)
    if second is None or not second.closed or second.before.end or not second.entries:
        return
    if not (second.has("name") or second.has("description")):
        return
    known = {_content(skill.source, entry) for entry in first.entries}
    again = {_content(text, entry) for entry in second.entries}
    fix = None
    if again <= known and not second.broken:
        block = Span(start, start + second.span.end)
        fix = Fix("Remove the second block", (Edit(block, ""),))
    yield Finding(
        second.opening.shift(start),
        "A second frontmatter begins here, and clients read the first alone; merge the two.",
        fix,
        related=(Related("The first frontmatter", first.opening),),
    )


def _content(source: str, entry: Entry) -> tuple[str, str]:
    return entry.key, source[entry.value.span.start : entry.value.span.end]
