"""How to write a frontmatter entry that does not parse so that it reads as its author meant it.

Every repair is proved by reading it back; where more than one meaning is possible it says so, and
where none is likely there is none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from skillgauge.document.nodes import Mapping, Scalar
from skillgauge.document.yaml_reader import BLANK, read_yaml
from skillgauge.text import Span

_BREAK: Final = re.compile(r"\r\n|\n|\r")
_ESCAPE: Final = re.compile(
    r"\\(?:[0abtnvfre \"/\\N_LP\t\r\n]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})|\\"
)
_INDENT: Final = re.compile(r"^[ \t]*\t[ \t]*", re.MULTILINE)
# What may be a comment, and then is none of the value's text; "#12" or "#channel" is no comment.
_COMMENT: Final = re.compile(r"[ \t]#(?:\s|\Z)")
_CLOSERS: Final = {"[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class Repair:
    """Put `text` in place of `span`. Not `certain`: the author may have meant something else."""

    span: Span
    text: str
    certain: bool = True


def quote(text: str) -> str:
    """Return `text` as a quoted scalar on one line, in double quotes where they need no escape."""
    if '"' not in text and "\\" not in text:
        return f'"{text}"'
    if "'" not in text:
        return f"'{text}'"
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def reads_as(quoted: str, text: str) -> bool:
    """Return whether a value, written so, is exactly `text`."""
    reading = read_yaml("k: " + quoted)
    root = reading.root
    value = root.get("k") if isinstance(root, Mapping) and not reading.fault else None
    return isinstance(value, Scalar) and value.text == text


def quote_plain(source: str, value: Span) -> Repair | None:
    """Quote a value that has no quotes around it, lines folded as YAML folds them."""
    raw = source[value.start : value.end]
    return _quoted(value, _folded(raw), certain=not _COMMENT.search(raw))


def quote_block_marker(source: str, value: Span) -> Repair | None:
    """Quote the text that stands on the same line as `|` or `>`, without the marker."""
    raw = source[value.start : value.end]
    return _quoted(value, _folded(raw.lstrip("|>+-0123456789")), certain=False)


def quote_again(source: str, value: Span) -> Repair | None:
    """Mend a quoted value: quotes in quotes, no closing quote, or text behind the closing one."""
    raw = source[value.start : value.end]
    mark = raw[0]
    inner = raw[1:-1]
    if len(raw) > 2 and raw[-1] == mark and _is_pair(inner, mark):
        return _quoted(value, _folded(inner.replace("\\" + mark, mark)))
    if mark not in raw[1:]:  # an apostrophe may be what a single one is
        return _quoted(value, _folded(raw[1:]), certain=mark == '"')
    return _quoted(value, _folded(raw), certain=not _COMMENT.search(raw))


def double_backslashes(source: str, value: Span) -> Repair | None:
    """Double each backslash of a double-quoted value that begins no escape of YAML."""
    raw = source[value.start : value.end]
    escapes = {match[0] for match in _ESCAPE.finditer(raw)}
    text = _ESCAPE.sub(lambda match: "\\\\" if match[0] == "\\" else match[0], raw)
    # Where others are escapes by accident (\new in a path), the text would be another.
    certain = escapes <= {"\\", "\\\\", '\\"'}
    return Repair(value, text, certain) if not read_yaml("k: " + text).fault else None


def close_of_flow(raw: str) -> int:
    """Return the offset behind the bracket that closes the first one of `raw`, 0 if none does."""
    stack: list[str] = []
    for index, char in enumerate(raw):
        if char in _CLOSERS:
            stack.append(_CLOSERS[char])
        elif stack and char == stack[-1]:
            stack.pop()
            if not stack:
                return index + 1
    return 0


def untab(source: str, entry: Span) -> Repair | None:
    """Indent with two blanks where tabs do; only where the entry then reads well."""
    raw = source[entry.start : entry.end]
    text = _INDENT.sub(lambda match: match[0].replace("\t", "  "), raw)
    return Repair(entry, text) if not read_yaml(text).fault else None


def _quoted(value: Span, text: str | None, *, certain: bool = True) -> Repair | None:
    if text is None:
        return None
    quoted = quote(text)
    return Repair(value, quoted, certain) if reads_as(quoted, text) else None


def _folded(raw: str) -> str | None:
    """Return `raw` on one line; None where a blank line makes two paragraphs of it."""
    lines = [line.strip(" \t") for line in _BREAK.split(raw.strip(BLANK))]
    return " ".join(lines) if all(lines) else None


def _is_pair(inner: str, mark: str) -> bool:
    """Return whether the quotes around `inner` belong together: the first one inside opens."""
    at = inner.find(mark)
    while at >= 0:
        before, after = inner[at - 1 : at], inner[at + 1 : at + 2]
        if not (before.isalnum() and after.isalnum()):  # else an apostrophe
            return not before or before.isspace() or before in "([{\\-–—/"
        at = inner.find(mark, at + 1)
    return True
