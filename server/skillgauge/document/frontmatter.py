"""The YAML block at the top: where it is, every key and value with its range, and its faults.

A fault in one entry hides no other: when the block as a whole does not parse, each top-level entry
is read on its own, and what parses is kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from skillgauge.document.nodes import Entry, Mapping, Node, Scalar, SyntaxFault
from skillgauge.document.recovery import recover, without_conflicts
from skillgauge.document.yaml_fault import BrokenEntry, match_key
from skillgauge.document.yaml_reader import BLANK, read_yaml
from skillgauge.text import Span

SPEC_KEYS: Final = (
    "name",
    "description",
    "license",
    "compatibility",
    "metadata",
    "allowed-tools",
)
"""The six keys of the agentskills.io specification, in its order."""

MAX_FRONTMATTER: Final = 64 * 1024
"""Longer blocks (in characters) are not parsed: the largest real one has 7 kB."""

_DASHES: Final = re.compile(r"---[ \t]*(?:\r\n|\n|\r|\Z)")
# Three dots end a YAML document as well; four dashes are a slip.
_CLOSING: Final = re.compile(r"(?<=[\r\n])(?:-{3,}|\.\.\.)[ \t]*(?:\r\n|\n|\r|\Z)")
_NAMED: Final = re.compile(r"(?:\A|(?<=[\r\n]))(?:name|description)[ \t]*:")
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_FENCE: Final = re.compile(r"[ ]{0,3}(?:```|~~~)")
_BODY: Final = re.compile(r"#{1,6}[ \t]+\S|```|~~~")
_PLAIN_KEY: Final = re.compile(r"[a-z][a-z0-9_-]*:(?:[ \t\r\n]|\Z)")
_SEARCHED = 60  # lines within which a block that doesn't open the file is still looked for


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """The YAML block. `span` covers both fences, `inner` the YAML alone."""

    span: Span
    inner: Span
    opening: Span
    """The line `---` that opens it, without its line break."""
    closing: Span | None
    """The line that closes it, without its line break; None if there is none."""
    before: Span
    """What stands before the block, empty in a good file; a byte order mark doesn't count."""
    root: Node | None
    """The value of the block as a whole; None for an empty one and when it does not parse."""
    entries: tuple[Entry, ...]
    """The top-level entries that can be read, in order, doubled keys kept."""
    broken: tuple[BrokenEntry, ...]
    """The top-level entries that can't, each with its likely cause."""
    fault: SyntaxFault | None
    """The first fault of the block as a whole, None when it parses."""
    closed: bool = True
    """Whether `---` closes it; `closing` may be `...` or `----`, which clients don't take."""
    too_large: bool = False

    def entry(self, key: str) -> Entry | None:
        """Return the first readable entry with this key."""
        return next((entry for entry in self.entries if entry.key == key), None)

    def value(self, key: str) -> Node | None:
        """Return the first readable value with this key."""
        entry = self.entry(key)
        return entry.value if entry else None

    def string(self, key: str) -> str | None:
        """Return the text under `key` if that is a scalar (whatever its type), else None."""
        value = self.value(key)
        return value.text if isinstance(value, Scalar) else None

    def is_broken(self, key: str) -> bool:
        """Return whether `key` is there but can't be read."""
        return any(broken.key == key for broken in self.broken)

    def has(self, key: str) -> bool:
        """Return whether `key` is there, readable or not."""
        return self.entry(key) is not None or self.is_broken(key)


# A block is read for the skill's neighbours and for itself, and typing is mostly done below it.
_read_yaml: Final = lru_cache(maxsize=512)(read_yaml)


def find_frontmatter(text: str) -> Frontmatter | None:
    """Find and read the block; None when the file has none."""
    top = 1 if text.startswith("\ufeff") else 0
    if match := _DASHES.match(text, top):
        return _read(text, Span(top, top), match)
    return _misplaced(text, top)


