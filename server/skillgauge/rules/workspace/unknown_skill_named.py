"""The description hands over to a skill that is not there.

## Why is this bad?
“Use skill-y instead” keeps this skill from being chosen and offers another one. If no skill has
that name, the agent finds nothing and goes back to guessing. Most often the other was renamed or
never installed. Name the skill that is meant, or drop the words.

Only names with a hyphen are looked at, and only where the text says to use them; skills outside
the workspace can't be known.

## Bad
````skill
---
name: preview-site
description: Builds a preview. Not for releases, use the deploy-prod skill instead.
---
Build it.
````
````neighbour deploy-production
---
name: deploy-production
description: Deploys a release. Use when a version is tagged.
---
Deploy it.
````

## Good
````skill
---
name: preview-site
description: Builds a preview. Not for releases, use the deploy-production skill instead.
---
Build it.
````
````neighbour deploy-production
---
name: deploy-production
description: Deploys a release. Use when a version is tagged.
---
Deploy it.
````

## Fix safety
Where one skill has nearly that name, the fix writes its name. Whether it is meant only the author
can tell, so the fix is not safe.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.claims import read_claims
from skillgauge.document.once import once
from skillgauge.document.skill import Skill
from skillgauge.document.workspace import Workspace
from skillgauge.rule import Edit, Finding, Fix, Severity, rule

_SKILL: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+\Z")
_FOLLOWED: Final = re.compile(r"[`\"'”’\]]{0,2}\s+(?:skill|instead(?!\s+of))\b", re.IGNORECASE)
_LED: Final = re.compile(r"(?:→|->|=>|\[\[|\b(?:skill|use|see))\s*[`\"'“‘]?\Z", re.IGNORECASE)


@rule("X005", Severity.HINT, needs=("workspace",), fix="unsafe")
def unknown_skill_named(skill: Skill) -> Iterator[Finding]:
    """Report each name that the description hands over to and nobody has."""
    value = skill.value("description")
    if value is None or skill.workspace is None or len(skill.workspace.skills) < 2:
        return
    names = known_names(skill.workspace)
    for handover in read_claims(value.text).handovers:
        name = handover.name
        start, end = handover.span
        if not _SKILL.match(name) or _is_known(name, names):
            continue
        led = _LED.search(value.text, 0, start) and _has_sisters(name, names)
        if not led and not _FOLLOWED.match(value.text, end):
            continue
        span = skill.find_in_value(value, start, end)
        near = difflib.get_close_matches(name, names, 1, 0.75)
        meant = f" Is “{near[0]}” meant?" if near else ""
        fix = Fix(f"Write “{near[0]}”", (Edit(span, near[0]),), safe=False) if near else None
        yield Finding(
            span,
            f"No skill in this workspace is called “{name}”, so this hands over to nobody.{meant}",
            fix if near and span != value.span else None,
        )


@once
def known_names(workspace: Workspace) -> frozenset[str]:
    """Return the names of all skills, and of their folders."""
    found = {item.name for item in workspace.skills}
    return frozenset(found | {item.path.parent.name for item in workspace.skills})


def _has_sisters(name: str, names: frozenset[str]) -> bool:
    """Return whether skills here share a part of the name: “legal-find”, “legal-draft”."""
    parts = {part for part in name.split("-") if len(part) > 3}
    return any(not parts.isdisjoint(known.split("-")) for known in names)


def _is_known(name: str, names: frozenset[str]) -> bool:
    """Return whether a skill has the name, in full or behind the prefix of its family."""
    return name in names or any(known.endswith((f"-{name}", f":{name}")) for known in names)
