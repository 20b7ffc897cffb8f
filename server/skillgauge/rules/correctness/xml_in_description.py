"""The description holds what looks like an XML tag.

## Why is this bad?
claude.ai and the Skills API refuse such a description, and agents that list skills in XML may take
the tag for one of their own. A placeholder such as `<file>` counts as well.

## Bad
````skill
---
name: open-ticket
description: Opens a ticket called <title>. Use when a bug is reported.
---
Open the ticket.
````

## Good
````skill
---
name: open-ticket
description: Opens a ticket with a given title. Use when a bug is reported.
---
Open the ticket.
````

## References
- https://platform.claude.com/docs/en/agents-and-tools/agent-skills/overview
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.aces_view import find_tag
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule


@rule("C008", None, aces=Severity.ERROR, deduction=("correctness", 15))
def xml_in_description(skill: Skill) -> Iterator[Finding]:
    """Report the first tag."""
    if match := find_tag(skill.aces.description):
        yield Finding(
            skill.aces.value_span("description", match[0]),
            f"“{match[0]}” looks like an XML tag, which some clients refuse in a description;"
            " write it without < and >.",
        )
