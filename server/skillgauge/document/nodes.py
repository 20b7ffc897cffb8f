"""A tree of values with ranges, read from YAML or JSON alike.

Ranges are code point offsets in the document that holds the values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from skillgauge.text import Span

Style = Literal["plain", "single", "double", "literal", "folded"]
Type = Literal["str", "int", "float", "bool", "null", "timestamp"]

MAX_DEPTH = 64
"""Deeper nesting is refused by the readers: no skill needs it, and recursion stays bounded."""


class Scalar(NamedTuple):
    """One value without parts; `text` is what a reader gets, quotes and escapes resolved."""

    span: Span
    text: str
    style: Style = "plain"
    type: Type = "str"
    """The type under YAML 1.2's core schema (or JSON)."""
    legacy_type: Type = "str"
    """The type under YAML 1.1, as PyYAML and older readers have it (`yes` is a boolean)."""
    anchor: str = ""
    tag: str = ""


class Alias(NamedTuple):
    """A reference `*name` to an anchored value; never expanded."""

    span: Span
    name: str


class Sequence(NamedTuple):
    """A list; `flow` for `[a, b]`."""

    span: Span
    items: tuple[Node, ...]
    flow: bool
    anchor: str = ""
    tag: str = ""


class Entry(NamedTuple):
    """A key with its value. `key` is the key's text, "" for a key that isn't a scalar."""

    key: str
    key_span: Span
    value: Node

    @property
    def span(self) -> Span:
        """From the key's first to the value's last character."""
        return Span(self.key_span.start, max(self.key_span.end, self.value.span.end))


class Mapping(NamedTuple):
    """Keys with values in their order, doubled keys kept; `flow` for `{a: b}`."""

    span: Span
    entries: tuple[Entry, ...]
    flow: bool
    anchor: str = ""
    tag: str = ""

    def entry(self, key: str) -> Entry | None:
        """Return the first entry with this key."""
        return next((entry for entry in self.entries if entry.key == key), None)

    def last(self, key: str) -> Entry | None:
        """Return the last entry with this key: the one that a JSON reader keeps."""
        return next((entry for entry in reversed(self.entries) if entry.key == key), None)

    def get(self, key: str) -> Node | None:
        """Return the first value with this key."""
        entry = self.entry(key)
        return entry.value if entry else None

    def string(self, key: str) -> str | None:
        """Return the text under `key` if that is a scalar."""
        value = self.get(key)
        return value.text if isinstance(value, Scalar) else None


Node = Scalar | Sequence | Mapping | Alias

KIND = {Scalar: "a scalar", Sequence: "a list", Mapping: "a mapping", Alias: "an alias"}
"""How a message names each class of node."""


class SyntaxFault(NamedTuple):
    """Where reading stopped, and the reader's own words for it."""

    offset: int
    problem: str
    context: str = ""


def walk(node: Node | None) -> Iterator[Node]:
    """Yield a node and everything below it, outermost first."""
    stack: list[Node] = [node] if node is not None else []
    while stack:
        current = stack.pop()
        yield current
        if isinstance(current, Sequence):
            stack.extend(reversed(current.items))
        elif isinstance(current, Mapping):
            stack.extend(entry.value for entry in reversed(current.entries))


_CORE: tuple[tuple[Type, re.Pattern[str]], ...] = (
    ("null", re.compile(r"(?:~|null|Null|NULL|)\Z")),
    ("bool", re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z")),
    ("int", re.compile(r"(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)\Z")),
    (
        "float",
        re.compile(
            r"(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
            r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z"
        ),
    ),
)
_LEGACY: tuple[tuple[Type, re.Pattern[str]], ...] = (
    ("bool", re.compile(r"(?:y|Y|n|N|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF)\Z")),
    (
        "timestamp",
        re.compile(
            r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"
            r"(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?"
            r"(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?)?\Z"
        ),
    ),
    ("int", re.compile(r"[-+]?(?:0b[01_]+|0[0-7_]+|[1-9][0-9_]*|[0-9]+(?::[0-5]?[0-9])+)\Z")),
)


def plain_types(text: str) -> tuple[Type, Type]:
    """Return what a plain scalar is under YAML 1.2's core schema and under YAML 1.1."""
    if text and text[0].isalpha() and len(text) > 5:
        return "str", "str"  # most values; every word with a meaning is shorter
    core = _type_of(text, _CORE)
    return core, core if core != "str" else _type_of(text, _LEGACY)


def _type_of(text: str, patterns: tuple[tuple[Type, re.Pattern[str]], ...]) -> Type:
    for name, pattern in patterns:
        if pattern.match(text):
            return name
    return "str"
