"""The `description` is a block of lines, which a targeted client reads as “>” or “|”.

## Why is this bad?
Some clients read frontmatter line by line instead of with a YAML parser. From a description that
begins with `>` or `|` they keep that one character, and the skill is never chosen. The rule speaks
only where a client that is known for it is targeted: some versions of Cursor.

## Bad
````skill clients=cursor
---
name: release-notes
description: >-
  Writes release notes from merged pull requests.
  Use when a release is prepared.
---
````

## Good
````skill clients=cursor
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
---
````

## Fix safety
A folded block reads the same on one line, so the fix is safe; the line breaks of other blocks are
lost, and it is unsafe.

## References
- https://github.com/anthropics/claude-code/issues/12971
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.document.yaml_repair import quote
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.rules.format._clients import names, where

_BLIND: Final = frozenset({"cursor"})
"""Clients of which versions are known that read descriptions line by line (see remarks)."""
_BREAKS: Final = re.compile(r"\s*\n\s*")


@rule("F056", Severity.HINT, fix="mixed", needs={"clients"})
def description_block_scalar(skill: Skill) -> Iterator[Finding]:
    """Report the indicator of a block, for clients that don't know blocks."""
    value = skill.value("description")
    if value is None or value.style not in ("literal", "folded"):
        return
    blind = where(skill, lambda client: client.id in _BLIND)
    if not blind:
        return
    text = value.text.strip()
    if not text:
        return
    raw = skill.text.slice(value.span)
    header = raw.split("\n", 1)[0].rstrip()
    fix = None
    if "#" not in header:
        one = quote(_BREAKS.sub(" ", text))
        fix = Fix("Write it on one line", (Edit(value.span, one),), safe="\n" not in text)
    start = value.span.start
    yield Finding(
        type(value.span)(start, start + len(header.split(" ")[0])),
        f"Some versions of {names(blind)} read only “{raw[:1]}” of a description that is a block;"
        " write it on one line, in quotes.",
        fix,
    )
