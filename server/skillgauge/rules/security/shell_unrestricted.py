"""`allowed-tools` names the shell without saying which commands may run.

## Why is this bad?
A bare `Bash` lets every command run without asking, just as `Bash(*)` does, though it looks
harmless. Most skills are written this way; who wants to keep the grant small names the commands,
such as `Bash(git log *)`.

## Bad
````skill
---
name: changelog
description: Writes the changelog. Use before a release.
allowed-tools: Bash Read
---
Write the changelog.
````

## Good
````skill
---
name: changelog
description: Writes the changelog. Use before a release.
allowed-tools: Bash(git log *) Read
---
Write the changelog.
````

## References
- https://code.claude.com/docs/en/skills
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.security._tools import grants

_SHELLS: Final = frozenset(("Bash", "PowerShell", "Shell", "run_shell_command"))


@rule("S019", None, strict=Severity.HINT)
def shell_unrestricted(skill: Skill) -> Iterator[Finding]:
    """Report each shell that is granted as a whole."""
    for text, span in grants(skill):
        if text in _SHELLS:
            yield Finding(
                span,
                f"“{text}” lets every command run without asking; “{text}(git log *)” lets only"
                " those that begin so.",
            )
