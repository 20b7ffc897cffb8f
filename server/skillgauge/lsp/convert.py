"""Between our values and the protocol's: the only place that knows both."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from lsprotocol import types as lsp

from skillgauge.lsp.session import Snapshot, uri_of
from skillgauge.rule import Edit, Finding, Fix, Severity
from skillgauge.rules import by_key, url_of
from skillgauge.text import Encoding, Position, Span, Text

SOURCE = "skillgauge"
"""The `source` of every diagnostic of ours: clients and tests filter by it."""

SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFO: lsp.DiagnosticSeverity.Information,
    Severity.HINT: lsp.DiagnosticSeverity.Hint,
}
_MARKS: Final = re.compile(r"\*\*|(?<!\\)`+|^(?:---|\| --- .*)$\n?", re.MULTILINE)
_LINK: Final = re.compile(r"\[([^\]\n]+)\]\((\S+?)\)")
_ESCAPED: Final = re.compile(r"\\([\\`*_{}\[\]<>#|~])")
TAGS = {
    "unnecessary": lsp.DiagnosticTag.Unnecessary,
    "deprecated": lsp.DiagnosticTag.Deprecated,
}


def to_position(text: Text, offset: int, encoding: Encoding) -> lsp.Position:
    """Return an offset as line and column in the client's code units."""
    line, units = text.units(offset, encoding)
    return lsp.Position(line, units)


def to_range(text: Text, span: Span, encoding: Encoding) -> lsp.Range:
    """Return a range in the client's code units."""
    return lsp.Range(to_position(text, span.start, encoding), to_position(text, span.end, encoding))


def from_position(text: Text, position: lsp.Position, encoding: Encoding) -> int:
    """Return the offset of a client's position; one past a line's end means its end."""
    return text.offset_of_units(position.line, position.character, encoding)


def from_range(text: Text, where: lsp.Range, encoding: Encoding) -> Span:
    """Return a client's range as offsets."""
    return Span(
        from_position(text, where.start, encoding), from_position(text, where.end, encoding)
    )


def code_point_range(start: Position, end: Position) -> lsp.Range:
    """Return a range of another file, whose text isn't at hand, in code points.

    That is exact in UTF-32, and elsewhere as long as the lines hold no astral characters.
    """
    return lsp.Range(lsp.Position(start.line, start.column), lsp.Position(end.line, end.column))


def to_diagnostic(snapshot: Snapshot, finding: Finding, encoding: Encoding) -> lsp.Diagnostic:
    """Return a finding as the protocol has it."""
    related = [
        lsp.DiagnosticRelatedInformation(
            lsp.Location(
                uri_of(item.path) if item.path else snapshot.uri,
                to_range(snapshot.text, item.span, encoding)
                if item.span is not None and item.path is None
                else code_point_range(item.start, item.end),
            ),
            item.message,
        )
        for item in finding.related
    ]
    rule = by_key().get(finding.code)
    return lsp.Diagnostic(
        range=to_range(snapshot.text, finding.span, encoding),
        message=finding.message,
        severity=SEVERITIES[finding.severity],
        code=finding.code,
        code_description=lsp.CodeDescription(url_of(rule)) if rule else None,
        source=SOURCE,
        tags=[TAGS[tag] for tag in finding.tags] or None,
        related_information=related or None,
        data={"rule": finding.rule, "fix": _fix_kind(finding.fix)},
    )


def _fix_kind(fix: Fix | None) -> str | None:
    return None if fix is None else "safe" if fix.safe else "unsafe"


def to_text_edit(text: Text, edit: Edit, encoding: Encoding) -> lsp.TextEdit:
    """Return an edit in the client's code units."""
    return lsp.TextEdit(to_range(text, edit.span, encoding), edit.text)


def to_location(path: Path, text: Text | None, span: Span, encoding: Encoding) -> lsp.Location:
    """Return a place in a file; without its text, the file's beginning."""
    start = lsp.Position(0, 0)
    where = to_range(text, span, encoding) if text is not None else lsp.Range(start, start)
    return lsp.Location(uri_of(path), where)


def markup(text: str, formats: Sequence[lsp.MarkupKind] | None) -> lsp.MarkupContent:
    """Return Markdown, or plain text made of it for a client that takes nothing else."""
    if formats is None or lsp.MarkupKind.Markdown in formats:
        return lsp.MarkupContent(lsp.MarkupKind.Markdown, text)
    plain = _LINK.sub(r"\1 <\2>", _MARKS.sub("", text))
    return lsp.MarkupContent(lsp.MarkupKind.PlainText, _ESCAPED.sub(r"\1", plain))
