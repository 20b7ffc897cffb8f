"""Fences that don't pair as their author meant: which line is at fault, and why.

CommonMark pairs fences in its own way, and after one slip all that follows is inside out. So each
fault found is mended in a copy of the text, of the same length, and the copy is read again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from skillgauge.document.markdown import CodeBlock, Html, Markdown
from skillgauge.document.markdown_reader import read_markdown
from skillgauge.document.skill import Skill
from skillgauge.text import Span, Text

Kind = Literal[
    "nested",  # an opening fence in a block whose fence is no longer
    "unclosed",  # an opening fence in a block of code, which should have ended before
    "stray",  # a closing fence without an opening one
    "html",  # an opening fence right below a tag, which makes HTML of it
    "open",  # nothing closes it
]

_MAX_FAULTS: Final = 20
_MAX_NESTED: Final = 5_000
"""Lines below an opening fence that are looked through for the one that closes it."""
_FENCE: Final = re.compile(r"(?P<indent>[ \t>]*)(?P<mark>`{3,}|~{3,})[ \t]*(?P<info>[^\r\n]*)")
_VISIBLE: Final = re.compile(r"[^\r\n]")
_RAW: Final = re.compile(r"<(?:!--|[?!]|(?:pre|script|style|textarea)\b)", re.IGNORECASE)
_MARKDOWN: Final = frozenset(
    ["", "markdown", "md", "mdx", "text", "txt", "prompt", "plaintext", "template"]
)
"""Languages whose code may well hold fences; none is named as often."""


@dataclass(frozen=True, slots=True)
class Fence:
    """A line with a fence; `span` is the fence with its info string, `mark_span` its characters."""

    span: Span
    mark_span: Span
    mark: str
    info: str
    column: int
    quotes: int
    """How many block quotes it stands in."""

    def rivals(self, inner: Fence) -> bool:
        """Return whether this block's closing line could be one like `inner`."""
        long = inner.mark[0] == self.mark[0] and len(inner.mark) >= len(self.mark)
        return long and inner.quotes == self.quotes and inner.column < self.column + 4


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault; `outer` is the fence or tag above that it has to do with."""

    kind: Kind
    at: Fence
    outer: Span | None = None
    pair: tuple[Fence, ...] = ()
    """The fences from the outer opening to its closing line, if fences nest as they look."""
    sure: bool = True


def faults(skill: Skill) -> Iterator[Fault]:
    """Yield the faults of a text in their order."""
    text, source, found, start = skill.text, skill.source, skill.markdown, skill.body.start
    for _ in range(_MAX_FAULTS):
        blocks = [block for block in found.code_blocks if block.fenced]
        first = _first(text, found, blocks)
        if first is None:
            return
        fault, start, hidden = first
        yield fault
        source = source[: hidden.start] + _blank(source, hidden) + source[hidden.end :]
        found = read_markdown(source, start)


def _first(text: Text, found: Markdown, blocks: list[CodeBlock]) -> tuple[Fault, int, Span] | None:
    """Return the first fault, from where to read on, and what to blank out before."""
    tag = next((hit for html in found.html if (hit := _swallowed(text, html))), None)
    for index, block in enumerate(blocks):
        if tag and tag[1].start < block.span.start:
            break
        before = blocks[index - 1] if index else None
        if hit := _judge(text, block, before):
            return hit
    if tag:
        fault, above = tag
        return fault, above.start, above
    return None


def _judge(
    text: Text, block: CodeBlock, before: CodeBlock | None
) -> tuple[Fault, int, Span] | None:
    inner = _opens_inside(text, block)
    if inner is None and block.closed:
        return None
    outer = _opening(text, block)
    if not outer.info:
        closing = _closing(text, before) if before else None
        if before and closing and _opens(text, closing):  # the slip was one block before
            above = _opening(text, before)
            if not above.info and _closes(text, above):
                return _hiding(text, Fault("stray", above), above)
            return _inside(text, before, above, closing)
        if _closes(text, outer):
            return _hiding(text, Fault("stray", outer), outer)
    if inner is None:
        return Fault("open", outer), block.span.end, Span(block.span.end, block.span.end)
    return _inside(text, block, outer, inner)


def _inside(text: Text, block: CodeBlock, outer: Fence, inner: Fence) -> tuple[Fault, int, Span]:
    """Judge an opening fence inside a block: that block's own fence is too short, or not closed."""
    if block.language not in _MARKDOWN:
        return _hiding(text, Fault("unclosed", inner, outer.span), outer)
    pair, guessed = _balanced(text, outer)
    sure = bool(block.language) and not guessed
    fault = Fault("nested", inner, outer.span, pair, sure)
    if pair:
        return fault, pair[-1].span.end, Span(pair[-1].span.end, pair[-1].span.end)
    return _hiding(text, fault, outer)


