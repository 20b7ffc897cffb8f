"""A frontmatter value begins with a bracket and is no whole list, so the YAML does not parse.

## Why is this bad?
To YAML, `[` begins a list and `{` a mapping; after the closing bracket the value is over, and more
text is an error. Argument hints such as `[date] [reason]` need quotes. The whole block is lost.

## Bad
````skill
---
name: leave-request
description: Files a leave request. Use when the user wants time off.
argument-hint: [date] [reason]
---
````

## Good
````skill
---
name: leave-request
description: Files a leave request. Use when the user wants time off.
argument-hint: "[date] [reason]"
---
````

## Fix safety
The fix puts the value in quotes and is proved by reading it back. There is none for a bracket that
is never closed: a list may be meant.

## References
- https://yaml.org/spec/1.2.2/#74-flow-collection-styles
- https://code.claude.com/docs/en/skills
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.document.yaml_repair import close_of_flow
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.format._yaml import broken, consequence, mend


@rule("F013", Severity.ERROR, spec=Severity.ERROR, fix="safe", needs={"clients"}, reveals=True)
def yaml_flow_bracket(skill: Skill) -> Iterator[Finding]:
    """Report each broken entry whose value begins with a bracket, at the bracket."""
    for entry in broken(skill, "bracket"):
        raw = skill.source[entry.at.start : entry.value_span.end]
        kind = "list" if raw[0] == "[" else "mapping"
        of = f" of “{entry.name}”" if entry.name else ""
        if entry.repair:
            first = raw[: close_of_flow(raw)]
            shown = first if len(first) <= 40 else f"{first[:40]}…"
            message = (
                f"YAML takes “{shown}” for a {kind}, and nothing may follow it; put the value{of}"
                " in quotes."
            )
        elif close_of_flow(raw):
            message = f"The {kind}{of} does not parse: {entry.fault.problem}."
        else:
            message = f"The bracket that opens the {kind}{of} is never closed."
        fix = mend(entry, f"Quote the value{of}")
        yield Finding(entry.at, message + consequence(skill), fix)
