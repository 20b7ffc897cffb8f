"""The `description` is a number, a boolean, a list or a mapping instead of a text.

## Why is this bad?
Clients expect a text. Given a list or a mapping they fail, skip the skill or show something like
`[object Object]`.

## Bad
````skill
---
name: release-notes
description:
  - Writes release notes from merged pull requests.
  - Use when a release is prepared.
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
Quoting a number or a word keeps what the author wrote and is safe. Joining the items of a list to
sentences is unsafe.

## References
- https://agentskills.io/specification#description-field
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.nodes import Entry, Scalar, Sequence
from skillgauge.document.skill import Skill
from skillgauge.document.yaml_repair import quote
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.rules.format._edits import replace_value, shown
from skillgauge.rules.format._types import is_legacy, not_text


@rule("F042", Severity.ERROR, spec=Severity.ERROR, fix="mixed")
def description_not_string(skill: Skill) -> Iterator[Finding]:
    """Report a description that is no text, at the value (at the key, for blocks of lines)."""
    entry = skill.frontmatter.entry("description") if skill.frontmatter else None
    kind = not_text(entry.value) if entry else None
    if entry is None or kind is None:
        return
    yield Finding(
        shown(skill, entry),
        f"“description” must be a text, but {kind}; write it as one, in quotes if need be.",
        _fix(skill, entry),
        level=Severity.WARNING if is_legacy(entry.value) else None,
    )


def _fix(skill: Skill, entry: Entry) -> Fix | None:
    value = entry.value
    if isinstance(value, Scalar) and value.type != "null" and not value.tag:
        return Fix("Quote the description", (Edit(value.span, quote(value.text)),))
    if not isinstance(value, Sequence) or not value.items:
        return None
    if "#" in skill.source[value.span.start : value.span.end]:
        return None  # perhaps a comment, which would be lost
    words = [item.text for item in value.items if isinstance(item, Scalar)]
    if len(words) != len(value.items) or any("\n" in word for word in words):
        return None
    edit = replace_value(skill, entry, quote(" ".join(words)))
    return Fix("Join the list to one text", (edit,), safe=False)
