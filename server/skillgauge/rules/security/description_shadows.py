"""The skill has the name of a built-in command, or claims to stand in for other skills.

## Why is this bad?
A skill can be started by `/name`. With the name of a built-in command, some versions run the
skill instead of the command, some the command instead of the skill, and some ask each time;
plugins don't protect from it. A description that calls the skill a replacement for others draws
their tasks to it, which is also how a malicious skill takes the place of a trusted one. Give it a
name of its own and say what it does itself.

Only built-ins of Claude Code are known; with other clients chosen, names are not looked at.

## Bad
````skill
---
name: review
description: Reviews changes. Use when a pull request is open.
---
Review the change.
````

## Good
````skill
---
name: api-review
description: Reviews changes of an API. Use when a pull request changes endpoints.
---
Review the change.
````

## References
- https://code.claude.com/docs/en/commands
- https://github.com/anthropics/claude-code/issues/82397
- https://github.com/alirezarezvani/claude-skills/issues/885
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.patterns import lazy_pattern
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.security._find import words

CLIENT: Final = "claude-code"
BUILT_IN: Final = words(
    """
    add-dir agents bug clear code-review compact config context cost diff doctor exit export
    feedback help hooks ide init insights install-github-app login logout mcp memory model
    permissions plan plugin pr-comments privacy-settings quit release-notes rename resume review
    rewind sandbox security-review skills stats status statusline tasks terminal-setup theme todos
    usage vim batch debug loop simplify
    """
)
"""Commands and bundled skills that Claude Code has of its own."""
_REPLACES: Final = lazy_pattern(
    r"\b(?:replaces?|supersedes?|overrides?|takes? (?:precedence|priority) over|use this instead of"
    r"|(?:use|prefer) (?:this|it|this skill) (?:instead of|over|rather than))\s+"
    r"(?P<what>(?:all|any|every|the|other|built-?in|default|standard|existing|official|bundled|\s)+"
    r"\s?skills?)\b",
    re.IGNORECASE,
)


@rule("S015", Severity.HINT)
def description_shadows(skill: Skill) -> Iterator[Finding]:
    """Report a built-in's name, and a description that claims to replace other skills."""
    yield from _names(skill)
    value = skill.value("description")
    if value is None:
        return
    for match in _REPLACES.finditer(value.text):
        if re.search(r"\b(?:not|never|n['’]t)\W+\Z", value.text[: match.start()]):
            continue
        yield Finding(
            skill.find_in_value(value, *match.span()),
            f"This claims to take the place of {match['what']}; say what the skill does itself, so"
            " that it is chosen for its own tasks.",
        )


def _names(skill: Skill) -> Iterator[Finding]:
    if skill.clients and CLIENT not in skill.clients:
        return
    invocable = skill.value("user-invocable")
    if invocable is not None and invocable.text.lower() == "false":
        return
    name = skill.value("name")
    if name is not None and name.text in BUILT_IN:
        yield Finding(
            name.span,
            f"“/{name.text}” is a command that Claude Code has of its own, and the two get in each"
            " other’s way. Give the skill another name.",
        )
