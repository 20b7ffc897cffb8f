"""A placeholder `${CLAUDE_…}` is none that a known client replaces.

## Why is this bad?
Claude Code replaces a handful of placeholders before the model reads the text. Any other stays as
it is, and a command with it gets an empty value from the shell. The rule takes
those that are near one that exists, or about the skill, the plugin or the project; variables that
the text itself sets and others of the environment are left alone.

## Bad
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
---
Run `${CLAUDE_SKILL_PATH}/scripts/notes.sh`.
````

## Good
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
---
Run `${CLAUDE_SKILL_DIR}/scripts/notes.sh`.
````

## Fix safety
What was meant is a guess, so the fix is unsafe.

## References
- https://code.claude.com/docs/en/skills
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from skillgauge import clients
from skillgauge.document.skill import Skill
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.rules.format._near import nearest
from skillgauge.text import Span

_PLACEHOLDER: Final = re.compile(r"(?<![\\$])\$\{(CLAUDE_[A-Z_]+)\}")
_ABOUT: Final = re.compile(r"CLAUDE_(?:(SKILL|PLUGIN(?!S?_OPTION)|PROJECT)S?(?![A-Z]))")
_USUAL: Final = {
    "SKILL": "CLAUDE_SKILL_DIR",
    "PLUGIN": "CLAUDE_PLUGIN_ROOT",
    "PROJECT": "CLAUDE_PROJECT_DIR",
}
"""What a placeholder of another name about the same thing is probably meant to be."""


@rule("F059", Severity.HINT, fix="unsafe")
def unknown_substitution(skill: Skill) -> Iterator[Finding]:
    """Report each placeholder near one that exists; other variables may be the environment's."""
    if "${CLAUDE_" not in skill.source:
        return
    for match in _PLACEHOLDER.finditer(skill.source, skill.body.start):
        meant = _meant(match[1])
        if meant is None or f"{match[1]}=" in skill.source:
            continue
        edit = Edit(Span(*match.span(1)), meant)
        yield Finding(
            Span(*match.span()),
            f"No client is known to replace “{match[0]}”; “${{{meant}}}” is probably meant.",
            Fix(f"Change it to “${{{meant}}}”", (edit,), safe=False),
        )


@lru_cache(maxsize=256)
def _meant(name: str) -> str | None:
    """Return what a name was probably meant to be, None for a known and for a foreign one."""
    found = (item.name for client in clients.load() for item in client.substitutions)
    known = sorted(item[2:-1] for item in found if item.startswith("${"))
    if name in known:
        return None
    about = _ABOUT.match(name)
    usual = _USUAL[about[1]] if about else None
    return nearest(name, known, 1) or usual or nearest(name, known, 2)
