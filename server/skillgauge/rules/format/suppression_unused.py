"""A comment suppresses a rule that has nothing to say there.

## Why is this bad?
A comment that outlives its reason hides the next finding, the one that nobody has judged. Rules
that are off are not counted: the comment may be needed where they are on.

## Bad
````skill
---
name: release-notes
# skillgauge: ignore heading-skipped
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

<!-- skillgauge: ignore heading-skipped -->
### From tags
````

## Fix safety
The fix takes out the code, or the whole comment if it has no other. No finding appears.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.suppress import Suppression, Suppressions
from skillgauge.text import Span

_COMMA: Final = re.compile(r"[ \t]*,[ \t]*")


@rule("F090", Severity.HINT, target="suppressions", fix="safe")
def suppression_unused(suppressions: Suppressions) -> Iterator[Finding]:
    """Report each code of a rule that ran and found nothing where the comment silences it."""
    for item in suppressions.items:
        ran = any(code in suppressions.enabled for code in suppressions.codes(item))
        if ran and not item.used:
            alone = sum(other.comment == item.comment for other in suppressions.items) == 1
            edit = (
                _without_comment(suppressions, item) if alone else _without_code(suppressions, item)
            )
            yield Finding(
                item.at,
                f"Nothing here needs “{item.code}” suppressed; remove it.",
                Fix("Remove the comment" if alone else f"Remove “{item.code}”", (edit,)),
                tags=("unnecessary",),
            )


def _without_comment(suppressions: Suppressions, item: Suppression) -> Edit:
    """Take out the comment, with its line if nothing else stands on it."""
    text = suppressions.skill.text
    line = text.line_of(item.comment.start)
    here = text.line_span(line)
    before, after = Span(here.start, item.comment.start), Span(item.comment.end, here.end)
    if text.slice(before).strip() or text.slice(after).strip():
        kept = text.slice(before).rstrip(" \t")
        start = here.start + len(kept) if not text.slice(after).strip() else item.comment.start
        return Edit(Span(start, item.comment.end), "")
    end = text.starts[line + 1] if line + 1 < text.line_count else here.end
    return Edit(Span(here.start, end), "")


def _without_code(suppressions: Suppressions, item: Suppression) -> Edit:
    """Take out one code of a list, with the comma behind it, or before it if it is the last."""
    source = suppressions.skill.source
    if behind := _COMMA.match(source, item.at.end):
        return Edit(Span(item.at.start, behind.end()), "")
    start = source.rfind(",", item.comment.start, item.at.start)
    kept = source[item.comment.start : start].rstrip(" \t")
    return Edit(Span(item.comment.start + len(kept), item.at.end), "")
