"""The name or description holds angle brackets, which an upload to claude.ai takes for tags.

## Why is this bad?
claude.ai refuses tags such as `<file>` in name and description, and the validator of Codex's
skill-creator any angle bracket. No agent itself is known to mind. So this is a hint, an error where
the upload is a target, and silent where neither is.

## Bad
````skill
---
name: release-notes
description: Writes the release notes of <repo>. Use when a release is prepared.
---
````

## Good
````skill
---
name: release-notes
description: Writes the release notes of a repository. Use when a release is prepared.
---
````

## Fix safety
The fix takes out the brackets and keeps what is between them. Read the sentence again: it is
unsafe.

## References
- https://platform.claude.com/docs/en/build-with-claude/skills-guide
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.nodes import Scalar
from skillgauge.document.skill import Skill
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.rules.format._clients import is_target, targets

_TAG: Final = re.compile(r"</?[A-Za-z][^<>\n]{0,60}>")
_BRACKET: Final = re.compile(r"[<>]")


@rule("F054", Severity.HINT, fix="unsafe", needs={"clients"})
def angle_brackets(skill: Skill) -> Iterator[Finding]:
    """Report the first tag of each value, and the first bracket for Codex."""
    for key in ("name", "description"):
        value = skill.value(key)
        bracket = _BRACKET.search(value.text) if value else None
        if value is None or bracket is None:
            continue
        uploaded, codex = is_target(skill, "claude-ai"), is_target(skill, "codex")
        if targets(skill) and not (uploaded or codex):
            return
        tag = _TAG.search(value.text)
        match = tag or (bracket if codex else None)
        if match is None:
            continue
        who = "An upload to claude.ai refuses" if tag else "The validator of Codex refuses"
        yield Finding(
            skill.find_in_value(value, *match.span()),
            f"{who} a {key} with “{match[0]}”; say it without angle brackets.",
            _strip(skill, value, match) if tag else None,
            level=Severity.ERROR if tag and uploaded else None,
        )


def _strip(skill: Skill, value: Scalar, match: re.Match[str]) -> Fix | None:
    ends = (match.start(), match.start() + 1), (match.end() - 1, match.end())
    spans = [skill.find_in_value(value, *end) for end in ends]
    if [skill.text.slice(span) for span in spans] != ["<", ">"]:
        return None
    return Fix("Take out the brackets", tuple(Edit(span, "") for span in spans), safe=False)
