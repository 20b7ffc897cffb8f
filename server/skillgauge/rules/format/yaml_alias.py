"""The frontmatter uses an anchor, an alias, a merge key or an explicit type.

## Why is this bad?
Few of the readers of skills know these parts of YAML: the reference validator refuses them all, and
`<<` is no longer part of YAML. Where they are read at all, a `&word` or `!word` at the start of a
value is lost from its text.

## Bad
````skill
---
name: find-files
description: Finds files by name or date. Use when the user looks for a file.
metadata:
  defaults: &defaults
    category: search
  nightly:
    <<: *defaults
---
````

## Good
````skill
---
name: find-files
description: Finds files by name or date. Use when the user looks for a file.
metadata:
  category: search
---
````

## Fix safety
The fix quotes a value that has the type `!!str`. Quoting one that begins with an anchor is unsafe,
since the anchor may be meant.

## References
- https://yaml.org/spec/1.2.2/#71-alias-nodes
- https://github.com/agentskills/agentskills
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.nodes import Alias, Entry, Mapping, Node, Scalar, walk
from skillgauge.document.skill import Skill
from skillgauge.document.yaml_repair import quote
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.text import Span


@rule("F019", Severity.WARNING, fix="mixed")
def yaml_alias(skill: Skill) -> Iterator[Finding]:
    """Report each alias with what it stands for, each unused anchor and each type."""
    entries = skill.frontmatter.entries if skill.frontmatter else ()
    raw = skill.text.slice(skill.frontmatter.inner) if skill.frontmatter else ""
    if not any(sign in raw for sign in "&*!"):
        return
    nodes = [node for entry in entries for node in walk(entry.value)]
    merged = {entry.value: entry for entry in _merges(entries, nodes)}
    used = {node.name for node in nodes if isinstance(node, Alias)}
    for node in nodes:
        if isinstance(node, Alias):
            yield _alias(node, merged.get(node))
            continue
        if node.tag:
            yield _tag(skill, node)
        if node.anchor and node.anchor not in used:
            yield _anchor(skill, node)


def _merges(entries: tuple[Entry, ...], nodes: list[Node]) -> Iterator[Entry]:
    groups = [entries, *(node.entries for node in nodes if isinstance(node, Mapping))]
    yield from (entry for group in groups for entry in group if entry.key == "<<")


def _alias(node: Alias, merge: Entry | None) -> Finding:
    if merge:
        return Finding(
            merge.span,
            "“<<” copies the keys of another mapping, which YAML 1.2 no longer has; write them"
            " out.",
        )
    return Finding(
        node.span,
        f"“*{node.name}” repeats another value, which strict readers refuse; write it out.",
    )


def _tag(skill: Skill, node: Node) -> Finding:
    start = skill.source.rfind("!", 0, max(node.span.start, 1))
    if not isinstance(node, Scalar):
        start = skill.source.find("!", node.span.start, node.span.end)
    while skill.source[start - 1 : start] == "!":
        start -= 1
    shown = skill.source[start : node.span.end].split(None, 1)[0]
    fix = None
    if isinstance(node, Scalar) and shown in ("!!str", "!") and not node.anchor:
        edit = Edit(Span(start, max(node.span.end, start + len(shown))), quote(node.text))
        fix = Fix("Quote the value instead", (edit,), safe=shown == "!!str")
    return Finding(
        Span(start, start + len(shown)),
        f"“{shown}” sets a type, which strict readers refuse; quote the value if text is meant.",
        fix,
    )


def _anchor(skill: Skill, node: Node) -> Finding:
    mark = f"&{getattr(node, 'anchor', '')}"
    start = skill.source.rfind(mark, 0, node.span.start + len(mark))
    fix = None
    if isinstance(node, Scalar) and node.style == "plain" and not node.tag:
        whole = skill.source[start : node.span.end]
        if "\n" not in whole and "\r" not in whole:
            title = "Quote the whole value"
            fix = Fix(title, (Edit(Span(start, node.span.end), quote(whole)),), safe=False)
    return Finding(
        Span(start, start + len(mark)),
        f"“{mark}” gives the value a name that nothing uses, and is no part of its text; quote the"
        " whole value or remove it.",
        fix,
    )
