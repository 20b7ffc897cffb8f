"""Why a frontmatter entry does not parse, in an author's terms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from skillgauge.document.nodes import SyntaxFault
from skillgauge.document.yaml_reader import TOO_DEEP, UNPRINTABLE, read_yaml
from skillgauge.document.yaml_repair import (
    Repair,
    close_of_flow,
    double_backslashes,
    quote_again,
    quote_block_marker,
    quote_plain,
    untab,
)
from skillgauge.patterns import lazy_pattern
from skillgauge.text import Span

Cause = Literal[
    "colon",  # a plain value holds ": " or ends in ":"
    "indicator",  # a plain value begins with @ ` % , * & ! or the like
    "bracket",  # a plain value begins with [ or { and is no whole list or mapping
    "quote",  # a quoted value is not closed, or text follows its closing quote
    "escape",  # a backslash in a double-quoted value begins no escape that YAML has
    "tab",  # a tab indents a line
    "control",  # a character that YAML does not allow
    "separator",  # a character that YAML takes for a line break, and hardly anything else does
    "conflict",  # a merge-conflict marker
    "comment",  # a value of several lines is cut off by " #"
    "blank",  # no blank behind the colon of the key
    "stray",  # a line that is neither key, comment nor continuation
    "indent",  # a line whose indentation doesn't fit
    "depth",  # nested deeper than we read
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
    inside: str = ""
    """The key inside the entry whose value is at fault, "" for the entry's own value."""
    repair: Repair | None = None
    """How to write it so that it reads as meant, where that can be told."""

    @property
    def span(self) -> Span:
        """The whole entry."""
        return Span(self.key_span.start, max(self.key_span.end, self.value_span.end))

    @property
    def name(self) -> str:
        """The key at fault with the one that it stands under: `metadata.author`."""
        return f"{self.key}.{self.inside}" if self.inside else self.key


@dataclass(frozen=True, slots=True)
class Key:
    """A key as written; its colon ends at `end`."""

    text: str
    span: Span
    end: int


# Blanks before the colon are taken with a plain key: two runs side by side would be quadratic.
_KEY: Final = lazy_pattern(
    r"(?:\"(?P<double>[^\"\r\n]*)\"[ \t]*|'(?P<single>[^'\r\n]*)'[ \t]*"
    r"|(?P<plain>(?:[^\s#\-?:,\[\]{}&*!|>'\"%@`]|-(?=[^\s-]))[^\r\n:#]*)):(?=[ \t\r\n]|\Z)"
)
_NESTED: Final = lazy_pattern(r"[ \t]*(?:-[ \t]+)*")
_NO_BLANK: Final = lazy_pattern(r"(?P<key>[A-Za-z][\w-]*)(?P<colon>:(?!//)(?=\S)|[ \t]*：[ \t]*)")
_COLON: Final = lazy_pattern(r":(?=[ \t\r\n]|\Z)")
_SEPARATOR: Final = lazy_pattern("[\x85\u2028\u2029]")
_BLOCK: Final = lazy_pattern(r"[|>][-+0-9]*[ \t]*(?:#[^\r\n]*)?(?:[\r\n]|\Z)")
_COMMENT: Final = lazy_pattern(r"[ \t]#[^\r\n]*(?=[\r\n])")
_INDENTED: Final = lazy_pattern(  # keys that hardly begin a line of prose
    r"(?<=[\r\n])[ \t]+(?=(?:name|description|license|compatibility|metadata|allowed-tools"
    r"|version|author|tags|argument-hint|user-invocable):(?:[ \t\r\n]|\Z))"
)
_LINE: Final = lazy_pattern(r"[^\r\n]*")


def match_key(text: str, at: int) -> Key | None:
    """Return the key that begins at an offset, if one does."""
    match = _KEY.match(text, at)
    if match is None:
        return None
    group = match.lastgroup or "plain"
    name = match[group].rstrip(" \t") if group == "plain" else match[group]
    start = match.start(group)
    return Key(name, Span(start, start + len(name)), match.end())


def diagnose(text: str, span: Span, fault: SyntaxFault) -> BrokenEntry:
    """Find the likely cause why the entry at `span` (no blanks at its end) does not parse."""
    source = text[: span.end]
    key = match_key(source, span.start)
    if key is None:
        return _keyless(source, span, fault)
    value = _value(source, key, span.end)
    if control := UNPRINTABLE.search(source, span.start):
        return BrokenEntry(key.text, key.span, value, "control", Span(*control.span()), fault)
    if found := _separator(source, span):
        return BrokenEntry(key.text, key.span, value, "separator", found, fault)
    if fault.problem == TOO_DEEP:
        at = Span(fault.offset, fault.offset + 1)
        return BrokenEntry(key.text, key.span, value, "depth", at, fault)
    if found := _tab(source, fault):
        repair = untab(source, span)
        return BrokenEntry(key.text, key.span, value, "tab", found, fault, "", repair)
    inside, subject = _subject(source, value, fault)
    cause, at, repair = _cause(source, subject, fault)
    if subject != value and cause == "other":
        cause, at = "indent", Span(*_line_of(source, fault.offset))
    moved = _INDENTED.search(source, value.start, at.end) if cause == "colon" else None
    if moved and subject == value:
        # The line is another entry of the block, moved to the right by mistake.
        mended = source[span.start : moved.start()] + source[moved.end() :]
        at = Span(*moved.span())
        repair = Repair(at, "") if not read_yaml(mended).fault else None
        return BrokenEntry(key.text, key.span, value, "indent", at, fault, "", repair)
    return BrokenEntry(key.text, key.span, value, cause, at, fault, inside, repair)


