"""The `metadata` is not a map, or holds values that are not texts.

## Why is this bad?
The specification asks for a map from texts to texts. Numbers, dates and booleans come back changed
from many parsers: `1.10` is `1.1`, a date is an object. Lists and maps are dropped by some clients.
Claude Code takes any map, so the rule is silent where that is the only target, and maps that a
client is known to read, such as `openclaw`, are fine everywhere but under the specification itself.

## Bad
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
metadata:
  version: 1.10
---
````

## Good
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
metadata:
  version: "1.10"
  openclaw:
    requires:
      bins: [git]
---
````

## Fix safety
Quoting a number or a date keeps what is written and is safe; booleans and lists may be read by
tools of the author's own, so there the fix is unsafe.

## References
- https://agentskills.io/specification#metadata-field
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge import clients
from skillgauge.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from skillgauge.document.skill import Skill
from skillgauge.document.yaml_repair import quote
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.rules.format._clients import every, is_target
from skillgauge.rules.format._edits import as_text, remove, replace_value, shown
from skillgauge.rules.format._types import is_legacy, not_text

_FORMER: Final = frozenset({"clawdis", "moltbot"})
"""Older names of `openclaw` that skills still carry."""


@rule("F045", Severity.HINT, spec=Severity.ERROR, fix="mixed", needs={"clients"})
def metadata_not_string_map(skill: Skill) -> Iterator[Finding]:
    """Report metadata that is no map at its value, and each value that is no text."""
    entry = skill.frontmatter.entry("metadata") if skill.frontmatter else None
    if entry is None:
        return
    if not isinstance(entry.value, Mapping):
        yield from _no_map(skill, entry)
        return
    if every(skill, lambda client: client.id == "claude-code"):
        return
    for item in entry.value.entries:
        kind = not_text(item.value)
        if kind is None or (_is_read(item) and not is_target(skill, "spec")):
            continue
        yield Finding(
            shown(skill, item),
            f"“metadata.{item.key}” should be a text, but {kind}; {_advice(item.value)}.",
            _fix(skill, item),
            level=Severity.HINT if is_legacy(item.value) else None,
        )


def _no_map(skill: Skill, entry: Entry) -> Iterator[Finding]:
    value = entry.value
    if isinstance(value, Scalar) and not value.text.strip():
        fix = Fix("Remove the empty key", (remove(skill, entry),))
        message = "“metadata” is empty; leave it out."
        yield Finding(entry.key_span, message, fix, level=Severity.HINT)
        return
    as_json = isinstance(value, Scalar) and value.text.lstrip().startswith("{")
    if as_json and is_target(skill, "openclaw"):
        return
    yield Finding(
        shown(skill, entry),
        "“metadata” must be a map: one “key: value” a line, indented below it.",
        level=None if is_target(skill, "spec") else Severity.WARNING,
    )


def _is_read(item: Entry) -> bool:
    """Return whether some client reads such a map or list."""
    if isinstance(item.value, Scalar):
        return False
    known = clients.known_key(f"metadata.{item.key}")
    return item.key in _FORMER or any(key.type in ("map", "list") for key in known.values())


def _advice(value: Node) -> str:
    if isinstance(value, Scalar):
        return "put it in quotes"
    return (
        "join it with commas" if isinstance(value, Sequence) else "give each part a key of its own"
    )


def _fix(skill: Skill, item: Entry) -> Fix | None:
    value = item.value
    if isinstance(value, Scalar):
        if value.tag:
            return None
        raw = skill.source[value.span.start : value.span.end]
        safe = value.type in ("int", "float") or value.legacy_type == "timestamp"
        return Fix("Quote the value", (Edit(value.span, quote(raw)),), safe=safe)
    text = as_text(skill, value)
    if text is None:
        return None
    return Fix("Join the list to one text", (replace_value(skill, item, text),), safe=False)
