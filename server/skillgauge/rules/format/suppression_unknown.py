"""A comment suppresses a rule that doesn't exist, so it has no effect.

## Why is this bad?
A slip in a code or name leaves the finding where it is, and the comment looks as if it worked.

## Bad
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
---
<!-- skillgauge: ignore vague-quantities -->
# Release notes
````

## Good
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
---
<!-- skillgauge: ignore-file D002 -->
# Release notes
````
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.suppress import Suppressions


@rule("F091", Severity.WARNING, target="suppressions", fix="unsafe")
def suppression_unknown(suppressions: Suppressions) -> Iterator[Finding]:
    """Report each code or name in a comment that no rule has, and comments that name none."""
    for item in suppressions.items:
        if not item.code:
            message = "This comment names no rule and suppresses nothing; add a code or a name."
            yield Finding(item.at, message)
        elif not suppressions.codes(item):
            known = [*suppressions.known, *suppressions.known.values()]
            near = get_close_matches(item.code, known, 1, 0.8)
            message = f"No rule is called “{item.code}”; this suppresses nothing."
            fix = None
            if near:
                message = f"No rule is called “{item.code}”; did you mean “{near[0]}”?"
                fix = Fix(f"Write “{near[0]}”", (Edit(item.at, near[0]),), safe=False)
            yield Finding(item.at, message, fix)
