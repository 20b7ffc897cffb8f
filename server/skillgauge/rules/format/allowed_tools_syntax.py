"""The `allowed-tools` is written in a form that the specification or the clients don't read.

## Why is this bad?
The specification asks for one text with blanks between the tools. Claude Code takes commas and
lists as well, so the rule is silent about these where that is the only target; elsewhere they are a
hint. A bracket without its partner spoils the rule for every reader and is a warning.

## Bad
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
allowed-tools: Bash(git log *), Bash(gh pr list *), Read
---
````

## Good
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
allowed-tools: Bash(git log *) Bash(gh pr list *) Read
---
````

## Fix safety
The fix puts blanks for commas and for a list. It is offered only where the new text is cut into the
same tools as before.

## References
- https://agentskills.io/specification#allowed-tools-field
- https://code.claude.com/docs/en/skills
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.nodes import Entry, Mapping, Scalar, Sequence
from skillgauge.document.skill import Skill
from skillgauge.document.yaml_reader import read_yaml
from skillgauge.document.yaml_repair import quote
from skillgauge.rule import Finding, Fix, Severity, rule
from skillgauge.rules.format._clients import every, is_target, names, where
from skillgauge.rules.format._edits import remove, replace_value, shown
from skillgauge.rules.format._tools import Cut, cut, scalars, tools


@rule("F046", Severity.HINT, spec=Severity.ERROR, fix="safe", needs={"clients"})
def allowed_tools_syntax(skill: Skill) -> Iterator[Finding]:
    """Report the first fault: at the bracket, the comma, the list, or the key of an empty value."""
    entry = skill.frontmatter.entry("allowed-tools") if skill.frontmatter else None
    if entry is None:
        return
    value = entry.value
    if isinstance(value, Mapping):
        yield Finding(
            shown(skill, entry),
            "“allowed-tools” must be one text, but this is a mapping; list the tools with blanks"
            " between them.",
            level=None if is_target(skill, "spec") else Severity.WARNING,
        )
    elif isinstance(value, Scalar) and not value.text.strip():
        fix = Fix("Remove the empty key", (remove(skill, entry),))
        message = "“allowed-tools” is empty and grants nothing; leave it out."
        yield Finding(entry.key_span, message, fix, level=Severity.HINT)
    elif isinstance(value, (Scalar, Sequence)):
        parts = [(scalar, cut(scalar)) for scalar in scalars(value)]
        broken = next((part for part in parts if part[1].unbalanced is not None), None)
        yield from _bracket(skill, *broken) if broken else _form(skill, entry, parts)


def _bracket(skill: Skill, value: Scalar, found: Cut) -> Iterator[Finding]:
    at = found.unbalanced or 0
    missing = "closed" if value.text[at] == "(" else "opened"
    yield Finding(
        skill.find_in_value(value, at, at + 1),
        f"This bracket is never {missing}, so the rule around it can’t be read.",
        level=Severity.WARNING,
    )


def _form(skill: Skill, entry: Entry, parts: list[tuple[Scalar, Cut]]) -> Iterator[Finding]:
    if isinstance(entry.value, Sequence):
        form, what, span = "list", "a list", shown(skill, entry)
    else:
        scalar, found = parts[0]
        if not found.commas:
            return
        form, what = "commas", "commas between the tools"
        span = skill.find_in_value(scalar, found.commas[0], found.commas[0] + 1)
    if every(skill, lambda client: form in client.allowed_tools_forms):
        return
    strict = where(skill, lambda client: "blanks" in client.allowed_tools_forms)
    strict = tuple(client for client in strict if form not in client.allowed_tools_forms)
    who = names(strict) if strict else "the specification"
    yield Finding(
        span,
        f"Claude Code reads {what}, but {who} wants one text with blanks between the tools.",
        _blanks(skill, entry),
    )


def _blanks(skill: Skill, entry: Entry) -> Fix | None:
    """Return a fix to one text with blanks, if that is cut into the same tools."""
    before = [tool.text for tool in tools(entry.value)]
    text = " ".join(before)
    raw = skill.source[entry.value.span.start : entry.value.span.end]
    items = len(entry.value.items) if isinstance(entry.value, Sequence) else len(before)
    if not before or items != len(before) or "#" in raw:
        return None
    for written in (raw[:1] + text + raw[:1] if raw[:1] in "'\"" else text, quote(text)):
        reading = read_yaml(f"k: {written}\n").root
        value = reading.get("k") if isinstance(reading, Mapping) else None
        if isinstance(value, Scalar) and [tool.text for tool in cut(value).tools] == before:
            edit = replace_value(skill, entry, written)
            return Fix("Put blanks between the tools", (edit,))
    return None
