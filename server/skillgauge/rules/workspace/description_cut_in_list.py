"""The end of a description is cut off in a client's list of skills, so no model ever sees it.

## Why is this bad?
Claude Code shows 1,536 characters of `description` and `when_to_use` together. What stands behind
that costs the author's time and finds the skill for nobody. Put the words that matter first, and
move the rest into the body.

## Bad
````skill clients=claude-code escaped
---
name: demo
description: Deploys the site. {{80 times: It checks all tests. }}
---
Do it.
````

## Good
````skill clients=claude-code
---
name: demo
description: Deploys the site. Use when a release is ready.
---
Do it.
````

## References
- https://code.claude.com/docs/en/skills
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.clients import Client, load
from skillgauge.document.nodes import Scalar
from skillgauge.document.skill import Skill
from skillgauge.listing import read_by
from skillgauge.rule import Finding, Severity, rule
from skillgauge.text import Span


@rule("X004", Severity.WARNING, needs=("clients",))
def description_cut_in_list(skill: Skill) -> Iterator[Finding]:
    """Report what stands behind the cut, in the description and in `when_to_use`."""
    description, when = skill.value("description"), skill.value("when_to_use")
    if description is None:
        return
    for client in load():
        cut = client.budget.description_cut
        if cut is None or not _concerns(skill, client):
            continue
        total = len(description.text) + (len(when.text) + 1 if when else 0)
        if total <= cut.value:
            continue
        shown = min(len(description.text), cut.value)
        for value, keeps in ((description, shown), (when, max(cut.value - shown - 1, 0))):
            if value is not None and len(value.text) > keeps:
                yield Finding(
                    _tail(skill, value, keeps),
                    f"{client.title} cuts its list entry at {cut.value:,} characters, and these"
                    f" come after that (it has {total:,}): no model sees them. Shorten it.",
                    tags=("unnecessary",),
                )
        return


def _concerns(skill: Skill, client: Client) -> bool:
    if skill.clients:
        return client.id in skill.clients
    readers = read_by(skill.path) if skill.path else frozenset[str]()
    return not readers or client.id in readers


def _tail(skill: Skill, value: Scalar, start: int) -> Span:
    """Return where the text of a value from character `start` on stands."""
    text = value.text
    while start < len(text) and text[start].isspace():
        start += 1
    end = start
    while end < len(text) and not text[end].isspace():
        end += 1
    first = skill.find_in_value(value, start, end)
    closing = 1 if value.style in ("single", "double") else 0
    if first == value.span:
        return value.span
    return Span(first.start, max(value.span.end - closing, first.end))
