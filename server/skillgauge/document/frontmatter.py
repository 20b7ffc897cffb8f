"""The YAML block at the top: where it is, every key and value with its range, and its faults.

A fault in one entry hides no other: when the block as a whole does not parse, each top-level entry
is read on its own, and what parses is kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from skillgauge.document.nodes import Entry, Mapping, Node, Scalar, SyntaxFault
from skillgauge.document.yaml_fault import BrokenEntry, diagnose
from skillgauge.document.yaml_reader import UNPRINTABLE, read_yaml
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

MAX_FRONTMATTER: Final = 128 * 1024
"""Longer blocks (in characters) are not parsed: the largest real one has 7 kB."""

_DASHES: Final = re.compile(r"---[ \t]*(?:\r\n|\n|\r|\Z)")
_CLOSING: Final = re.compile(r"(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|\Z)")
_KEY: Final = re.compile(
    r"(?:(?P<quote>[\"'])(?P<quoted>[^\"'\r\n]*)(?P=quote)|(?P<plain>[^\s#\-?:,\[\]{}&*!|>'\"%@`]"
    r"[^\r\n:#]*?|-(?=[^\s-])[^\r\n:#]*?))[ \t]*:(?=[ \t\r\n]|\Z)"
)
_NAMED: Final = re.compile(r"(?:\A|(?<=[\r\n]))(?:name|description)[ \t]*:")
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_SEARCHED = 60  # lines within which a block that doesn't open the file is still looked for


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """The YAML block. `span` covers both fences, `inner` the YAML alone."""

    span: Span
    inner: Span
    opening: Span
    """The line `---` that opens it, without its line break."""
    closed: bool
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


def find_frontmatter(text: str) -> Frontmatter | None:
    """Find and read the block; None when the file has none."""
    top = 1 if text.startswith("\ufeff") else 0
    if match := _DASHES.match(text, top):
        return _read(text, Span(top, top), match)
    return _misplaced(text, top)


def _misplaced(text: str, top: int) -> Frontmatter | None:
    """Look for a block with something before it: `---`, then a known key, then a closing line."""
    at = top
    for _ in range(_SEARCHED):
        line = _LINE.match(text, at)
        if line is None or line.end() == at:
            return None
        match = _DASHES.match(text, at)
        if match:
            closing = _CLOSING.search(text, match.end())
            inner = text[match.end() : closing.start()] if closing else ""
            if _NAMED.search(inner):
                return _read(text, Span(top, at), match)
            return None
        if line[0].startswith("#"):
            return None  # the body has begun
        at = line.end()
    return None


def _read(text: str, before: Span, opening: re.Match[str]) -> Frontmatter:
    closing = _CLOSING.search(text, opening.end())
    closed = closing is not None and closing.group().startswith("---")
    if closing and closed:
        inner = Span(opening.end(), closing.start())
        span = Span(opening.start(), closing.end())
    else:
        inner = Span(opening.end(), _end_of_keys(text, opening.end()))
        span = Span(opening.start(), inner.end)
    line = Span(opening.start(), opening.start() + len(opening.group().rstrip("\r\n")))
    if inner.end - inner.start > MAX_FRONTMATTER:
        return Frontmatter(span, inner, line, closed, before, None, (), (), None, too_large=True)
    reading = read_yaml(text[inner.start : inner.end], inner.start)
    if reading.fault is None:
        entries = reading.root.entries if isinstance(reading.root, Mapping) else ()
        return Frontmatter(span, inner, line, closed, before, reading.root, entries, (), None)
    entries, broken = _recover(text, inner, reading.fault)
    return Frontmatter(span, inner, line, closed, before, None, entries, broken, reading.fault)


def _end_of_keys(text: str, start: int) -> int:
    """Return where an unclosed block stops looking like YAML: at a heading or a blank line."""
    at = start
    seen_key = False
    while at < len(text):
        match = _LINE.match(text, at)
        if match is None or match.end() == at:
            break
        line = match[0].rstrip("\r\n")
        key = _KEY.match(text, at)
        is_key = key is not None and " " not in (key["plain"] or "")
        if not is_key and not (seen_key and line[:1] in (" ", "\t", "-")):
            break
        seen_key = seen_key or is_key
        at = match.end()
    return at


def _recover(
    text: str, inner: Span, fault: SyntaxFault
) -> tuple[tuple[Entry, ...], tuple[BrokenEntry, ...]]:
    entries: list[Entry] = []
    broken: list[BrokenEntry] = []
    for chunk in _chunks(text, inner):
        source = text[chunk.start : chunk.end]
        reading = read_yaml(source, chunk.start)
        if reading.fault is None and (reading.root is None or isinstance(reading.root, Mapping)):
            entries.extend(reading.root.entries if reading.root else ())
            continue
        if isinstance(reading.root, Mapping) and UNPRINTABLE.search(source):
            entries.extend(reading.root.entries)  # readable but for a character, which is reported
        key = _KEY.match(text, chunk.start)
        stop = chunk.start + len(source.rstrip())
        found = reading.fault or SyntaxFault(chunk.start, "not a “key: value” line")
        broken.append(diagnose(text, Span(chunk.start, stop), key, found))
    if not broken:  # each entry reads well alone: the fault is in how they stand together
        stop = min(fault.offset + 1, inner.end)
        broken.append(diagnose(text, Span(min(fault.offset, stop), stop), None, fault))
    return tuple(entries), tuple(broken)


def _chunks(text: str, inner: Span) -> list[Span]:
    """Cut the block at each line that begins in column 0 with a key, or with neither space nor -.

    Comment lines and list items in column 0 stay with the entry above.
    """
    starts: list[int] = []
    at = inner.start
    while at < inner.end:
        match = _LINE.match(text, at)
        if match is None or match.end() == at:
            break
        if text[at] not in " \t\r\n#" and (not text.startswith(("- ", "-\n"), at) or not starts):
            starts.append(at)
        at = match.end()
    ends = [*starts[1:], inner.end]
    return [Span(start, end) for start, end in zip(starts, ends, strict=True)]
