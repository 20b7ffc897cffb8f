"""JSON text → nodes with ranges. Never raises; what was read before a fault stays."""

from __future__ import annotations

import re
from json import JSONDecodeError, JSONDecoder
from typing import Final

from skillgauge.document.nodes import (
    MAX_DEPTH,
    Entry,
    Mapping,
    Node,
    Scalar,
    Sequence,
    SyntaxFault,
    Type,
)
from skillgauge.document.yaml_reader import Reading
from skillgauge.text import Span

_DECODER: Final = JSONDecoder()
_SPACE: Final = re.compile(r"[ \t\r\n]*")
_PLAIN: Final = re.compile(r"\"([^\"\\\x00-\x1f]*)\"")
_LINE: Final = re.compile(r"[ \t]*[^\s][^\r\n]*")
ACROSS_LINES: Final = "the value goes on behind the end of its line"
_LITERAL: Final = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?|true|false|null")


class _Stop(Exception):
    def __init__(self, offset: int, problem: str) -> None:
        super().__init__(problem)
        self.fault = SyntaxFault(offset, problem)


def read_json(source: str) -> Reading:
    """Read one JSON value, and say where and why if the text is not one."""
    reader = _Reader(source)
    try:
        root, end = reader.value(0, 0)
        end = reader.space(end)
        if end < len(source):
            raise _Stop(end, "more text after the end of the value")
    except _Stop as stop:
        return Reading(reader.rescued, stop.fault)
    return Reading(root, None)


def read_json_lines(source: str) -> Reading:
    """Read JSON Lines, a value on each line, as one list; a line at fault spoils only itself."""
    roots: list[Node] = []
    fault: SyntaxFault | None = None
    end = 0
    for match in _LINE.finditer(source):
        if match.start() < end:
            continue  # a line of the value that began further up
        reader = _Reader(source)
        try:
            root, end = reader.value(match.start(), 0)
            roots.append(root)
            if end > match.end():
                raise _Stop(match.start(), ACROSS_LINES)
            if (behind := reader.space(end)) < match.end():
                raise _Stop(behind, "more text after the end of the value")
        except _Stop as stop:
            fault = fault or stop.fault
            roots += [reader.rescued] if reader.rescued else []
    return Reading(Sequence(Span(0, len(source)), tuple(roots), True), fault)


class _Reader:
    """A recursive reader, its depth bounded by MAX_DEPTH."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.rescued: Node | None = None

    def space(self, at: int) -> int:
        match = _SPACE.match(self.source, at)
        return match.end() if match else at

    def value(self, at: int, depth: int) -> tuple[Node, int]:
        at = self.space(at)
        char = self.source[at : at + 1]
        if char in ("{", "["):
            if depth >= MAX_DEPTH:
                raise _Stop(at, f"nested more than {MAX_DEPTH} deep")
            return self.mapping(at, depth) if char == "{" else self.sequence(at, depth)
        if char == '"':
            return self.string(at)
        if match := _LITERAL.match(self.source, at):
            word = match[0]
            kind: Type = "float" if match[1] or match[2] else "int"
            if word[0] in "tfn":
                kind = "null" if word == "null" else "bool"
            span = Span(at, match.end())
            return Scalar(span, word, "plain", kind, kind), match.end()
        raise _Stop(at, "a value is missing here" if char in ("", ",", "]", "}") else "not JSON")

    def string(self, at: int) -> tuple[Scalar, int]:
        if match := _PLAIN.match(self.source, at):  # most strings have no escapes
            return Scalar(Span(at, match.end()), match[1], "double"), match.end()
        try:
            text, end = _DECODER.raw_decode(self.source, at)
        except JSONDecodeError as error:
            raise _Stop(error.pos, error.msg) from None
        return Scalar(Span(at, end), str(text), "double"), end

    def sequence(self, at: int, depth: int) -> tuple[Node, int]:
        items: list[Node] = []
        end = self.space(at + 1)
        try:
            while self.source[end : end + 1] != "]":
                item, end = self.value(end, depth + 1)
                items.append(item)
                end = self.separator(end, "]")
        except _Stop:
            if isinstance(self.rescued, Mapping | Sequence):
                items.append(self.rescued)
            self.rescued = Sequence(Span(at, end), tuple(items), True)
            raise
        return Sequence(Span(at, end + 1), tuple(items), True), end + 1

    def mapping(self, at: int, depth: int) -> tuple[Node, int]:
        entries: list[Entry] = []
        end = self.space(at + 1)
        key: Scalar | None = None
        try:
            while self.source[end : end + 1] != "}":
                key = None
                if self.source[end : end + 1] != '"':
                    raise _Stop(end, "a key in double quotes is missing here")
                key, end = self.string(end)
                end = self.space(end)
                if self.source[end : end + 1] != ":":
                    raise _Stop(end, "a colon is missing after the key")
                value, end = self.value(end + 1, depth + 1)
                entries.append(Entry(key.text, key.span, value))
                key = None
                end = self.separator(end, "}")
        except _Stop:
            if key and isinstance(self.rescued, Mapping | Sequence):
                entries.append(Entry(key.text, key.span, self.rescued))
            self.rescued = Mapping(Span(at, end), tuple(entries), True)
            raise
        return Mapping(Span(at, end + 1), tuple(entries), True), end + 1

    def separator(self, at: int, close: str) -> int:
        at = self.space(at)
        char = self.source[at : at + 1]
        if char == close:
            return at
        if char != ",":
            raise _Stop(at, f"a comma or “{close}” is missing here")
        behind = self.space(at + 1)
        if self.source[behind : behind + 1] == close:
            raise _Stop(at, f"a comma before “{close}”, which JSON does not allow")
        return behind
