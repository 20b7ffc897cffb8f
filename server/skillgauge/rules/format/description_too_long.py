"""The `description` has more than 1,024 characters.

## Why is this bad?
The specification allows 1,024, counted in characters and not in bytes. Codex, OpenCode, Cline, Roo
Code and an upload to claude.ai don't take a skill with a longer one. Claude Code has no such limit,
it cuts the text in its list later on, so the rule is silent where that is the only target.

## Bad
````skill
---
name: release-notes
description: >-
  Writes release notes from merged pull requests, grouped into features, fixes and breaking changes,
  with a link to every pull request and the name of every contributor in alphabetical order, and has
  a table of the versions of all packages that the release contains, so that people who read it can
  see at one glance what they get. It knows the labels of our repositories, asks for those that it
  does not know, and never mentions pull requests that carry the label internal. It writes Markdown
  for the releases page, plain text for the mailing list, HTML for the customers' newsletter and one
  short paragraph for the chat channel, each in the tone that goes with it, checks the spelling of
  the names of all products, and compares the text with that of the last three releases, in order
  not to announce the same thing twice. It also finds out which issues the release closes, and who
  has reported them, thanks these people by name unless they have asked us not to, and lists what is
  known not to work yet. Use when a release is prepared, when somebody asks what has changed since a
  version, or when a changelog has to be brought up to date.
---
````

## Good
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
---
````

## References
- https://agentskills.io/specification#description-field
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.format._clients import every, names, where

LIMIT: Final = 1_024


@rule("F043", Severity.ERROR, spec=Severity.ERROR, needs={"clients"})
def description_too_long(skill: Skill) -> Iterator[Finding]:
    """Report what stands beyond the limit, from the first character over it."""
    value = skill.value("description")
    if value is None:
        return
    size = len(value.text.strip())
    if size <= LIMIT or every(skill, lambda client: client.budget.description_cut is not None):
        return
    limiting = where(skill, lambda client: client.budget.description_max is not None)
    who = names(limiting) if limiting else "the specification and many clients"
    begin = len(value.text) - len(value.text.lstrip())
    yield Finding(
        skill.find_in_value(value, begin + LIMIT, begin + size),
        f"The description has {size:,} characters, {size - LIMIT:,} more than {who}"
        f" {'allows' if len(limiting) == 1 else 'allow'}; what stands here is over the limit.",
    )
