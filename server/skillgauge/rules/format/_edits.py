"""Edits of frontmatter as text, so that comments, order, style and line ends survive."""

from __future__ import annotations

import re
from typing import Final

from skillgauge.document.frontmatter import Frontmatter
from skillgauge.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from skillgauge.document.skill import Skill
from skillgauge.document.yaml_repair import quote
from skillgauge.rule import Edit
from skillgauge.text import Span

_TRAILING: Final = re.compile(r"[ \t]*")
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")


def line_break(skill: Skill, block: Frontmatter) -> str:
    """Return the line break that the frontmatter uses."""
    return skill.source[block.opening.end : block.inner.start].lstrip(" \t") or "\n"


def lines_of(skill: Skill, entry: Entry) -> Span:
    """Return the whole lines of an entry, the last line break included."""
    text = skill.text
    first, last = text.line_of(entry.span.start), text.line_of(max(entry.span.end - 1, 0))
    end = text.starts[last + 1] if last + 1 < text.line_count else len(skill.source)
    return Span(text.starts[first], end)


def with_comments(skill: Skill, block: Frontmatter, lines: Span) -> Span:
    """Return the lines with the comment lines right above them."""
    start = lines.start
    while start > block.inner.start:
        above = skill.text.starts[skill.text.line_of(start) - 1]
        if not skill.source.startswith("#", above):
            break
        start = above
    return Span(start, lines.end)


def insert_first(skill: Skill, block: Frontmatter, line: str) -> Edit:
    """Return an edit that puts a line at the top of the frontmatter."""
    return Edit(Span(block.inner.start, block.inner.start), line + line_break(skill, block))


def remove(skill: Skill, entry: Entry) -> Edit:
    """Return an edit that takes out an entry with its lines."""
    return Edit(lines_of(skill, entry), "")


def shown(skill: Skill, entry: Entry) -> Span:
    """Return where to point at a value: at its key if the value runs over several lines."""
    raw = skill.source[entry.value.span.start : entry.value.span.end]
    return entry.key_span if "\n" in raw or "\r" in raw or not raw else entry.value.span


def replace_value(skill: Skill, entry: Entry, text: str) -> Edit:
    """Return an edit that puts a scalar in place of a value, on the line of its key if it can."""
    between = skill.source[entry.key_span.end : entry.value.span.start]
    if between.strip() == ":" and ("\n" in between or "\r" in between):
        start = entry.key_span.end + between.index(":") + 1
        return Edit(Span(start, entry.value.span.end), f" {text}")
    return Edit(entry.value.span, text)


def fill(skill: Skill, value: Scalar, text: str) -> Edit:
    """Return an edit that gives an empty or null value a text, which is valid YAML."""
    start, end = value.span
    blank = "" if skill.source[start - 1 : start] in (" ", "\t") else " "
    stop = _TRAILING.match(skill.source, end)
    if stop and skill.source[stop.end() : stop.end() + 1] != "#":
        end = stop.end()
    return Edit(Span(start, end), blank + text)


def quoted(skill: Skill, value: Node) -> str | None:
    """Return a value's source as a quoted YAML scalar; None if it runs over several lines."""
    raw = skill.source[value.span.start : value.span.end]
    return None if "\n" in raw or "\r" in raw or not raw else quote(raw)


def as_text(skill: Skill, value: Node) -> str | None:
    """Return a value as a YAML scalar that reads as text; None for what isn't one line of text.

    Lists of plain words are joined with commas.
    """
    if isinstance(value, Scalar) and not (value.tag or value.anchor):
        raw = skill.source[value.span.start : value.span.end]
        if "\n" in raw or "\r" in raw:
            return None
        plain = value.style != "plain" or (value.type == "str" and value.legacy_type == "str")
        return raw if plain and raw else quote(value.text)
    if isinstance(value, Sequence) and value.items and not _may_comment(skill, value):
        words = [item.text for item in value.items if isinstance(item, Scalar)]
        whole = len(words) == len(value.items)
        if whole and not any(set(word) & set(",\n\r") or not word for word in words):
            return quote(", ".join(words))
    return None


def _may_comment(skill: Skill, value: Sequence) -> bool:
    """Return whether a list may hold comments, which would be lost on one line."""
    return "#" in skill.source[value.span.start : value.span.end]


def into_metadata(skill: Skill, block: Frontmatter, entry: Entry) -> tuple[Edit, ...] | None:
    """Return edits that move an entry below `metadata`, made where it stands if there is none."""
    text = as_text(skill, entry.value)
    column = skill.text.position(entry.key_span.start).column
    if text is None or block.fault is not None or column or not entry.key:
        return None
    old = lines_of(skill, entry)
    moved = with_comments(skill, block, old)
    lines = skill.source[moved.start : old.start] + _rewritten(skill, entry, text)
    target = block.entry("metadata")
    if target is None:
        new = f"metadata:{line_break(skill, block)}{_indented(lines, 2)}"
        # The empty edit keeps two such fixes from being applied together: each would make a map.
        top = block.inner.start
        return (Edit(Span(top, top), ""), Edit(moved, new))
    indent, after = 2, lines_of(skill, target).end
    if isinstance(target.value, Mapping):
        if not target.value.entries or target.value.entry(entry.key):
            return None
        if target.value.flow:
            return _into_flow(skill, target.value, entry, text, moved)
        first, last = target.value.entries[0], target.value.entries[-1]
        indent = skill.text.position(first.key_span.start).column
        after = lines_of(skill, last).end
    elif not (isinstance(target.value, Scalar) and target.value.text == ""):
        return None
    key = target.key_span.start
    kept = Edit(Span(key, key), "")  # not together with a fix that takes out an empty map
    if moved.start == after:  # one edit, since two would touch
        return (kept, Edit(moved, _indented(lines, indent)))
    return (kept, Edit(Span(after, after), _indented(lines, indent)), Edit(moved, ""))


def _rewritten(skill: Skill, entry: Entry, text: str) -> str:
    """Return an entry's line with its value as text; a comment behind it stays."""
    lines = lines_of(skill, entry)
    behind = skill.source[max(entry.value.span.end, entry.key_span.end + 1) : lines.end]
    return f"{skill.source[lines.start : entry.key_span.end]}: {text}{behind}"


def _into_flow(
    skill: Skill, target: Mapping, entry: Entry, text: str, moved: Span
) -> tuple[Edit, ...] | None:
    lines = skill.source[moved.start : entry.span.start] + skill.source[entry.span.end : moved.end]
    if lines.strip():
        return None  # a comment, which has no place in braces
    if text[0] not in "'\"" and set(text) & set(",[]{}"):
        text = quote(text)
    end = target.entries[-1].span.end
    return (Edit(Span(end, end), f", {entry.key}: {text}"), Edit(moved, ""))


def _indented(lines: str, width: int) -> str:
    found = (match[0] for match in _LINE.finditer(lines))
    return "".join(" " * width + line if line.strip() else line for line in found)
