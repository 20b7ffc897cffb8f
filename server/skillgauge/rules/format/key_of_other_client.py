"""A key is read by other clients, but by none that this workspace targets.

## Why is this bad?
What the key is meant to do will not happen here. That may well be intended in a skill for several
clients, so this is a hint, and an error only where a target refuses the skill because of it. Where
no target is known, or not what a target does with the key, the rule is silent.

## Bad
````skill clients=codex
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
disable-model-invocation: true
---
````

## Good
````skill clients=claude-code
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
disable-model-invocation: true
---
````

## References
- https://github.com/microsoft/vscode/issues/294520
- https://code.claude.com/docs/en/skills
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge import clients
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.format._clients import names, refusal, targets
from skillgauge.rules.format._keys import odd_keys

_UNUSED: Final = ("ignored", "warning")


@rule("F049", Severity.HINT, spec=Severity.ERROR, needs={"clients"})
def key_of_other_client(skill: Skill) -> Iterator[Finding]:
    """Report each key that a known client has, and of which no target makes use."""
    for odd in odd_keys(skill, "client"):
        aimed = targets(skill)
        whose = f"It is a key of {names(odd.readers)}."
        if odd.refusing:
            says = refusal(odd.refusing, odd.key)
            yield Finding(odd.entry.key_span, f"{says} {whose}", level=Severity.ERROR)
        elif aimed and all(clients.standing(odd.key, client) in _UNUSED for client in aimed):
            verb = "make" if len(aimed) > 1 else "makes"
            says = f"{names(aimed)} {verb} no use of “{odd.key}”."
            yield Finding(odd.entry.key_span, f"{says} {whose}")
