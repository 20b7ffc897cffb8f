"""A frontmatter value other than name and description holds what looks like an XML tag.

## Why is this bad?
Some agents put frontmatter into a prompt that is built of XML tags; a tag in a value can close one
of theirs. Placeholders such as `<file>` in an argument hint are harmless in most clients, so the
check is off by default and part of the structural score (15 points off correctness).

## Bad
````skill
---
name: open-ticket
description: Opens a ticket. Use when a bug is reported.
argument-hint: "<title>"
---
Open the ticket.
````

## Good
````skill
---
name: open-ticket
description: Opens a ticket. Use when a bug is reported.
argument-hint: "[title]"
---
Open the ticket.
````
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.aces_view import find_tag
from skillgauge.document.legacy_yaml import text_of
from skillgauge.document.nodes import Scalar, walk
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.text import Span


@rule("C004", None, aces=Severity.ERROR, deduction=("correctness", 15))
def xml_in_frontmatter(skill: Skill) -> Iterator[Finding]:
    """Report the first key whose value, nested ones included, holds a tag."""
    for key, value in skill.aces.fields.items():
        if key in ("name", "description"):
            continue
        if match := find_tag(text_of(value)):
            yield Finding(
                _place(skill, str(key), match[0]),
                f"“{match[0]}” in “{key}” looks like an XML tag; write it without < and >.",
            )
            return


def _place(skill: Skill, key: str, tag: str) -> Span:
    node = skill.frontmatter.value(key) if skill.frontmatter else None
    for part in walk(node):
        if isinstance(part, Scalar) and (at := part.text.find(tag)) >= 0:
            return skill.find_in_value(part, at, at + len(tag))
    return node.span if node else skill.head
