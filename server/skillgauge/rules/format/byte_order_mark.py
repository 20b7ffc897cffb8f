r"""The file begins with a byte order mark.

## Why is this bad?
The mark is an invisible character before the frontmatter. The reference validator and other strict
readers then find no `---` at the beginning and refuse a good skill. UTF-8 needs no such mark.

## Bad
````skill escaped
\u{FEFF}---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
---
````

## Good
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
---
````

## References
- https://www.unicode.org/faq/utf_bom.html
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.text import Span


@rule("F060", Severity.WARNING, fix="safe")
def byte_order_mark(skill: Skill) -> Iterator[Finding]:
    """Report U+FEFF at the very beginning."""
    if skill.source.startswith("\ufeff"):
        mark = Span(0, 1)
        yield Finding(
            mark,
            "The file begins with an invisible byte order mark, which strict readers refuse;"
            " remove it.",
            Fix("Remove the byte order mark", (Edit(mark, ""),)),
        )
