"""Offsets, lines and columns: the only module that knows where lines break.

Offsets count code points of the text. Lines break on CR LF, LF and lone CR only, as the Language
Server Protocol and YAML 1.2 have it; U+2028, form feed and the like are ordinary characters.
Lines and columns count from 0 here; reports add 1.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, count, pairwise
from operator import add
from typing import Literal, NamedTuple

from skillgauge.patterns import lazy_pattern

Encoding = Literal["utf-8", "utf-16", "utf-32"]

_BREAK = lazy_pattern(r"\r\n|\n|\r")
_SURROGATE = lazy_pattern("[\ud800-\udfff]")
_ASCII = bytes(range(128))
_RUN = lazy_pattern(  # the group's number is the width in UTF-8
    "([\x00-\x7f]+)|([\x80-\u07ff]+)|([\u0800-\uffff]+)|([\U00010000-\U0010ffff]+)"
)


class Position(NamedTuple):
    """A place in a text: line and column from 0, the column in code points."""

    line: int
    column: int


class Span(NamedTuple):
    """A half-open range of code point offsets."""

    start: int
    end: int

    def shift(self, by: int) -> Span:
        """Return the same range `by` code points further on."""
        return Span(self.start + by, self.end + by)

    def contains(self, offset: int) -> bool:
        """Return whether `offset` lies inside or right at the end, where a cursor still touches."""
        return self.start <= offset <= self.end

    def overlaps(self, other: Span) -> bool:
        """Return whether the two share a character, or one is empty and touches the other."""
        if self.start == self.end or other.start == other.end:
            return self.start <= other.end and other.start <= self.end
        return self.start < other.end and other.start < self.end


def split_lines(text: str, *, keep: bool = False) -> list[str]:
    """Return the lines, with their breaks if `keep`; a final break opens no further line.

    `str.splitlines` breaks at form feeds, U+2028 and more, which are ordinary characters here.
    """
    starts = Text(text).starts
    lines = [text[start:end] for start, end in pairwise([*starts, len(text)])]
    if not lines[-1]:
        lines.pop()
    return lines if keep else [line.rstrip("\r\n") for line in lines]


def encodable(text: str) -> str:
    """Return `text` with each lone surrogate replaced by U+FFFD; offsets stay the same."""
    try:
        text.encode()  # much faster than to search for what is hardly ever there
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text)
    return text


@dataclass(frozen=True)
class Text:
    """A document's characters together with its line index."""

    content: str

    def __len__(self) -> int:
        return len(self.content)

    @cached_property
    def starts(self) -> list[int]:
        """The offset of each line's first character; at least one entry."""
        if "\r" in self.content:
            return [0, *(match.end() for match in _BREAK.finditer(self.content))]
        # With LF alone, splitting and adding up is ten times as fast as searching.
        ends = accumulate(map(len, self.content.split("\n")), initial=0)
        starts = list(map(add, ends, count()))  # each line before has a break as well
        starts.pop()
        return starts

    @cached_property
    def beyond_ascii(self) -> frozenset[str]:
        """The distinct characters outside ASCII: quick to look through for one of a kind."""
        if self.content.isascii():
            return frozenset()
        rest = self.content.encode("utf-8", "surrogatepass").translate(None, _ASCII)
        return frozenset(rest.decode("utf-8", "surrogatepass"))

    @property
    def line_count(self) -> int:
        """The number of lines; a final line break opens one more, empty line."""
        return len(self.starts)

    def line_span(self, line: int) -> Span:
        """Return the range of a line without its line break; lines outside are clamped."""
        line = min(max(line, 0), self.line_count - 1)
        start = self.starts[line]
        if line + 1 == self.line_count:
            return Span(start, len(self.content))
        end = self.starts[line + 1]
        while end > start and self.content[end - 1] in "\r\n":
            end -= 1
        return Span(start, end)

    def line(self, line: int) -> str:
        """Return the characters of a line without its line break."""
        span = self.line_span(line)
        return self.content[span.start : span.end]

    def line_of(self, offset: int) -> int:
        """Return the line that holds `offset`; offsets outside are clamped."""
        return bisect_right(self.starts, min(max(offset, 0), len(self.content))) - 1

    def position(self, offset: int) -> Position:
        """Return line and column of `offset`; offsets outside are clamped."""
        offset = min(max(offset, 0), len(self.content))
        line = bisect_right(self.starts, offset) - 1
        return Position(line, offset - self.starts[line])

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a place; a column past its line's end means the end."""
        if line >= self.line_count:
            return len(self.content)
        span = self.line_span(line)
        return min(span.start + max(column, 0), span.end)

    def slice(self, span: Span) -> str:
        """Return the characters of a range."""
        return self.content[span.start : span.end]

    def units(self, offset: int, encoding: Encoding) -> Position:
        """Return line and column of `offset`, the column in code units of `encoding`."""
        line, column = self.position(offset)
        if encoding == "utf-32" or column == 0:
            return Position(line, column)
        start = self.starts[line]
        return Position(line, _width(self.content[start : start + column], encoding))

    def offset_of_units(self, line: int, units: int, encoding: Encoding) -> int:
        """Return the offset of a place whose column counts code units of `encoding`."""
        if encoding == "utf-32" or line >= self.line_count:
            return self.offset(line, units)
        span = self.line_span(line)
        text = self.content[span.start : span.end]
        if text.isascii():
            return self.offset(line, units)
        column = 0
        for char in text:
            units -= _width(char, encoding)
            if units < 0:
                break
            column += 1
        return span.start + column


def _width(text: str, encoding: Encoding) -> int:
    if text.isascii():
        return len(text)
    if encoding == "utf-16":
        return len(text) + sum(char > "\uffff" for char in text)
    return len(text.encode("utf-8", "surrogatepass"))


class ByteMap:
    """Turns UTF-8 byte offsets of a text into code point offsets (O(log n) each)."""

    __slots__ = ("_bytes", "_points", "_widths")

    def __init__(self, text: str) -> None:
        # Runs of characters with as many bytes each: where each run begins, in bytes and in code
        # points, and how wide its characters are.
        self._bytes: list[int] = []
        self._points: list[int] = []
        self._widths: list[int] = []
        if text.isascii():
            return
        byte = 0
        for match in _RUN.finditer(text):
            start, end = match.span()
            width = match.lastindex or 1
            self._bytes.append(byte)
            self._points.append(start)
            self._widths.append(width)
            byte += (end - start) * width

    def __call__(self, byte: int) -> int:
        """Return the code point offset of a byte offset on a character boundary."""
        if not self._bytes:
            return byte
        run = bisect_right(self._bytes, byte) - 1
        return self._points[run] + (byte - self._bytes[run]) // self._widths[run]

    def pair(self, start: int, end: int) -> tuple[int, int]:
        """Return the code point offsets of both ends of a range."""
        starts = self._bytes
        if not starts:
            return start, end
        first, last = bisect_right(starts, start) - 1, bisect_right(starts, end) - 1
        return (
            self._points[first] + (start - starts[first]) // self._widths[first],
            self._points[last] + (end - starts[last]) // self._widths[last],
        )
