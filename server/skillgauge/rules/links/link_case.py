"""A path differs from the file's real name in upper and lower case only.

## Why is this bad?
macOS and Windows open the file all the same, so the mistake isn't seen where the skill is written.
On Linux, where most agents and containers run, the file is not found.

## Bad
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
Read [the field guide](references/fields.md) first.
````
````file references/Fields.md
# Fields
````

## Good
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
Read [the field guide](references/Fields.md) first.
````
````file references/Fields.md
# Fields
````

## Fix safety
Safe: the path is written as the one file is called that it can mean.
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.links._near import lead_to, same_but_case


@rule("L002", Severity.WARNING, fix="safe", needs={"folder"})
def link_case(skill: Skill) -> Iterator[Finding]:
    """Report each reference to a missing file that is there under another case."""
    for reference in skill.references:
        if reference.exists is not False or not reference.target or "\\" in reference.path:
            continue
        real = same_but_case(skill, reference.target)
        if real:
            yield Finding(
                reference.path_span,
                f"The file is called “{real}”; on a file system that minds case,"
                f" “{reference.path}” is not found.",
                lead_to(skill, [reference], real, safe=True),
            )
