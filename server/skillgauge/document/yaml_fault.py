"""Why a frontmatter entry does not parse, in an author's terms, and how to quote its value."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from skillgauge.document.nodes import Mapping, Scalar, SyntaxFault
from skillgauge.document.yaml_reader import UNPRINTABLE, read_yaml
from skillgauge.text import Span

Cause = Literal[
    "colon",  # a plain value holds ": " or ends in ":"
    "indicator",  # a plain value begins with @ ` % , * & ! or the like
    "bracket",  # a plain value begins with [ or { and is no whole list or mapping
    "quote",  # a quoted value is not closed, or text follows its closing quote
    "tab",  # a tab indents a line
    "control",  # a character that YAML does not allow, or takes for a line break
    "conflict",  # a merge-conflict marker
    "stray",  # a line that is neither key, comment nor continuation
    "indent",  # nested lines whose indentation doesn't fit
    "other",
]


@dataclass(frozen=True, slots=True)
class BrokenEntry:
    """A top-level entry that can't be read."""

    key: str
    """The key's text, "" when the line has none."""
    key_span: Span
    value_span: Span
    """The value as written, without trailing blanks."""
    cause: Cause
    at: Span
    """The characters at fault."""
    fault: SyntaxFault
    intended: str | None = None
    """The text that the author meant, where quoting the whole value gives exactly that."""
    quoted: str | None = None
    """The value, quoted so that it reads as `intended`."""

    @property
    def span(self) -> Span:
        """The whole entry."""
        return Span(self.key_span.start, max(self.key_span.end, self.value_span.end))


_CONFLICT: Final = re.compile(r"(?:\A|(?<=[\r\n]))(?:<{7}|={7}|>{7}|\|{7})(?=[ \r\n]|\Z)")
_TAB: Final = re.compile(r"(?:\A|(?<=[\r\n]))[ ]*\t+")
_COLON: Final = re.compile(r":(?=[ \t\r\n]|\Z)")
_CONTROL: Final = re.compile(f"{UNPRINTABLE.pattern}|[\x85\u2028\u2029]")
_BLOCK: Final = re.compile(r"[|>][-+0-9]*[ \t]*(?:#[^\n]*)?(?:\r\n|\n|\r)")
_FOLD: Final = re.compile(r"[ \t]*(?:\r\n|\n|\r)[ \t]*")


def diagnose(
    text: str, span: Span, key: re.Match[str] | None, fault: SyntaxFault
) -> BrokenEntry:
    """Find the likely cause of an entry that does not parse; `key` matches its key if it has one."""
    source = text[span.start : span.end]
    if conflict := _CONFLICT.search(source):
        at = Span(*conflict.span()).shift(span.start)
        return BrokenEntry("", at, at, "conflict", Span(at.start, at.start + 7), fault)
    if key is None or key.end() > span.end:
        first = source.splitlines()[0].rstrip() if source.strip() else source
        at = Span(span.start, span.start + max(len(first), 1))
        return BrokenEntry("", Span(span.start, span.start), at, "stray", at, fault)
    name = key["quoted"] if key["quote"] else key["plain"]
    key_span = Span(*key.span("quoted" if key["quote"] else "plain"))
    behind = text[key.end() : span.end]
    value = Span(span.end - len(behind.lstrip(" \t")), span.end)
    cause, at = _cause(text, value, fault)
    intended = quoted = None
    if cause in ("colon", "indicator", "bracket", "quote"):
        intended, quoted = _quote(text[value.start : value.end])
    return BrokenEntry(name, key_span, value, cause, at, fault, intended, quoted)


def _cause(text: str, value: Span, fault: SyntaxFault) -> tuple[Cause, Span]:
    source = text[value.start : value.end]
    place = min(max(fault.offset, value.start), max(value.end - 1, value.start))
    here = Span(place, min(place + 1, value.end))
    if match := _CONTROL.search(source):
        return "control", Span(*match.span()).shift(value.start)
    if match := _TAB.search(source):
        tab = match.end() - 1
        return "tab", Span(match.start(), tab + 1).shift(value.start)
    first = source[:1]
    if first in ("", "\n", "\r") or _BLOCK.match(source):
        return ("indent" if "\n" in source or "\r" in source else "other"), here
    if first in "'\"":
        return "quote", Span(value.start, value.start + 1)
    if first in "[{":
        return "bracket", Span(value.start, value.start + 1)
    if first in "@`%,*&!]}|>?-#":
        return "indicator", Span(value.start, value.start + 1)
    if match := _COLON.search(source):
        return "colon", Span(*match.span()).shift(value.start)
    return "other", here


def _quote(raw: str) -> tuple[str | None, str | None]:
    """Return the text that `raw` was meant to be and a quoted form that reads exactly so."""
    raw = raw.rstrip()
    if len(raw) > 1 and raw[0] == raw[-1] and raw[0] in "'\"":
        inner = raw[1:-1]  # quotes inside quotes: the outer pair was meant
        intended = inner.replace("\\" + raw[0], raw[0])
    else:
        intended = raw
    if re.search(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)", raw):
        return None, None
    intended = _FOLD.sub(" ", intended).strip()
    quoted = quote(intended)
    reading = read_yaml("k: " + quoted)
    if reading.fault is None and isinstance(reading.root, Mapping):
        value = reading.root.get("k")
        if isinstance(value, Scalar) and value.text == intended:
            return intended, quoted
    return None, None


def quote(text: str) -> str:
    """Return `text` as a quoted YAML scalar on one line, in double quotes where they need no escape."""
    if '"' not in text and "\\" not in text:
        return f'"{text}"'
    if "'" not in text:
        return f"'{text}'"
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
