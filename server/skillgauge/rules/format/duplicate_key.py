"""A key stands twice in one mapping of the frontmatter.

## Why is this bad?
YAML wants keys to be unique. The reference validator and other strict readers refuse the block;
the rest keep the last value and drop the first without a word.

## Bad
````skill
---
name: release-notes
description: Writes release notes.
description: Writes release notes from merged pull requests. Use when a release is prepared.
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
The fix removes an entry that says the same as the first. Which of two values is meant, no fix can
tell.

## References
- https://yaml.org/spec/1.2.2/#3213-node-comparison
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from skillgauge.document.nodes import Entry, Mapping, walk
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Fix, Related, Severity, rule
from skillgauge.rules.format._edits import remove


@rule("F018", Severity.ERROR, spec=Severity.ERROR, fix="safe")
def duplicate_key(skill: Skill) -> Iterator[Finding]:
    """Report each key that its mapping has already, at the later one."""
    block = skill.frontmatter
    if block is None:
        return
    yield from _twice(skill, block.entries, top=True)
    for entry in block.entries:
        for node in walk(entry.value):
            if isinstance(node, Mapping):
                yield from _twice(skill, node.entries, top=False)


def _twice(skill: Skill, entries: Iterable[Entry], *, top: bool) -> Iterator[Finding]:
    seen: dict[str, Entry] = {}
    for entry in entries:
        first = seen.setdefault(entry.key, entry)
        if first is entry or entry.key in ("", "<<"):
            continue
        same = skill.text.slice(first.value.span) == skill.text.slice(entry.value.span)
        fix = Fix("Remove the second entry", (remove(skill, entry),)) if same and top else None
        line = skill.text.line_of(first.key_span.start) + 1
        yield Finding(
            entry.key_span,
            f"“{entry.key}” stands on line {line} already. Strict readers refuse this, others keep"
            " the last value; remove one.",
            fix,
            related=(Related(f"The first “{entry.key}”", first.key_span),),
        )