def _hiding(text: Text, fault: Fault, fence: Fence) -> tuple[Fault, int, Span]:
    """Go on as if the line of a fence were not there."""
    line = text.line_span(text.line_of(fence.span.start))
    return fault, line.start, line


def _swallowed(text: Text, html: Html) -> tuple[Fault, Span] | None:
    """Return a fence in an HTML block, with the tag's lines above it."""
    raw = text.slice(html.span)
    if html.inline or ("```" not in raw and "~~~" not in raw) or _RAW.match(raw):
        return None
    first, last = text.line_of(html.span.start), text.line_of(html.span.end)
    for line in range(first + 1, last + 1):
        fence = _fence_on(text, line)
        if fence and fence.column < 4 and (fence.info or not _closes(text, fence)):
            tag = Span(html.span.start, text.line_span(line - 1).end)
            return Fault("html", fence, text.line_span(first)), tag
    return None


def _fence_on(text: Text, line: int) -> Fence | None:
    here = text.line_span(line)
    match = _FENCE.match(text.content, here.start, here.end)
    if match is None or (match["mark"][0] == "`" and "`" in match["info"]):
        return None
    info = match["info"].rstrip()
    end = match.start("info") + len(info) if info else match.end("mark")
    start = match.start("mark")
    column = start - here.start
    quotes = match["indent"].count(">")
    return Fence(Span(start, end), Span(*match.span("mark")), match["mark"], info, column, quotes)


def _opening(text: Text, block: CodeBlock) -> Fence:
    """Return the fence that opens a block."""
    start = block.span.start
    line = text.line_span(text.line_of(start))
    shown = text.content[start : min(line.end, block.span.end)].rstrip()
    mark = shown[: len(shown) - len(shown.lstrip(shown[:1]))]
    info = shown[len(mark) :].strip()
    mark_span = Span(start, start + len(mark))
    before = text.content[line.start : start]
    whole = Span(start, start + len(shown))
    return Fence(whole, mark_span, mark, info, len(before), before.count(">"))


def _closing(text: Text, block: CodeBlock) -> Fence | None:
    return _fence_on(text, text.line_of(block.span.end)) if block.closed else None


def _opens_inside(text: Text, block: CodeBlock) -> Fence | None:
    """Return the first line in a block that would open a fence that only the block's can close."""
    start, end = block.content
    if text.content.find("```", start, end) < 0 and text.content.find("~~~", start, end) < 0:
        return None
    outer = _opening(text, block)
    for line in range(text.line_of(start), text.line_of(end) + 1):
        fence = _fence_on(text, line)
        if fence and fence.info and outer.rivals(fence) and fence.span.start > outer.span.start:
            return fence
    return None


def _balanced(text: Text, outer: Fence) -> tuple[tuple[Fence, ...], bool]:
    """Return the fences from an opening to the line that closes it if fences nest; else none.

    And whether that rests on a guess: which of the fences without a language open a block.
    """
    found, depth, guessed = [outer], 1, False
    first = text.line_of(outer.span.start) + 1
    for line in range(first, min(first + _MAX_NESTED, text.line_count)):
        fence = _fence_on(text, line)
        if fence and outer.rivals(fence):
            found.append(fence)
            guess = not fence.info and _opens(text, fence)
            guessed = guessed or guess
            depth += 1 if fence.info or guess else -1
            if depth == 0:
                return tuple(found), guessed
    return (), guessed


def _opens(text: Text, fence: Fence) -> bool:
    """Return whether a fence looks like an opening one: text below it, and none above."""
    above, below = _around(text, fence)
    return bool(below) and (not above or above.endswith(":") or above.startswith("#"))


def _closes(text: Text, fence: Fence) -> bool:
    """Return whether a fence looks like a closing one: none below it, or the text ends."""
    above, below = _around(text, fence)
    line = text.line_of(fence.span.start)
    last = not text.content[text.line_span(line).end :].strip()
    return last or (not below and bool(above) and not above.endswith(":"))


def _around(text: Text, fence: Fence) -> tuple[str, str]:
    line = text.line_of(fence.span.start)
    above = text.line(line - 1) if line else ""
    below = text.line(line + 1) if line + 1 < text.line_count else ""
    return above.strip(), below.strip()


def _blank(source: str, span: Span) -> str:
    return _VISIBLE.sub(" ", source[span.start : span.end])
