"""Fences as lines: what an author takes for openings and closings inside a code block."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from skillgauge.document.markdown import CodeBlock
from skillgauge.text import Span, Text

_FENCE: Final = re.compile(r"[ \t>]*(?P<mark>`{3,}|~{3,})[ \t]*(?P<info>[^\r\n]*)")


@dataclass(frozen=True, slots=True)
class Fence:
    """A line with a fence; `span` is the fence with its info string, `mark_span` its characters."""

    span: Span
    mark_span: Span
    mark: str
    info: str


def fence_on(text: Text, line: int) -> Fence | None:
    """Return the fence on a line, None if there is none."""
    here = text.line_span(line)
    match = _FENCE.match(text.content, here.start, here.end)
    if match is None or (match["mark"][0] == "`" and "`" in match["info"]):
        return None
    info = match["info"].rstrip()
    end = match.start("info") + len(info) if info else match.end("mark")
    start = match.start("mark")
    return Fence(Span(start, end), Span(*match.span("mark")), match["mark"], info)


def opening(text: Text, block: CodeBlock) -> Fence:
    """Return the fence that opens a block."""
    found = _FENCE.match(text.content, block.span.start, block.span.end)
    line = text.line_span(text.line_of(block.span.start))
    end = min(line.end, block.span.end)
    mark = found["mark"] if found else "```"
    shown = text.content[block.span.start : end].rstrip()
    info = shown[len(mark) :].strip()
    start = block.span.start
    return Fence(Span(start, start + len(shown)), Span(start, start + len(mark)), mark, info)


def opens_inside(text: Text, block: CodeBlock) -> Fence | None:
    """Return the first line in a block that would open a fence that only the block's can close."""
    if "```" not in text.slice(block.content) and "~~~" not in text.slice(block.content):
        return None
    outer = opening(text, block)
    first, last = text.line_of(block.content.start), text.line_of(block.content.end)
    for line in range(first, last + 1):
        fence = fence_on(text, line)
        if fence and fence.info and _rivals(outer, fence) and fence.span.start > outer.span.start:
            return fence
    return None


def balanced(text: Text, block: CodeBlock) -> list[Fence] | None:
    """Return the fences from a block's opening to the line that closes it if fences nest.

    None where they don't: an opening without its closing, or the end of the text.
    """
    outer = opening(text, block)
    found, depth = [outer], 1
    for line in range(text.line_of(outer.span.start) + 1, text.line_count):
        fence = fence_on(text, line)
        if fence is None or not _rivals(outer, fence):
            continue
        found.append(fence)
        depth += 1 if fence.info else -1
        if depth == 0:
            return found
    return None


def _rivals(outer: Fence, inner: Fence) -> bool:
    return inner.mark[0] == outer.mark[0] and len(inner.mark) >= len(outer.mark)
