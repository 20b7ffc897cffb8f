"""The frontmatter is YAML, but a list or plain text instead of keys with values.

## Why is this bad?
No key can be read from it, so the skill has neither name nor description. A usual cause is that the
blank behind the colon is missing on every line.

## Bad
````skill
---
name:release-notes
description:Writes release notes from merged pull requests. Use when a release is prepared.
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
The fix inserts a blank behind each colon that ends a key, where that makes keys of all lines.

## References
- https://agentskills.io/specification
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.frontmatter import Frontmatter
from skillgauge.document.nodes import KIND, Mapping
from skillgauge.document.skill import Skill
from skillgauge.document.yaml_reader import read_yaml
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.rules.format._yaml import consequence
from skillgauge.text import Span

_BARE_KEY: Final = re.compile(r"(?:\A|(?<=[\r\n]))[A-Za-z][\w-]*:(?!//)(?=\S)")


@rule("F017", Severity.ERROR, spec=Severity.ERROR, fix="safe", needs={"clients"}, reveals=True)
def frontmatter_not_mapping(skill: Skill) -> Iterator[Finding]:
    """Report frontmatter whose root is something else, at its first line."""
    block = skill.frontmatter
    if block is None or block.root is None or isinstance(block.root, Mapping):
        return
    start = block.root.span.start
    line = skill.text.line_span(skill.text.line_of(start))
    fix = _insert_blanks(skill, block)
    message = f"The frontmatter is {KIND[type(block.root)]}, not “key: value” lines."
    if fix:
        message = "The frontmatter has no keys: YAML needs a blank behind each colon."
    end = min(line.end, max(block.root.span.end, start))
    yield Finding(Span(start, end), message + consequence(skill), fix)


def _insert_blanks(skill: Skill, block: Frontmatter) -> Fix | None:
    inner = skill.text.slice(block.inner)
    places = [match.end() for match in _BARE_KEY.finditer(inner)]
    if not isinstance(read_yaml(_BARE_KEY.sub(r"\g<0> ", inner)).root, Mapping):
        return None
    edits = (Edit(Span(place, place).shift(block.inner.start), " ") for place in places)
    return Fix("Insert a blank behind each colon", tuple(edits))
