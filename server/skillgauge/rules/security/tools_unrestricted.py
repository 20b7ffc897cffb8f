"""`allowed-tools` grants every tool, or every shell command, in so many words.

## Why is this bad?
What `allowed-tools` names runs without asking. `*` and `Bash(*)` take the question away for
everything: an instruction that slips in through a web page or a file then runs as if the user had
agreed to it. Name the tools and the commands that the skill needs, such as `Bash(git status *)`.

## Bad
````skill
---
name: release
description: Makes a release. Use when a version is ready.
allowed-tools: Read Bash(*)
---
Make the release.
````

## Good
````skill
---
name: release
description: Makes a release. Use when a version is ready.
allowed-tools: Read Bash(git tag *) Bash(npm version *)
---
Make the release.
````

## References
- https://code.claude.com/docs/en/skills
- https://agentskills.io/specification
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.patterns import lazy_pattern
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.security._tools import grants

_EVERY_TOOL: Final = lazy_pattern(r"\*|\*\(\*?\)|mcp__\*")
_EVERY_COMMAND: Final = lazy_pattern(
    r"(?P<tool>Bash|Shell|PowerShell|Execute|Terminal|execute|shell|run_shell_command|mcp__\w+)"
    r"\(\s*(?:\*|:\*|\*:\*|\*\*|\.\*)?\s*\)"
)


@rule("S013", Severity.WARNING)
def tools_unrestricted(skill: Skill) -> Iterator[Finding]:
    """Report each entry that grants everything."""
    for text, span in grants(skill):
        if _EVERY_TOOL.fullmatch(text):
            yield Finding(
                span,
                f"“{text}” lets every tool run without asking; name those that the skill needs.",
            )
        elif match := _EVERY_COMMAND.fullmatch(text):
            yield Finding(
                span,
                f"“{text}” lets every command run without asking; name those that the skill needs,"
                f" such as “{match['tool']}(git status *)”.",
            )
