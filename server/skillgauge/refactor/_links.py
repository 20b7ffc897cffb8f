"""Moves text between a skill's files: links, anchors and heading levels follow."""

from __future__ import annotations

import posixpath
import re

from skillgauge.document.anchors import anchors
from skillgauge.document.markdown import Markdown
from skillgauge.fix import apply_edits
from skillgauge.rule import Edit
from skillgauge.text import Span, split_lines

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//|/|\{|\$")


def relink(markdown: Markdown, span: Span, from_dir: str, to_dir: str, own: str, new: str) -> str:
    """Return the text of a range as it reads in another directory.

    `own` is the path of the file that it leaves, `new` of the one that it goes to. Links to files
    are made relative to `to_dir`, links to headings that stay behind name the file they are in.
    """
    inside = {
        name for name, where in anchors(markdown).items() if span.start <= where.start < span.end
    }
    edits: list[Edit] = []
    targets = [(link.target, link.destination) for link in markdown.links if link.kind == "inline"]
    targets += [(item.target, item.destination) for item in markdown.definitions]
    for target, destination in targets:
        if (
            not (span.start <= target.start and target.end <= span.end)
            or target.start == target.end
        ):
            continue
        moved = _moved(destination, inside, from_dir, to_dir, own, new)
        if moved is not None:
            edits.append(Edit(target.shift(-span.start), moved))
    return apply_edits(markdown.text[span.start : span.end], edits)


def _moved(
    destination: str, inside: set[str], from_dir: str, to_dir: str, own: str, new: str
) -> str | None:
    if destination.startswith("#"):
        if destination[1:] in inside:
            return None
        return posixpath.relpath(own, to_dir or ".") + destination
    if not destination or _SCHEME.match(destination):
        return None
    path, mark, anchor = destination.partition("#")
    absolute = posixpath.normpath(posixpath.join(from_dir, path))
    if absolute == new and mark:
        return f"#{anchor}"
    relative = posixpath.relpath(absolute, to_dir or ".")
    trailing = "/" if path.endswith("/") and not relative.endswith("/") else ""
    return f"{relative}{trailing}{mark}{anchor}".replace(" ", "%20")


def shift_headings(markdown: Markdown, text: str, span: Span, by: int) -> str:
    """Return `text` (the source of `span`, maybe relinked) with ATX headings `by` levels deeper.

    Headings are told from lines of code by counting: only those that the parser knows change.
    """
    if by == 0:
        return text
    wanted = [
        split_lines(markdown.text[item.span.start : item.span.end])[0]
        for item in markdown.headings
        if span.start <= item.span.start < span.end and markdown.text[item.span.start] == "#"
    ]
    levels = [
        item.level
        for item in markdown.headings
        if span.start <= item.span.start < span.end and markdown.text[item.span.start] == "#"
    ]
    lines = split_lines(text, keep=True)
    at = 0
    for line, level in zip(wanted, levels, strict=True):
        head = line[:level]
        while at < len(lines) and not _same_heading(lines[at], line):
            at += 1
        if at == len(lines):
            break
        lines[at] = "#" * min(max(level + by, 1), 6) + lines[at][len(head) :]
        at += 1
    return "".join(lines)


def _same_heading(line: str, wanted: str) -> bool:
    """Compare up to the first link, whose target may have moved."""
    cut = wanted.find("](")
    part = wanted if cut < 0 else wanted[:cut]
    return line.rstrip("\r\n").startswith(part)
