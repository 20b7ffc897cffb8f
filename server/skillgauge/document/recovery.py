"""Reads a frontmatter block that does not parse as a whole: entry by entry, what parses is kept."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from skillgauge.document.nodes import Entry, Mapping, SyntaxFault
from skillgauge.document.yaml_fault import BrokenEntry, diagnose, match_key
from skillgauge.document.yaml_reader import BLANK, UNPRINTABLE, read_yaml
from skillgauge.document.yaml_repair import Repair
from skillgauge.text import Span

MAX_RECOVERED: Final = 500
"""Top-level entries that are read one by one when the block as a whole does not parse."""

_MARK: Final = re.compile(
    r"(?:\A|(?<=[\r\n]))(?P<mark><{7}|={7}|>{7}|\|{7})(?:[ \t][^\r\n]*)?(?=[\r\n]|\Z)"
)
_FLUSH: Final = re.compile(r"(?<=[\r\n])[^\s#\-]")  # a key in column 0, below the first line
_ANCHOR: Final = re.compile(r"&([\w-]+)")
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_HIDDEN: Final = re.compile(r"[^\r\n]")


def without_conflicts(text: str, inner: Span) -> tuple[tuple[BrokenEntry, ...], str]:
    """Return the merge-conflict markers in the block, and the text with one side blanked out."""
    marks = list(_MARK.finditer(text, 0, inner.end))
    if not any(match["mark"][0] in "<>" for match in marks):
        return (), text
    marks = [match for match in marks if match.start() >= inner.start]
    broken: list[BrokenEntry] = []
    parts: list[str] = []
    at, other_side = 0, False
    for match in marks:
        fault = SyntaxFault(match.start(), "a merge-conflict marker")
        span = Span(*match.span())
        key = Span(span.start, span.start)
        broken.append(
            BrokenEntry("", key, span, "conflict", Span(span.start, span.start + 7), fault)
        )
        between = text[at : match.start()]
        parts.append(_HIDDEN.sub(" ", between) if other_side else between)
        parts.append(" " * len(match[0]))
        at, other_side = match.end(), match["mark"][0] in "=|"
    return tuple(broken), "".join([*parts, text[at:]])


def recover(
    text: str, inner: Span, fault: SyntaxFault
) -> tuple[tuple[Entry, ...], tuple[BrokenEntry, ...]]:
    """Return the top-level entries that can be read, and those that can't with their causes."""
    entries: list[Entry] = []
    broken: list[BrokenEntry] = []
    anchors = frozenset(_ANCHOR.findall(text, inner.start, inner.end))
    for chunk in _chunks(text, inner):
        source = text[chunk.start : chunk.end]
        reading = read_yaml(source, chunk.start, anchors)
        root, found = reading.root, reading.fault
        if isinstance(root, Mapping) and (not found or UNPRINTABLE.search(source)):
            entries.extend(root.entries)  # readable, if need be but for a character
        elif root is None and not found:
            continue
        else:
            found = found or SyntaxFault(chunk.start, "not a “key: value” line")
        if found:
            stop = chunk.start + len(source.rstrip(BLANK))
            broken.append(diagnose(text, Span(chunk.start, stop), found))
    # Each entry may read well alone: then the fault is in how they stand together.
    if moved := _moved(text, inner, fault):
        broken.insert(0, moved)
    elif not broken:
        at = Span(min(fault.offset, inner.end), min(fault.offset + 1, inner.end))
        broken.append(BrokenEntry("", Span(at.start, at.start), at, "other", at, fault))
    return tuple(entries), tuple(broken)


def _moved(text: str, inner: Span, fault: SyntaxFault) -> BrokenEntry | None:
    """Blame the first key if it is indented while others are not."""
    source = text[inner.start : inner.end]
    start = inner.start + len(source) - len(source.lstrip(BLANK))
    line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    key = match_key(text, start)
    if start == line or "\t" in text[line:start] or key is None:
        return None
    if not _FLUSH.search(text, start, inner.end):
        return None
    at = Span(line, start)
    mended = text[inner.start : line] + text[start : inner.end]
    after = read_yaml(mended, inner.start).fault
    helped = after is None or after.offset > fault.offset
    return BrokenEntry(
        key.text, key.span, at, "indent", at, fault, "", Repair(at, "") if helped else None
    )


def _chunks(text: str, inner: Span) -> list[Span]:
    """Cut the block at each line that begins in column 0 with a key, or with neither space nor -.

    Comment lines and list items in column 0 stay with the entry above; the first entry begins with
    the first line that isn't empty.
    """
    starts: list[int] = []
    at = inner.start
    while at < inner.end and len(starts) <= MAX_RECOVERED:
        match = _LINE.match(text, at)
        if match is None or match.end() == at:
            break
        continues = text[at] in " \t#" or text.startswith(("- ", "-\n", "-\r"), at)
        if match[0].strip(BLANK) and not (continues and starts) and not text.startswith("#", at):
            starts.append(at)
        at = match.end()
    spans = [Span(start, end) for start, end in pairwise([*starts, inner.end])]
    return spans[:MAX_RECOVERED]
