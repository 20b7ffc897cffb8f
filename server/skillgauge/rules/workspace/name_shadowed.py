"""Another skill of this name wins over it in a client, so this one is never used there.

## Why is this bad?
Some clients read several folders of one project and take the first skill of a name: Amp prefers
`.agents/skills` to `.claude/skills`, Gemini CLI prefers it to `.gemini/skills`. An edit to the
copy that loses has no effect there, and nothing says so. Keep one of them, or make the second a
link to the first.

Copies that say the same are left alone.

## Bad
````skill folder=.claude/skills/deploy clients=amp
---
name: deploy
description: Deploys the site with checks. Use when a release is ready.
---
Deploy.
````
````neighbour .agents/skills/deploy
---
name: deploy
description: Deploys the site. Use when a release is ready.
---
Deploy.
````

## Good
````skill folder=.claude/skills/deploy clients=amp
---
name: deploy
description: Deploys the site. Use when a release is ready.
---
Deploy.
````
````neighbour .agents/skills/deploy
---
name: deploy
description: Deploys the site. Use when a release is ready.
---
Deploy.
````

## References
- https://ampcode.com/manual#agent-skills
- https://geminicli.com/docs/cli/using-agent-skills/
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.clients import load
from skillgauge.document.skill import Skill
from skillgauge.listing import spot
from skillgauge.rule import Finding, Related, Severity, rule
from skillgauge.rules.workspace._winners import ORDER, winner
from skillgauge.rules.workspace.duplicate_name import by_name


@rule("X006", Severity.HINT, needs=("workspace", "clients"))
def name_shadowed(skill: Skill) -> Iterator[Finding]:
    """Report each client in which another skill of this name wins."""
    if skill.workspace is None or skill.path is None:
        return
    own = skill.workspace.own(skill.path)
    if own is None or not own.name:
        return
    for client in load():
        if client.id not in ORDER or (skill.clients and client.id not in skill.clients):
            continue
        here = spot(own.path, client)
        if here is None:
            continue
        for other in by_name(skill.workspace)[own.name.casefold()]:
            there = spot(other.path, client)
            same = (own.description, own.when_to_use) == (other.description, other.when_to_use)
            if other.path == own.path or there is None or same:
                continue
            if winner(client, here, there) == there:
                value = skill.value("name")
                yield Finding(
                    value.span if value else skill.head,
                    f"{client.title} takes the “{own.name}” in {there.place} instead, which differs"
                    " from this one. Keep one of them, or link the second to the first.",
                    related=(Related(f"The “{own.name}” that wins", None, other.path),),
                )
                break
