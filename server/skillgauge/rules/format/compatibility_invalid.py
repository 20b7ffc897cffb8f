"""The `compatibility` is empty, longer than 500 characters or not a text.

## Why is this bad?
The specification asks for one text of 1 to 500 characters, and an upload to claude.ai refuses
anything else. Most agents do not read the key; people and catalogues do.

## Bad
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
compatibility: [git, gh]
---
````

## Good
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
compatibility: Requires git and gh
---
````

## Fix safety
Quoting a number, joining a list with commas and taking out an empty key change nothing that is
said, so they are safe. Lists of anything but words get no fix.

## References
- https://agentskills.io/specification#compatibility-field
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.nodes import Entry, Scalar
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Fix, Severity, rule
from skillgauge.rules.format._clients import is_target
from skillgauge.rules.format._edits import as_text, remove, replace_value, shown
from skillgauge.rules.format._types import is_legacy, not_text

LIMIT: Final = 500


@rule("F044", Severity.WARNING, spec=Severity.ERROR, fix="safe", needs={"clients"})
def compatibility_invalid(skill: Skill) -> Iterator[Finding]:
    """Report an empty value at its key, a wrong type at the value, a long text beyond the limit."""
    entry = skill.frontmatter.entry("compatibility") if skill.frontmatter else None
    if entry is None:
        return
    level = Severity.ERROR if is_target(skill, "claude-ai") else None
    value = entry.value
    kind = not_text(value)
    if kind:
        yield Finding(
            shown(skill, entry),
            f"“compatibility” must be a text, but {kind}; say it in words, with commas.",
            _as_text(skill, entry),
            level=Severity.WARNING if is_legacy(value) else level,
        )
    elif isinstance(value, Scalar) and not value.text.strip():
        fix = Fix("Remove the empty key", (remove(skill, entry),))
        yield Finding(
            entry.key_span, "“compatibility” is empty; leave it out if nothing is needed.", fix
        )
    elif isinstance(value, Scalar) and len(value.text.strip()) > LIMIT:
        size = len(value.text.strip())
        begin = len(value.text) - len(value.text.lstrip())
        yield Finding(
            skill.find_in_value(value, begin + LIMIT, begin + size),
            f"“compatibility” has {size:,} characters, and 500 are allowed; move details into the"
            " body.",
            level=level,
        )


def _as_text(skill: Skill, entry: Entry) -> Fix | None:
    text = as_text(skill, entry.value)
    if text is None or text[1:-1] in ("null", "~"):
        return None
    return Fix("Write it as one text", (replace_value(skill, entry, text),))
