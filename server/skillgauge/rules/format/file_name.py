"""The file is not called exactly `SKILL.md`.

## Why is this bad?
Clients look for `SKILL.md`, with capitals and a small ending. Where file names keep capitals and
small letters apart, as on Linux and in most repositories, they don't see `skill.md`; on another
machine the same skill works. OpenClaw takes `skill.md` too, so that is fine where it is the only
target.

## Bad
````skill name=skill.md
---
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

## Fix safety
The fix renames the file, which changes nothing in it.

## References
- https://agentskills.io/specification#skillmd-format
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Fix, Severity, rule
from skillgauge.rules.format._clients import every, names, where

NAME = "SKILL.md"


@rule("F050", Severity.ERROR, spec=Severity.ERROR, fix="safe", needs={"clients", "folder"})
def file_name(skill: Skill) -> Iterator[Finding]:
    """Report a SKILL.md with other capitals, at the first line."""
    name = skill.file_name
    if name == NAME or name.casefold() != NAME.casefold():
        return
    if name == "skill.md" and every(skill, lambda client: client.id == "openclaw"):
        return
    first = skill.text.line_span(0)
    if skill.folder and NAME in skill.folder.files:
        message = f"“{name}” stands beside {NAME}, and clients read the latter alone; remove one."
        yield Finding(first, message)
        return
    blind = where(skill, lambda client: client.id not in ("openclaw", "spec"))
    who = f"{names(blind)} {'do' if len(blind) > 1 else 'does'}" if blind else "most clients do"
    yield Finding(
        first,
        f"The file is called “{name}”; {who} not see it on systems that tell capitals apart. Call"
        f" it {NAME}.",
        Fix(f"Rename the file to {NAME}", (), rename=NAME),
    )
