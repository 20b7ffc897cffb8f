"""Two skills that one client sees have the same name.

## Why is this bad?
Where two skills share a name, clients list both so that nobody can say which one is meant, or
drop one of them without a word. Rename one, or remove the copy that is not wanted.

Copies of one skill in the folders of several clients are fine, and so are skills with one name in
different plugins, which put their own name before it.

## Bad
````skill folder=deploy
---
name: deploy
description: Deploys the site. Use when a release is ready.
---
Deploy.
````
````neighbour deploy-old
---
name: deploy
description: Deploys the site to the old server. Use when asked to.
---
Deploy.
````

## Good
````skill folder=deploy
---
name: deploy
description: Deploys the site. Use when a release is ready.
---
Deploy.
````
````neighbour deploy-old
---
name: deploy-old
description: Deploys the site to the old server. Use when asked to.
---
Deploy.
````
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from skillgauge.clients import by_id
from skillgauge.document.once import once
from skillgauge.document.skill import Skill
from skillgauge.document.workspace import SkillSummary, Workspace
from skillgauge.listing import spot
from skillgauge.rule import Finding, Related, Severity, rule
from skillgauge.rules.workspace._winners import winner


@rule("X001", Severity.WARNING, needs=("workspace", "clients"))
def duplicate_name(skill: Skill) -> Iterator[Finding]:
    """Report the other skills of this one's name that a client sees beside it."""
    if skill.workspace is None or skill.path is None:
        return
    own = skill.workspace.own(skill.path)
    if own is None or not own.name:
        return
    for other in by_name(skill.workspace)[own.name.casefold()]:
        if other.path != own.path and _side_by_side(own, other, skill.clients):
            value = skill.value("name")
            where = _relative(other.path, skill.workspace)
            yield Finding(
                value.span if value else skill.head,
                f"{where} is called “{own.name}” too, so a client lists both under one name or"
                " drops one of them. Rename one.",
                related=(Related(f"The other “{own.name}”", None, other.path),),
            )


@once
def by_name(workspace: Workspace) -> defaultdict[str, list[SkillSummary]]:
    """Return the skills by their name, whatever its case."""
    found: defaultdict[str, list[SkillSummary]] = defaultdict(list)
    for item in workspace.listed:
        found[item.name.casefold()].append(item)
    return found


def _side_by_side(own: SkillSummary, other: SkillSummary, clients: tuple[str, ...]) -> bool:
    """Return whether some client sees both and has no rule which of them wins."""
    if own.path.parent.parent == other.path.parent.parent:
        return True
    if (own.description, own.when_to_use) == (other.description, other.when_to_use):
        return False  # a copy for another client
    for client_id in clients:
        client = by_id(client_id)
        if client is None:
            continue
        one, two = spot(own.path, client), spot(other.path, client)
        if one and two and one.project == two.project and winner(client, one, two) is None:
            return True
    return False


def _relative(path: Path, workspace: Workspace) -> str:
    root = workspace.root
    shown = path.relative_to(root) if root and path.is_relative_to(root) else path
    return shown.as_posix()