def _value(source: str, key: Key, end: int) -> Span:
    behind = source[key.end : end]
    return Span(min(end - len(behind.lstrip(" \t")), end), end)


def _end_of_line(source: str, at: int) -> int:
    match = _LINE.match(source, at)
    line = source[at : match.end()] if match else ""
    return at + len(line.rstrip(" \t"))


def _keyless(source: str, span: Span, fault: SyntaxFault) -> BrokenEntry:
    """Judge an entry whose first line has no key."""
    start = span.start + len(source[span.start :]) - len(source[span.start :].lstrip(" \t"))
    if fault.problem == TOO_DEEP:
        at = Span(fault.offset, fault.offset + 1)
        return BrokenEntry("", Span(span.start, span.start), span, "depth", at, fault)
    line = Span(start, max(_end_of_line(source, start), start + 1))
    none = Span(span.start, span.start)
    if control := UNPRINTABLE.search(source, span.start):
        return BrokenEntry("", none, span, "control", Span(*control.span()), fault)
    if "\t" in source[span.start : start]:
        at = Span(span.start, start)
        repair = Repair(at, "") if not read_yaml(source[start:]).fault else None
        return BrokenEntry("", none, span, "tab", at, fault, "", repair)
    if match := _NO_BLANK.match(source, start):
        at = Span(*match.span("colon"))
        key = Span(*match.span("key"))
        mended = source[span.start : at.start] + ": " + source[at.end :]
        repair = Repair(at, ": ") if not read_yaml(mended).fault else None
        value = Span(match.end(), span.end)
        return BrokenEntry(match["key"], key, value, "blank", at, fault, "", repair)
    return BrokenEntry("", none, line, "stray", line, fault)


def _separator(source: str, span: Span) -> Span | None:
    """Return the first odd line break, if the entry reads well without those."""
    match = _SEPARATOR.search(source, span.start)
    if match and not read_yaml(_SEPARATOR.sub(" ", source[span.start :])).fault:
        return Span(*match.span())
    return None


def _tab(source: str, fault: SyntaxFault) -> Span | None:
    """Return the blanks before the fault if a tab is among them and nothing else."""
    line, _ = _line_of(source, fault.offset)
    stop = line + len(source[line:]) - len(source[line:].lstrip(" \t"))
    return Span(line, stop) if "\t" in source[line:stop] and fault.offset <= stop else None


def _line_of(source: str, offset: int) -> tuple[int, int]:
    """Return where the line of `offset` begins, and where it ends without blanks and break."""
    line = max(source.rfind("\n", 0, offset), source.rfind("\r", 0, offset)) + 1
    return line, _end_of_line(source, line)


def _subject(source: str, value: Span, fault: SyntaxFault) -> tuple[str, Span]:
    """Return the value at fault: that of the nested line with the fault, if there is one."""
    if source[value.start : value.start + 1] in ("\n", "\r"):
        line, end = _line_of(source, min(fault.offset, value.end - 1))
        match = _NESTED.match(source, line)
        start = match.end() if match else line
        if line > value.start and (key := match_key(source, start)):
            return key.text, _value(source, key, end)
        if line > value.start and "-" in source[line:start]:
            return "", Span(start, max(end, start))
    return "", value


def _cause(source: str, value: Span, fault: SyntaxFault) -> tuple[Cause, Span, Repair | None]:
    raw = source[value.start : value.end]
    place = min(max(fault.offset, value.start), max(value.end - 1, value.start))
    here = Span(place, min(place + 1, value.end))
    opening = Span(value.start, value.start + 1)
    first = raw[:1]
    if first in ("", "\n", "\r") or _BLOCK.match(raw):
        return ("indent" if "\n" in raw or "\r" in raw else "other"), here, None
    if (
        first == '"' and "escape" in f"{fault.problem} {fault.context}"
    ) or "hexdec" in fault.problem:
        backslash = source.rfind("\\", value.start, min(fault.offset + 1, value.end))
        at = Span(backslash, min(backslash + 2, value.end)) if backslash >= 0 else opening
        return "escape", at, double_backslashes(source, value)
    if first in "'\"":
        return "quote", opening, quote_again(source, value)
    if first in "[{":
        whole = 0 < close_of_flow(raw) < len(raw)  # closed, with more text behind it
        return "bracket", opening, quote_plain(source, value) if whole else None
    if first in "|>":
        return "indicator", opening, quote_block_marker(source, value)
    if first in "@`%,*&!]}?-#":
        return "indicator", opening, quote_plain(source, value)
    colon, comment = _COLON.search(raw), _COMMENT.search(raw)
    if comment and not (colon and colon.start() < comment.start()):
        at = Span(comment.start() + 1, comment.end()).shift(value.start)
        return "comment", at, quote_plain(source, value)
    if colon:
        return "colon", Span(*colon.span()).shift(value.start), quote_plain(source, value)
    return "other", here, None
