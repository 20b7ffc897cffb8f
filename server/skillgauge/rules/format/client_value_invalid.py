"""A key of a client has a value that the client doesn't understand.

## Why is this bad?
A client ignores a value of the wrong type or one that is not on its list, mostly without a word:
a skill that should run in a fork runs in the conversation, one that should not start by itself
does. Only clients that the workspace targets are asked, or, where none is known, all that read the
key. A boolean as `yes` or in quotes is a hint, since some clients and versions take it, and so is
an `argument-hint` in bare brackets, unless VS Code is a target.

## Bad
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
context: forked
---
````

## Good
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
context: fork
---
````

## Fix safety
Quoting a hint that reads as a list, and writing a boolean as such, keep what was meant and are
safe. A value near one on the list is a guess and unsafe.

## References
- https://code.claude.com/docs/en/skills
- https://code.visualstudio.com/docs/agent-customization/agent-skills
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge import clients
from skillgauge.clients import Key
from skillgauge.clients.conventions import common_key
from skillgauge.document.frontmatter import SPEC_KEYS
from skillgauge.document.nodes import Alias, Entry, Mapping, Scalar, Sequence
from skillgauge.document.skill import Skill
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.rules.format._clients import is_target, listed, names, targets
from skillgauge.rules.format._edits import quoted, remove, shown
from skillgauge.rules.format._near import nearest

_BOOLEANS: Final = {
    **dict.fromkeys(("true", "yes", "on", "1", "y"), "true"),
    **dict.fromkeys(("false", "no", "off", "0", "n"), "false"),
}


@rule("F051", Severity.WARNING, fix="mixed", needs={"clients"})
def client_value_invalid(skill: Skill) -> Iterator[Finding]:
    """Report each value that none of the clients in question can use."""
    aimed = targets(skill)
    for entry in skill.frontmatter.entries if skill.frontmatter else ():
        if entry.key in SPEC_KEYS or (not aimed and common_key(entry.key)):
            continue
        known = clients.known_key(entry.key)
        asked = [client for client in aimed or clients.load() if client.id in known]
        faults = [_judge(skill, entry, known[client.id]) for client in asked]
        if faults and faults[0] and all(faults):
            problem, fix, level = faults[0]
            if entry.key == "argument-hint" and not is_target(skill, "vscode"):
                level = Severity.HINT  # Claude Code asks for quotes only around several brackets
            yield Finding(shown(skill, entry), f"{problem} for {names(asked)}.", fix, level=level)


Fault = tuple[str, Fix | None, Severity | None]
"""What is wrong, to be followed by “for” and the clients; a fix; a level of its own."""


def _judge(skill: Skill, entry: Entry, key: Key) -> Fault | None:
    value, name = entry.value, f"“{entry.key}”"
    if isinstance(value, Alias):
        return None
    if isinstance(value, Scalar) and value.text == "" and value.style == "plain":
        fix = Fix("Remove the empty key", (remove(skill, entry),), safe=False)
        return f"{name} has no value and so no effect", fix, Severity.HINT
    if key.type == "boolean":
        return _boolean(entry)
    if key.type == "enum":
        return _enum(entry, key)
    if key.type == "map":
        return None if isinstance(value, Mapping) else (f"{name} must be a map", None, None)
    if key.type == "list":
        return (f"{name} must be a list", None, None) if isinstance(value, Mapping) else None
    if isinstance(value, Mapping) or (key.type == "string" and isinstance(value, Sequence)):
        what = "a mapping" if isinstance(value, Mapping) else "a list"
        fix = _quote(skill, entry)
        how = ", in quotes," if fix else ""
        return f"YAML reads this as {what}, but {name} must be one text{how}", fix, None
    return None


def _boolean(entry: Entry) -> Fault | None:
    value, name = entry.value, f"“{entry.key}”"
    if not isinstance(value, Scalar):
        return f"{name} must be true or false", None, None
    if value.type == "bool":
        return None
    meant = _BOOLEANS.get(value.text.strip().casefold())
    if meant is None:
        return f"{name} must be true or false, not “{value.text[:40]}”,", None, None
    how = " without quotes" if value.style in ("single", "double") else ""
    fix = Fix(f"Write {meant}", (Edit(value.span, meant),))
    return f"Write {name} as {meant}{how}: not every version takes this", fix, Severity.HINT


def _enum(entry: Entry, key: Key) -> Fault | None:
    value = entry.value
    text = value.text if isinstance(value, Scalar) else ""
    if text in key.values:
        return None
    allowed = listed([f"“{word}”" for word in key.values], most=9).replace(" and ", " or ")
    near = nearest(text.casefold(), key.values, 1 if len(text) < 6 else 2) if text else None
    fix = Fix(f"Change it to “{near}”", (Edit(value.span, near),), safe=False) if near else None
    given = f", not “{text}”," if 0 < len(text) < 40 else ""
    return f"“{entry.key}” must be {allowed}{given}", fix, None


def _quote(skill: Skill, entry: Entry) -> Fix | None:
    text = quoted(skill, entry.value)
    return Fix("Put the value in quotes", (Edit(entry.value.span, text),)) if text else None
