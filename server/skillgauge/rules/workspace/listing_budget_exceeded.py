"""All skills of a client together have more text than its list of skills may take.

## Why is this bad?
An agent finds a skill by its entry in a list, and the list has a budget. Beyond it, Claude Code
drops the descriptions of the skills used least, and Codex first shortens descriptions and then
leaves out whole skills: they are never chosen, and nothing says so. The finding stands at the
entries that are longer than what all could have; shorten those, or set `disable-model-invocation`
where only the user starts a skill.

The budget is a part of the context window; the figures here are those that count where its size
is not known. Skills outside the workspace come on top.

## Bad
````skill folder=.claude/skills/deploy clients=claude-code escaped
---
name: deploy
description: Deploys the site. {{70 times: It checks all tests. }}
---
Deploy.
````
````neighbour .claude/skills/build times=5 escaped
---
name: build
description: Builds the site. {{80 times: It checks all tests. }}
---
Build.
````

## Good
````skill folder=.claude/skills/deploy clients=claude-code
---
name: deploy
description: Deploys the site. Use when a release is ready.
---
Deploy.
````

## References
- https://code.claude.com/docs/en/skills
- https://developers.openai.com/codex/skills
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.listing import OVERHEAD, entry_length, listings_of, overflow
from skillgauge.rule import Finding, Severity, rule

MIN_ROOM: Final = 100
"""Characters below which no description says what it must: then there are too many skills."""


@rule("X003", Severity.HINT, needs=("workspace", "clients"))
def listing_budget_exceeded(skill: Skill) -> Iterator[Finding]:
    """Report a description that takes more than its share of a list that is too long."""
    value = skill.value("description")
    if value is None or skill.workspace is None or skill.path is None:
        return
    for found, own in listings_of(skill.workspace, skill.path, skill.clients):
        client = found.client
        if not found.full:
            continue
        room = found.share - len(own.name) - OVERHEAD
        crowded = room < MIN_ROOM
        fair = max(found.share, found.total / len(found.skills)) if crowded else found.share
        if entry_length(own, client) <= fair:
            continue
        length = len(own.description) + len(own.when_to_use)
        advice = (
            f"Take skills out of it, and shorten this description of {length:,} characters."
            if crowded
            else f"Descriptions of at most {room:,} characters would all fit; this has {length:,}."
        )
        then = f"{overflow(client)} ".lstrip()
        yield Finding(
            value.span,
            f"The {len(found.skills)} skills here fill {found.percent}% of the"
            f" {found.budget:,} characters that {client.title} has for its list. {then}"
            f"{advice}",
        )
