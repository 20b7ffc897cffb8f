"""YAML text → nodes with ranges, on PyYAML's event parser.

The tree is built from events by a loop of ours: no recursion, no expansion of aliases (so no YAML
bomb), and when the parser stops at a fault, what it read before stays.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final

import yaml

from skillgauge.document.nodes import (
    MAX_DEPTH,
    Alias,
    Entry,
    Mapping,
    Node,
    Scalar,
    Sequence,
    Style,
    SyntaxFault,
    plain_types,
)
from skillgauge.text import Span, encodable

_LOADER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_STYLES: dict[str | None, Style] = {
    None: "plain",
    "": "plain",
    "'": "single",
    '"': "double",
    "|": "literal",
    ">": "folded",
}
# What YAML 1.2 allows in a stream, negated; the reader of libyaml stops dead at any other.
UNPRINTABLE: Final = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read: the root (None for an empty document) and the first fault, if any."""

    root: Node | None
    fault: SyntaxFault | None


@dataclass(slots=True)
class _Open:
    """A collection under construction."""

    start: int
    mapping: bool
    flow: bool
    anchor: str
    tag: str
    nodes: list[Node] = field(default_factory=list[Node])

    def close(self, end: int) -> Node:
        span = Span(self.start, max(end, self.start))
        if not self.mapping:
            return Sequence(span, tuple(self.nodes), self.flow, self.anchor, self.tag)
        pairs = zip(self.nodes[::2], self.nodes[1::2], strict=False)
        entries = tuple(
            Entry(key.text if isinstance(key, Scalar) else "", key.span, value)
            for key, value in pairs
        )
        return Mapping(span, entries, self.flow, self.anchor, self.tag)


BLANK: Final = " \t\r\n"
"""White space to YAML 1.2, and nothing else is."""

TOO_DEEP: Final = f"nested more than {MAX_DEPTH} deep"
_CORE_TAG: Final = "tag:yaml.org,2002:"
# An anchor or a tag with what stands between it and the value.
_PROPERTY: Final = re.compile(r"[&!]\S*(?:\s|#[^\r\n]*)*")


def read_yaml(source: str, at: int = 0, anchors: frozenset[str] = frozenset()) -> Reading:
    """Read one YAML document; ranges are those in `source` plus `at`. Never raises.

    `anchors` names those that stand elsewhere, where `source` is a part of a document.
    """
    source = encodable(source)
    if source.startswith("\ufeff"):  # allowed at the top, and there alone
        source, at = source[1:], at + 1
    fault = None
    if match := UNPRINTABLE.search(source):
        fault = SyntaxFault(at + match.start(), f"character U+{ord(match[0]):04X} is not allowed")
        source = UNPRINTABLE.sub("\ufffd", source)
    builder = _Builder(source, at, anchors)
    try:
        for event in yaml.parse(source, Loader=_LOADER):
            if not builder.take(event):
                break
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        offset = at + (mark.index if mark else 0)
        problem = TOO_DEEP if "nesting depth" in (error.problem or "") else error.problem or ""
        fault = fault or SyntaxFault(offset, problem, error.context or "")
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        fault = fault or SyntaxFault(at, str(error))
    faults = [found for found in (fault, builder.fault) if found]
    return Reading(builder.root(), min(faults, key=lambda found: found.offset, default=None))


class _Builder:
    """Events in, one tree out. `fault` is what every loader refuses although it can be parsed."""

    def __init__(self, source: str, at: int, anchors: frozenset[str]) -> None:
        self.source, self.at = source, at
        self.stack: list[_Open] = []
        self.top: Node | None = None
        self.anchors = set(anchors)
        self.ended = False
        self.fault: SyntaxFault | None = None
        self.end = 0  # where the last value ended: block collections end there, not at the next

    def take(self, event: Any) -> bool:
        """Take one event; False to stop."""
        start, end = event.start_mark.index, event.end_mark.index
        if isinstance(event, yaml.ScalarEvent):
            self._name(event, start)
            self._add(self._scalar(event, start, end))
        elif isinstance(event, yaml.CollectionStartEvent):
            if len(self.stack) >= MAX_DEPTH:
                self._blame(start, TOO_DEEP)
                return False
            self._name(event, start)
            mapping = isinstance(event, yaml.MappingStartEvent)
            flow = bool(event.flow_style)
            anchor, tag = event.anchor or "", event.tag or ""
            self.stack.append(_Open(self.at + start, mapping, flow, anchor, tag))
        elif isinstance(event, yaml.CollectionEndEvent):
            opened = self.stack.pop()
            if opened.flow:
                self.end = end
            self._add(opened.close(self.at + self.end))
        elif isinstance(event, yaml.AliasEvent):
            self.end = end
            if event.anchor not in self.anchors:
                self._blame(start, f"“*{event.anchor}” refers to an anchor that is not there")
            self._add(Alias(Span(self.at + start, self.at + self.end), event.anchor or ""))
        elif isinstance(event, yaml.DocumentEndEvent):
            self.ended = True
        elif isinstance(event, yaml.DocumentStartEvent) and self.ended:
            self._blame(start, "a second document begins here")
            return False
        return True

    def _name(self, event: Any, start: int) -> None:
        """Remember an anchor; a tag that YAML itself does not define is a fault."""
        if event.anchor:
            self.anchors.add(event.anchor)
        if (tag := event.tag) and tag != "!" and not tag.startswith(_CORE_TAG):
            self._blame(start, f"the tag “{tag}” is not known")

    def _blame(self, offset: int, problem: str) -> None:
        self.fault = self.fault or SyntaxFault(self.at + offset, problem)

    def _scalar(self, event: Any, start: int, end: int) -> Scalar:
        style = _STYLES.get(event.style, "plain")
        tag = event.tag or ""
        if event.anchor or tag:
            for _ in range(2):  # at most one of each
                if match := _PROPERTY.match(self.source, start, end):
                    start = match.end()
        if style in ("literal", "folded"):  # the event runs on to the next token
            end = start + len(self.source[start:end].rstrip(BLANK))
        if end == start and not self.source[self.end : start].strip(BLANK):
            start = end = max(min(self.end, start), 0)  # nothing, not even a colon, stands for it
        self.end = max(end, self.end)
        core, legacy = ("str", "str")
        if style == "plain" and not tag:
            core, legacy = plain_types(event.value)
        span = Span(self.at + start, self.at + end)
        return Scalar(span, event.value, style, core, legacy, event.anchor or "", tag)

    def _add(self, node: Node) -> None:
        if self.stack:
            self.stack[-1].nodes.append(node)
        else:
            self.top = node

    def root(self) -> Node | None:
        """Return the tree; collections that a fault left open are closed where it happened."""
        while self.stack:
            self._add(self.stack.pop().close(self.at + self.end))
        return self.top