def _misplaced(text: str, top: int) -> Frontmatter | None:
    """Look for a block with something before it: `---`, then a known key, then a closing line.

    The search ends at a code fence, whose content is an example, but for one that is the very
    first line and so wraps the whole file.
    """
    at, first = top, True
    for _ in range(_SEARCHED):
        line = _LINE.match(text, at)
        if line is None or line.end() == at:
            break
        if match := _DASHES.match(text, at):
            closing = _CLOSING.search(text, match.end())
            inner = text[match.end() : closing.start()] if closing else ""
            return _read(text, Span(top, at), match) if _NAMED.search(inner) else None
        if _FENCE.match(text, at) and not (first and _DASHES.match(text, line.end())):
            break
        first = first and not line[0].strip(BLANK)
        at = line.end()
    return None


def _read(text: str, before: Span, opening: re.Match[str]) -> Frontmatter:
    start = opening.end()
    closing = _CLOSING.search(text, start)
    inner = Span(start, closing.start() if closing else _end_of_keys(text, start))
    line = _without_break(opening)
    if inner.end - inner.start > MAX_FRONTMATTER:
        span = Span(opening.start(), closing.end() if closing else inner.end)
        end = _without_break(closing) if closing else None
        closed = closing is not None and closing[0].rstrip() == "---"
        return Frontmatter(
            span, inner, line, end, before, None, (), (), None, closed, too_large=True
        )
    marks, source = without_conflicts(text, inner)
    reading = _read_yaml(source[inner.start : inner.end], inner.start)
    if (closing and not isinstance(reading.root, Mapping | None)) or reading.fault:
        stop = _body_start(text, inner)
        if stop is not None:  # what looks like the closing line is a rule further down
            closing, inner = None, Span(start, stop)
            marks = tuple(mark for mark in marks if mark.at.start < stop)
            reading = _read_yaml(source[start:stop], start)
    span = Span(opening.start(), closing.end() if closing else inner.end)
    root, fault = reading.root, reading.fault
    entries = root.entries if isinstance(root, Mapping) else ()
    broken: tuple[BrokenEntry, ...] = ()
    if fault:
        entries, broken = recover(source, inner, fault)
    if marks:
        broken = (*marks, *broken)
        fault = marks[0].fault
    return Frontmatter(
        span,
        inner,
        line,
        _without_break(closing) if closing else None,
        before,
        None if fault else root,
        entries,
        broken,
        fault,
        closed=closing is not None and closing[0].rstrip() == "---",
    )


def _without_break(match: re.Match[str]) -> Span:
    return Span(match.start(), match.start() + len(match[0].rstrip("\r\n")))


def _end_of_keys(text: str, start: int) -> int:
    """Return where an unclosed block stops looking like YAML: behind its last key or value."""
    at = end = start
    gap = False
    while at < len(text) and at - start <= MAX_FRONTMATTER:
        match = _LINE.match(text, at)
        if match is None:
            break
        blank = not match[0].strip(BLANK)
        if not blank:
            key = match_key(text, at)
            # Behind an empty line prose may look like a key ("Note: …"): only plain ones count.
            is_key = _PLAIN_KEY.match(text, at) if gap else key and " " not in key.text
            if not is_key and not (end > start and not gap and text[at] in " \t-#"):
                break
            end = match.end()
        gap = blank
        at = match.end()
    return end


def _body_start(text: str, inner: Span) -> int | None:
    """Return where the Markdown begins that a block which doesn't parse has swallowed, if any.

    That is at a heading or fence in column 0, unless keys or values follow, for which a heading
    is a comment. The blank lines before it belong to the Markdown.
    """
    at = end = inner.start
    heading: int | None = None
    while at < inner.end:
        match = _LINE.match(text, at)
        if match is None or match.end() == at:
            break
        if match[0].strip(BLANK):
            if heading is not None and not (text[at] in " \t-#" or match_key(text, at)):
                return heading
            if _BODY.match(text, at):
                if text[at] != "#":
                    return end
                heading = end if heading is None else heading
            elif text[at] != "#":
                heading = None
            end = match.end()
        at = match.end()
    return None
