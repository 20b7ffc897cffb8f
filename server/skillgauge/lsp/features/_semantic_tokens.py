"""The tokens of a skill: placeholders, and references to files that are there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from skillgauge.lsp.features.semantic_tokens import TYPES
from skillgauge.text import Encoding, Span

if TYPE_CHECKING:
    from skillgauge.lsp.snapshot import Snapshot

_PLACEHOLDER: Final = re.compile(
    r"(?P<macro>\$\{CLAUDE_[A-Z_]+\}|(?<![\\\w$])\$ARGUMENTS(?:\[\d+\])?|\{baseDir\})"
    r"|(?P<variable>\{\{[^{}\r\n]{1,80}\}\})"
    r"|(?P<decorator>(?:(?<=\s)|^)!`[^`\r\n]+`)",
    re.MULTILINE,
)


def tokens(snapshot: Snapshot) -> list[tuple[Span, str]]:
    """Return the tokens in order; none overlap, and none runs over a line's end."""
    skill = snapshot.skill
    found = [
        (Span(*match.span()), match.lastgroup or "macro")
        for match in _PLACEHOLDER.finditer(skill.source, skill.body.start)
    ]
    found.extend((item.path_span, "string") for item in skill.references if item.exists)
    kept: list[tuple[Span, str]] = []
    for span, kind in sorted(found):
        inside = "\n" not in skill.text.slice(span) and "\r" not in skill.text.slice(span)
        if span.end > span.start and inside and (not kept or kept[-1][0].end <= span.start):
            kept.append((span, kind))
    return kept


def encode(snapshot: Snapshot, encoding: Encoding) -> list[int]:
    """Return the tokens as the protocol packs them: five numbers each, places relative."""
    data: list[int] = []
    line = column = 0
    for span, kind in tokens(snapshot):
        at_line, start = snapshot.text.units(span.start, encoding)
        _, end = snapshot.text.units(span.end, encoding)
        if at_line != line:
            column = 0
        data += [at_line - line, start - column, end - start, TYPES.index(kind), 0]
        line, column = at_line, start
    return data
