"""The `allowed-tools` names a tool that no known client has, or one that was renamed.

## Why is this bad?
A grant for a tool that doesn't exist grants nothing, so the agent asks the user all the same. A
name that is a typing error away from a tool is a warning; a tool that was renamed or taken away is
a hint, and so is any other unknown name where Claude Code is the only target that reads the key.
MCP tools, written as `mcp__server__tool`, `Server:tool` or `server/tool`, depend on what is
connected and are never reported.

## Bad
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
allowed-tools: Raed WebFetch
---
````

## Good
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
allowed-tools: Read WebFetch mcp__github__list_releases
---
````

## Fix safety
What was meant is a guess, so the fix is unsafe.

## References
- https://code.claude.com/docs/en/tools-reference
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from skillgauge import clients
from skillgauge.clients import Client
from skillgauge.document.skill import Skill
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.rules.format._clients import names, where
from skillgauge.rules.format._near import nearest
from skillgauge.rules.format._tools import Tool, tools
from skillgauge.text import Span

_PLAIN: Final = re.compile(r"[A-Za-z]+\Z")
_COMPLETE: Final = frozenset({"claude-code"})
"""Clients that read the key and of which all tools are known."""
_CAMEL: Final = re.compile(r"(?:[A-Z][a-z]+)+\Z")


@rule("F047", Severity.WARNING, fix="unsafe", needs={"clients"})
def unknown_tool(skill: Skill) -> Iterator[Finding]:
    """Report each tool that nobody has, at its name."""
    entry = skill.frontmatter.entry("allowed-tools") if skill.frontmatter else None
    if entry is None:
        return
    aimed = where(skill, lambda client: "allowed-tools" in client.reads_spec_keys)
    closed = all(client.id in _COMPLETE for client in aimed)
    known, former = _known(tuple(client.id for client in aimed) if closed else ())
    for tool in tools(entry.value):
        name = tool.name
        if not _PLAIN.match(name) or name in known:
            continue
        if name in former:
            yield Finding(
                _place(skill, tool),
                f"“{name}” is the former name of a tool of {names(former[name])}, or one that was"
                " taken away; name the tool that took its place.",
                tags=("deprecated",),
                level=Severity.HINT,
            )
        else:
            yield from _unknown(skill, tool, known, aimed if closed else ())


def _unknown(
    skill: Skill, tool: Tool, known: frozenset[str], aimed: tuple[Client, ...]
) -> Iterator[Finding]:
    name = tool.name
    span = _place(skill, tool)
    near = nearest(name, sorted(known), 1 if len(name) < 8 else 2) if len(name) > 3 else None
    if near and near.casefold() != name.casefold() and _CAMEL.match(name):
        fix = Fix(f"Change the tool to “{near}”", (Edit(span, near),), safe=False)
        yield Finding(span, f"There is no tool “{name}”; “{near}” is probably meant.", fix)
    elif aimed:
        same = next((other for other in known if other.casefold() == name.casefold()), None)
        hint = f"; it is written “{same}” there" if same else ""
        fix = Fix(f"Change the tool to “{same}”", (Edit(span, same),), safe=False) if same else None
        verb = "have" if len(aimed) > 1 else "has"
        yield Finding(
            span,
            f"{names(aimed)} {verb} no tool “{name}”{hint}.",
            fix,
            level=None if same else Severity.HINT,
        )


def _place(skill: Skill, tool: Tool) -> Span:
    return skill.find_in_value(tool.value, tool.start, tool.start + len(tool.name))


@lru_cache(maxsize=64)
def _known(ids: tuple[str, ...]) -> tuple[frozenset[str], dict[str, tuple[Client, ...]]]:
    """Return the tools of some clients, of all without ids, and whose tools existed formerly."""
    found = [client for client in clients.load() if not ids or client.id in ids]
    known = frozenset(tool for client in found for tool in client.tools)
    former = {
        tool: tuple(client for client in found if tool in client.former_tools)
        for client in found
        for tool in client.former_tools
    }
    return known, former
